"""Time at the edge: aware UTC datetimes inside, RFC 3339 outside."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time


def parse(text: str) -> datetime | None:
    """The moment `text` names, as aware UTC, or None when it names none.

    Takes an RFC 3339 date (its midnight) or date-time. A time without an offset is read as UTC.
    """
    try:
        if len(text) == 10:
            return datetime.combine(date.fromisoformat(text), time(), UTC)
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        return None


def render(moment: datetime) -> str:
    """RFC 3339 in UTC, seconds precise: `2026-11-30T09:12:00Z`."""
    # Not strftime: it leaves a year below 1000 short, and the catalog compares times as text.
    return moment.astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat() + "Z"


def now(environ: Mapping[str, str]) -> datetime:
    """The present moment; MEM_NOW (RFC 3339) stands in for it where an answer must not depend on the day."""
    return parse(environ.get("MEM_NOW", "")) or datetime.now(UTC)

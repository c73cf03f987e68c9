"""`--expires`: a day, a time, or a number of days from now."""

from __future__ import annotations

from datetime import datetime, timedelta

from memcli import clock
from memcli.errors import Usage
from memcli.store.add import day

_UNITS = {"d": 1, "w": 7}


def expiry(text: str, now: datetime) -> datetime:
    """The moment that `text` names: RFC 3339, or `90d`, `2w` from the day of `now` on (UTC, so no clock change moves it).

    Raises:
        Usage: it names none, or one that is over.
    """
    moment = clock.parse(text) or _later(text, now)
    if moment is None:
        raise Usage(f"--expires: {text!r} is no time", hint="--expires 2027-03-01, or 90d")
    if moment <= now:
        raise Usage(f"--expires: {text} is over already", hint="--expires 90d")
    return moment


def _later(text: str, now: datetime) -> datetime | None:
    count, unit = text[:-1], text[-1:]
    if not (count.isascii() and count.isdecimal() and unit in _UNITS):
        return None
    try:
        return day(now) + timedelta(days=int(count) * _UNITS[unit])
    except (OverflowError, ValueError):
        return None

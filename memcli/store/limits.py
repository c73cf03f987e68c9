"""How much of a file its harness will load, and what could go first when it is too much."""

from __future__ import annotations

from datetime import datetime

from memcli.files.markdown import Document, Item, Problem


def over(data: bytes, *, lines: int, size: int) -> Problem | None:
    """What is wrong with a file of more than `lines` lines or `size` bytes, at the first line that is not loaded."""
    count = data.count(b"\n") + bool(data and not data.endswith(b"\n"))
    if count <= lines and len(data) <= size:
        return None
    whole = data.count(b"\n", 0, size) if len(data) > size else count
    has = f"{count} lines" if count > lines else f"{len(data):,} bytes"
    limit = f"{lines} lines" if count > lines else f"{size:,} bytes"
    return Problem(min(lines, whole) + 1, f"{has}, but only {limit} are loaded: what follows is never read")


def spare(document: Document, now: datetime) -> list[Item]:
    """The list items that could go, the first first: expired, then superseded, then the least sure and oldest of
    those with a confidence below 1."""
    ended = {old for item in document.items for old in item.meta.supersedes}
    ranked: list[tuple[int, float, float, Item]] = []
    for item in document.items:
        meta = item.meta
        past = meta.expires is not None and meta.expires <= now
        conf = 1.0 if meta.conf is None else meta.conf
        touched = meta.updated or meta.created
        if item.kind == "item" and (past or meta.id in ended or conf < 1):
            rank = 0 if past else 1 if meta.id in ended else 2
            ranked.append((rank, conf, touched.timestamp() if touched else 0.0, item))
    return [item for *_, item in sorted(ranked, key=lambda one: one[:3])]

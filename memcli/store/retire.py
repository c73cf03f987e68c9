"""One entry taken out of its file. Its bytes, and the record that goes to the archive, come with the plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from memcli.entry import Meta
from memcli.errors import Unreadable, Usage
from memcli.files.heading import heading_type
from memcli.files.markdown import Document, Item, parse, splice
from memcli.store.draft import Edit, short
from memcli.store.find import Ref, Spot, locate
from memcli.store.layout import Layout
from memcli.store.place import kept
from memcli.store.section import front_type
from memcli.store.stamp import stamp


@dataclass(frozen=True, slots=True)
class Retired:
    """An entry that was taken out.

    Attributes:
        meta: with its id, and with the type that its headings gave it.
        path: the file it was in, as the caller names it, and `line`, where, 1-based.
        headings: the headings above it, outermost first.
        reason: why, in a few words.
    """

    text: str
    meta: Meta
    path: str = ""
    line: int = 0
    headings: tuple[str, ...] = ()
    reason: str = ""
    checked: bool | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """The edit, the bytes that are gone, and the record for the archive."""

    edit: Edit
    removed: bytes
    record: Retired


def retire(
    data: bytes,
    ref: Ref,
    *,
    now: datetime,
    path: str = "",
    reason: str = "",
    scope: str = "user",
    actor: str = "mem retire",
    ours: bool = False,
) -> Removal:
    """The file without that entry, and without the blank line that only stood between it and the next.

    Args:
        path: what the archive calls the file.
        scope: `user` or `project`, for the type of an entry that neither comment nor heading tells.

    Raises:
        Usage: no such entry, or it is no list item.
        StaleWrite: see `locate`.
        Unreadable: without it another entry would become something else.
    """
    document = parse(data)
    item = locate(document, ref)
    if item.kind != "item":
        raise Usage(f"line {item.line} is no list item; only list items are retired", hint="remove it by hand")
    left, removed = cut(document, item)
    record = _record(document, item, ref, scope)
    whole = stamp(left, now=now, actor=actor) if ours else left
    edit = Edit(whole, record.meta.id or "", item.line, f"retire {record.meta.id}: {short(item.text)}")
    return Removal(edit, removed, replace(record, path=path, reason=reason))


def cut(document: Document, item: Item) -> tuple[bytes, bytes]:
    """The file without `item`, and what was taken out; Unreadable when another entry would change."""
    number = next(at for at, other in enumerate(document.items) if other is item)
    others = (*document.items[:number], *document.items[number + 1 :])
    for start, end, instead in _spans(document, item):
        left = splice(document.data, start, end, instead)
        if kept(others, parse(left).items):
            return left, document.data[item.start : item.end]
    raise Unreadable(f"line {item.line}: without this entry another one would change", hint="remove it by hand")


def _spans(document: Document, item: Item) -> Iterator[tuple[int, int, bytes]]:
    """The spans that may go, and what is left instead where the neighbours would run together: a blank line,
    or an empty comment, as Markdown has it between two lists."""
    data, start, end = document.data, item.start, item.end
    above = data[data.rfind(b"\n", 0, max(0, start - 1)) + 1 : start]
    below = data[end : data.find(b"\n", end) + 1]
    if start > Layout(document).body and above.endswith(b"\n") and not above.strip():
        if below and not below.strip():
            yield start, end + len(below), b""
        elif end == len(data):
            yield start - len(above), end, b""
    yield start, end, b""
    yield start, end, document.newline
    yield start, end, b"<!-- -->" + document.newline


def _record(document: Document, item: Item, ref: Ref, scope: str) -> Retired:
    eid = item.meta.id or (ref.id if isinstance(ref, Spot) else ref)
    if not eid:
        raise ValueError("the spot of an entry without a comment has to name its id")
    kind = item.meta.type or front_type(document) or heading_type(item.headings, scope)
    meta = replace(item.meta, id=eid, type=kind)
    return Retired(item.text, meta, line=item.line, headings=item.headings, checked=item.checked)

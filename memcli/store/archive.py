"""`archive/YYYY-MM.md`: the entries that were retired in a month, as ordinary list items that a person can read.

The comment of each has four keys more: `retired`, when; `reason`; `from`, `path:line`; `heading`, the headings that
were above it, joined by ` > `. A revived entry leaves the archive and loses them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from memcli import clock
from memcli.errors import Unreadable, Usage
from memcli.files.markdown import Item, parse
from memcli.store import wording
from memcli.store.add import typed
from memcli.store.draft import Draft, Edit, short
from memcli.store.layout import Layout
from memcli.store.place import Place, insert, put
from memcli.store.retire import Retired, cut
from memcli.store.stamp import stamp
from memcli.store.wording import Entry

KEYS = ("retired", "reason", "from", "heading")
PATH = " > "


def archive(data: bytes, records: Sequence[Retired], *, now: datetime) -> bytes:
    """The archive of the month of `now` with these entries at its end; `data` is b"" for a new one.

    Raises:
        Unreadable: the end of the file takes no entries.
    """
    if not records:
        return data
    document = parse(data or f"# Archive {now.astimezone(UTC):%Y-%m}\n".encode())
    layout = Layout(document)
    at = layout.content(layout.body, len(document.data))
    entries = [_kept(record, now) for record in records]
    rows = [row for entry in entries for row in wording.item(entry, "- ")]
    last = document.items[-1] if document.items else None
    glued = last is not None and last.kind == "item" and last.end == at
    new, _ = insert(layout, Place(at, "- ", (), above=not glued), rows)
    found = parse(new).items[-len(entries) :]
    if len(found) != len(entries) or not all(map(wording.says, found, entries)):
        raise Unreadable("the archive takes no entries at its end", hint="mem doctor")
    return new


def revive(data: bytes, entry_id: str) -> tuple[Retired, bytes]:
    """The entry with that id, the last one retired if there are several, and the archive without it.

    Raises:
        Usage: the archive has no such entry.
        Unreadable: without it another entry would become something else.
    """
    document = parse(data)
    item = next((item for item in reversed(document.items) if item.meta.id == entry_id and item.kind == "item"), None)
    if item is None:
        raise Usage(f"this archive has no entry with the id {entry_id}")
    return _record(item), cut(document, item)[0]


def put_back(data: bytes, record: Retired, *, now: datetime, actor: str = "mem restore", ours: bool = False) -> Edit:
    """The file with that entry in the section it was in (made if missing), with its id, dates and version.

    Nothing changes when an entry of the file has that id. Errors as `add`.
    """
    document = parse(data)
    here = next((item for item in document.items if item.meta.id == record.meta.id), None)
    eid = record.meta.id or ""
    if here is not None:
        return Edit(data, eid, here.line, f"already there: {short(here.text)}")
    section = PATH.join(record.headings) if record.headings and record.headings[-1] else None
    draft = Draft(record.text, type=record.meta.type if section is None else None, section=section)
    said = wording.tame(record.text)
    placed = put(document, draft, lambda path: Entry(said, typed(record.meta, document, path), record.checked))
    whole = stamp(placed.data, now=now, actor=actor) if ours else placed.data
    return Edit(whole, eid, placed.item.line, f"restore {eid}: {short(said)}")


def _kept(record: Retired, now: datetime) -> Entry:
    place = f"{record.path}:{record.line}" if record.path else ""
    values = (clock.render(now), record.reason, place, PATH.join(record.headings))
    ours = tuple((key, _whole(value)) for key, value in zip(KEYS, values, strict=True) if value)
    extra = tuple(pair for pair in record.meta.extra if pair[0] not in KEYS)
    return Entry(wording.tame(record.text), replace(record.meta, extra=(*extra, *ours)), record.checked)


def _record(item: Item) -> Retired:
    said = {key: value for key, value in item.meta.extra if key in KEYS}
    meta = replace(item.meta, extra=tuple(pair for pair in item.meta.extra if pair[0] not in KEYS))
    path, _, line = said.get("from", "").rpartition(":")
    headings = tuple(said["heading"].split(PATH)) if "heading" in said else ()
    number = int(line) if line.isascii() and line.isdigit() else 0
    return Retired(item.text, meta, path, number, headings, said.get("reason", ""), item.checked)


def _whole(value: str) -> str:
    """`value` as a file can hold it."""
    return value.encode("utf-8", "replace").decode().replace("\0", "")

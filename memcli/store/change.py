"""One entry changed in place: its words, its metadata, or how sure it is. No other line of the file is touched.

Only list items are changed. A paragraph, a row of a table and a block of code are a person's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from memcli.entry import Meta
from memcli.errors import Unreadable, Usage
from memcli.files.markdown import Document, Item, parse, splice
from memcli.store import wording
from memcli.store.add import tidy, typed
from memcli.store.draft import Edit, check, short
from memcli.store.find import Ref, Spot, locate
from memcli.store.pair import keep_key, with_value
from memcli.store.parts import Parts, split
from memcli.store.place import kept
from memcli.store.stamp import stamp
from memcli.store.wording import Entry

_BOX = re.compile(r"\[([ xX])\][ \t]+(?=\S)")

Expiry: TypeAlias = "datetime | Literal['never'] | None"


def change(
    data: bytes,
    ref: Ref,
    *,
    text: str | None = None,
    value: str | None = None,
    tags: Sequence[str] | None = None,
    conf: float | None = None,
    expires: Expiry = None,
    type: str | None = None,
    src: Sequence[str] | None = None,
    now: datetime,
    actor: str = "mem edit",
    ours: bool = False,
) -> Edit:
    """The file with that entry changed; what is None stays. A change counts `v` up and sets `updated`.

    An entry without a comment gets one, with the id of its spot.

    Args:
        text: the new words. One paragraph takes the place of the first one, and nested items and fences below it stay;
            a text with items or fences of its own takes the place of all. A checkbox stays, unless the text begins
            with one, and so does the way a key is written (`**Port**: `) when the key is the same.
        value: of a `key: value` entry, the new value.
        expires: "never" takes the expiry away.

    Raises:
        Usage: no such entry, one that is no list item, one that is not `key: value`; no such type or confidence.
        StaleWrite: see `locate`.
        Unreadable: the change would alter other entries.
    """
    check(type, conf)
    document = parse(data)
    item = _item(document, ref)
    words = with_value(item.text, value) if value is not None else text
    new, checked = _said(item, words)
    meta = _changed(item.meta, tags, conf, expires, type, src)
    if type is not None:
        meta = typed(meta, document, item.headings)
    same = new in (None, item.text, wording.head(item.text)) and checked == item.checked
    if same and meta == item.meta:
        return Edit(data, _id(item, ref), item.line, f"nothing to change: {short(item.text)}")
    meta = replace(meta, id=_id(item, ref), v=(item.meta.v or 1) + 1, updated=_second(now))
    item = replace(item, checked=checked)
    return _edit(document, item, new, _settled(meta), "change", now, actor if ours else "")


def confirm(data: bytes, ref: Ref, *, now: datetime, actor: str = "mem confirm", ours: bool = False) -> Edit:
    """The file with that entry confirmed at `now`: half of what its confidence lacks is added, and `updated` is set.

    `conf' = 1 - (1 - conf) / 2`, to two digits, so .8 becomes .9, .95, .97 and so on up to .99: what
    was concluded is never certain, as what a person wrote is. A confidence of 1 stays, as does none.
    What it says is not changed, so `v` stays. Errors as `change`.
    """
    document = parse(data)
    item = _item(document, ref)
    conf = item.meta.conf
    surer = None if conf is None else max(conf, round(1 - (1 - conf) / 2, 2))
    meta = replace(item.meta, id=_id(item, ref), conf=surer, updated=_second(now))
    return _edit(document, item, None, _settled(meta), "confirm", now, actor if ours else "")


def _edit(document: Document, item: Item, text: str | None, meta: Meta, verb: str, now: datetime, actor: str) -> Edit:
    """The edit that makes `item` say `text` (None: what it says) with `meta`; `actor` is "" in a foreign file."""
    parts = split(document, item)
    entry = Entry(item.text if text is None else wording.under(text, item.text), meta, item.checked)
    number = next(at for at, other in enumerate(document.items) if other.start == item.start)
    spans = list(_spans(parts, entry, text, document.newline))
    # With a blank line below what stands there cannot run on in the new words.
    for span in (*spans, *(span + document.newline for span in spans if parts.end)):
        data = splice(document.data, item.start, item.end, span)
        if _only(document.items, parse(data).items, number, entry):
            whole = stamp(data, now=now, actor=actor) if actor else data
            return Edit(whole, meta.id or "", item.line, f"{verb} {meta.id}: {short(entry.text)}")
    raise Unreadable(f"line {item.line}: this change would alter other entries", hint="change it by hand")


def _only(old: tuple[Item, ...], new: tuple[Item, ...], number: int, entry: Entry) -> bool:
    """Whether that item says what `entry` says now, and all others are what they were."""
    if len(old) != len(new) or not wording.says(new[number], entry):
        return False
    return kept((*old[:number], *old[number + 1 :]), (*new[:number], *new[number + 1 :]))


def _spans(parts: Parts, entry: Entry, text: str | None, newline: bytes) -> Iterator[bytes]:
    """The bytes that the entry may become, from those that change least to those that are written anew."""
    if text is None:
        yield from parts.commented(entry.meta)
    elif entry.text != text or not wording.blocks(text):
        yield parts.reworded(text, entry.meta, newline)
    lines = wording.item(entry, parts.prefix)
    yield newline.join(line.encode() for line in lines) + parts.end


def _said(item: Item, words: str | None) -> tuple[str | None, bool | None]:
    """What an item is to say, and the state of its checkbox; None for words: what it says."""
    if words is None:
        return None, item.checked
    text = wording.clean(words)
    box = _BOX.match(text) if item.checked is not None else None
    if box is not None:
        return keep_key(item.text, text[box.end() :]), box[1] != " "
    return keep_key(item.text, text), item.checked


def _item(document: Document, ref: Ref) -> Item:
    item = locate(document, ref)
    if item.kind != "item":
        raise Usage(f"line {item.line} is no list item; only list items are changed", hint="change it by hand")
    return item


def _id(item: Item, ref: Ref) -> str:
    known = item.meta.id or (ref.id if isinstance(ref, Spot) else ref)
    if not known:
        raise ValueError("the spot of an entry without a comment has to name its id")
    return known


def _changed(
    meta: Meta,
    tags: Sequence[str] | None,
    conf: float | None,
    expires: Expiry,
    kind: str | None,
    src: Sequence[str] | None,
) -> Meta:
    if tags is not None:
        meta = replace(meta, tags=tidy(tags))
    if conf is not None and conf != (1.0 if meta.conf is None else meta.conf):
        meta = replace(meta, conf=conf)
    if expires is not None:
        meta = replace(meta, expires=None if expires == "never" else expires.astimezone(UTC))
    if src is not None:
        meta = replace(meta, src=tidy(src))
    return meta if kind is None else replace(meta, type=kind)


def _settled(meta: Meta) -> Meta:
    """`meta` without what a known key could not mean, where that key now has a value."""
    return replace(meta, extra=tuple(pair for pair in meta.extra if getattr(meta, pair[0], None) in (None, ())))


def _second(now: datetime) -> datetime:
    return now.astimezone(UTC).replace(microsecond=0)

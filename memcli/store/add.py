"""One entry more, under the right heading and in the style of the file. What is there already is not written again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime, time

from memcli.entry import Meta
from memcli.files.heading import named_type
from memcli.files.identity import derived_id
from memcli.files.markdown import Document, Item, Problem, parse
from memcli.store import section, wording
from memcli.store.draft import Draft, Edit, check, short
from memcli.store.place import put
from memcli.store.stamp import stamp
from memcli.store.wording import Entry

# Of what is wrong in a file, that which a person has to know who sees it change.
_TOLD = ("unclosed", "broken front matter", "front matter has", "conflict marker")


def add(
    data: bytes, draft: Draft, *, now: datetime, new_id: Callable[[], str], ours: bool = False, place: str = ""
) -> Edit:
    """The file with the entry of `draft` in it.

    An entry with the same words (case, width and white space aside) that has not ended is found instead, and no byte
    changes. Every byte of the file stays; only lines are added. Its front matter changes when the file is `ours`.

    Args:
        new_id: gives the id of the new entry; called once, and only when there is one.
        ours: whether mem made this file; see `stamp.is_ours`.
        place: what the ids of entries without one are derived from, see `derived_id`; "": they have none.

    Raises:
        Usage: no text, no such type, a confidence outside of 0 to 1.
        Unreadable: no place in the file leaves its other entries as they are.
    """
    check(draft.type, draft.conf)
    text, document = wording.clean(draft.text), parse(data)
    told = tuple(problem for problem in document.problems if problem.what.startswith(_TOLD))
    known = twin(document, text, now)
    if known is not None:
        eid = known.meta.id or (derived_id(place, known.text, _nth(document, known)) if place else "")
        return Edit(
            data, eid, known.line, f"already there: {short(text)}", (Problem(known.line, "already there"), *told)
        )
    meta = _meta(draft, now, new_id())
    placed = put(document, draft, lambda path: Entry(text, typed(meta, document, path)))
    if placed.closed:
        told = (*told, Problem(placed.item.line, "the open block above was closed for the new entry"))
    whole = stamp(placed.data, now=now, actor="mem add") if ours else placed.data
    return Edit(whole, meta.id or "", placed.item.line, f"add {meta.id}: {short(text)}", told)


def twin(document: Document, text: str, now: datetime) -> Item | None:
    """The entry that says the same as `text` and is in force at `now`."""
    wanted = wording.folded(text)
    ended = {old for item in document.items for old in item.meta.supersedes}
    for item in document.items:
        over = item.meta.id in ended or (item.meta.expires is not None and item.meta.expires <= now)
        if item.kind in ("item", "prose") and not over and wording.folded(item.text) == wanted:
            return item
    return None


def typed(meta: Meta, document: Document, path: tuple[str, ...]) -> Meta:
    """`meta` without its type where the file or the headings of `path` say it already."""
    said = section.front_type(document) or named_type(path)
    return replace(meta, type=None) if meta.type == said else meta


def tidy(words: Iterable[str]) -> tuple[str, ...]:
    """`words` as the parts of a list in a comment, each once: no `#` before, nothing that a file cannot hold."""
    whole = (word.encode("utf-8", "replace").decode().replace("\0", "").strip().lstrip("#") for word in words)
    return tuple(dict.fromkeys(word for word in whole if word))


def day(now: datetime) -> datetime:
    """The day of `now` in UTC, as its midnight: what a comment writes as a date."""
    return datetime.combine(now.astimezone(UTC).date(), time(), UTC)


def _meta(draft: Draft, now: datetime, eid: str) -> Meta:
    return Meta(
        id=eid,
        type=draft.type,
        tags=tidy(draft.tags),
        conf=None if draft.conf == 1 else draft.conf,
        created=day(now),
        expires=draft.expires.astimezone(UTC) if draft.expires is not None else None,
        v=1,
        src=tidy(draft.src),
        supersedes=tidy(draft.supersedes),
    )


def _nth(document: Document, item: Item) -> int:
    """Which of the items with the same text `item` is, from 1."""
    return sum(other.text == item.text and other.start <= item.start for other in document.items)

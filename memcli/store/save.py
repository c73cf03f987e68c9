"""What is known under a key: its entry gets the new value, or is added."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from memcli.files.heading import heading_type
from memcli.files.markdown import Document, Item, parse
from memcli.store.add import add
from memcli.store.change import change
from memcli.store.draft import Draft, Edit
from memcli.store.find import spot
from memcli.store.pair import key, keyed
from memcli.store.section import front_type


def save(
    data: bytes,
    draft: Draft,
    value: str,
    *,
    now: datetime,
    new_id: Callable[[], str],
    scope: str = "user",
    ours: bool = False,
    place: str = "",
) -> Edit:
    """The file in which the key of `draft` (`**key**: value`) has that value.

    A list item of the same type with that key, in any spelling, keeps its key as it is written and gets the value;
    without one the draft is added. The value that is there already changes no byte. Errors as `add` and `change`.

    Args:
        value: the value of the draft alone.
        scope: `user` or `project`, for the type of entries that neither comment nor heading tells.
    """
    document = parse(data)
    known = keyed(document, key(draft.text))
    if known is None or _type(document, known, scope) != draft.type:
        return add(data, draft, now=now, new_id=new_id, ours=ours, place=place)
    where = spot(document, known, known.meta.id or new_id())
    return change(data, where, value=value, now=now, actor="mem save", ours=ours)


def _type(document: Document, item: Item, scope: str) -> str:
    return item.meta.type or front_type(document) or heading_type(item.headings, scope)

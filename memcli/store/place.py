"""Where in a file an entry goes, and the file with the entry there.

The first place at which every other entry stays what it was wins; places are tried from the neatest to the safest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from memcli.errors import Unreadable
from memcli.files.frontmatter import BOM
from memcli.files.markdown import Document, Item, parse
from memcli.store import section, wording
from memcli.store.draft import Draft
from memcli.store.layout import Layout
from memcli.store.section import TOP, Title
from memcli.store.wording import Entry


@dataclass(frozen=True, slots=True)
class Place:
    """A place for a new item.

    Attributes:
        at: the offset, at the beginning of a line or the end of the file.
        prefix: what the item begins with.
        headings: the path of headings that it will have.
        above, below: whether a blank line belongs above and below it, when something stands there.
        title: the lines of a heading that is to be made above it.
    """

    at: int
    prefix: str
    headings: tuple[str, ...]
    above: bool = True
    below: bool = False
    title: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Placed:
    """A file with a new item, the item, and whether something that had no end had to be closed above it."""

    data: bytes
    item: Item
    closed: bool


def put(document: Document, draft: Draft, entry: Callable[[tuple[str, ...]], Entry]) -> Placed:
    """The file with one entry more, in the section that `draft` names or belongs in.

    Args:
        entry: what the item says below the path of headings that it is given.

    Raises:
        Usage: the text cannot be one entry.
        Unreadable: no place in this file leaves all other entries as they are.
    """
    layout = Layout(document)
    for place in _places(layout, draft):
        said = entry(place.headings)
        data, closed = insert(layout, place, wording.item(said, place.prefix))
        number = sum(item.start < place.at for item in document.items)
        items = parse(data).items
        new = items[number] if number < len(items) else None
        if new is None or not wording.says(new, said) or new.headings != place.headings:
            continue
        if kept(document.items, (*items[:number], *items[number + 1 :]), closed=closed):
            return Placed(data, new, closed)
    raise Unreadable("no place in this file leaves its other entries as they are", hint="mem doctor")


def _places(layout: Layout, draft: Draft) -> Iterator[Place]:
    at = section.find(layout, draft)
    if at is not None:
        yield from _under(layout, at)
        title = Title(layout.path(at)[-1], layout.headings[at].level) if at != TOP else section.new(layout, draft)
    else:
        title = section.new(layout, draft)
    if title.after is not None:
        yield _made(layout, title)
    yield _made(layout, replace(title, after=None))


def _under(layout: Layout, at: int) -> Iterator[Place]:
    """Places in the section of heading `at`: after its last item, else after what else it holds."""
    start, end = layout.part(at)
    home = layout.region(start)
    own = [item for item in layout.items if start <= item.start < end and layout.region(item.start + 1) == home]
    path = layout.path(at)
    stop = layout.content(start, end)
    if own:
        first = Place(own[-1].end, layout.prefix(own[-1]), path, above=layout.loose(own[-1]))
        yield from (first, replace(first, below=True), replace(first, above=True, below=True))
    tight = not own and stop == start and at != TOP and not layout.spaced
    place = Place(layout.outside(stop, home), layout.prefix(None), path, above=not tight, below=not tight)
    yield from (place, replace(place, below=False), replace(place, above=True, below=True))
    yield Place(layout.content(start, end, rules=False), "- ", path, below=True)


def _made(layout: Layout, title: Title) -> Place:
    """A place under a new heading."""
    start, end = (layout.body, len(layout.data)) if title.after is None else layout.subtree(title.after)
    inner = layout.region(start) if title.after is not None else None
    at = layout.outside(layout.content(start, end, rules=title.after is not None), inner)
    rows = (*section.rows(layout, title), *([""] if layout.spaced else []))
    return Place(at, layout.prefix(None), _path(layout, at, title), below=True, title=rows)


def _path(layout: Layout, at: int, title: Title) -> tuple[str, ...]:
    """The path of headings below a new one at `at`."""
    over: list[tuple[int, str]] = []
    for heading in layout.headings:
        if heading.start < at:
            over = [pair for pair in over if pair[0] < heading.level] + [(heading.level, heading.text)]
    return (*(text for level, text in over if level < title.level), title.text)


def insert(layout: Layout, place: Place, item: list[str]) -> tuple[bytes, bool]:
    """The file with the lines at the place, and whether an open block had to be closed above them."""
    document, newline = layout.document, layout.document.newline
    head, tail = layout.data[: place.at], layout.data[place.at :]
    closed = bool(document.closer) and not tail.strip()
    lines = [line.encode() for line in (*place.title, *item)]
    before = [document.closer] if closed else []
    standing = place.at > layout.body and head[head.rfind(b"\n", 0, -1) + 1 :].strip()
    if place.above and (standing or closed):
        before.append(b"")
    after = [b""] if place.below and tail.partition(b"\n")[0].strip() else []
    new = newline.join([*before, *lines, *after]) + newline
    if head.removeprefix(BOM) and not head.endswith(b"\n"):
        new = newline + new
    if not tail and not document.final_newline:
        new = new.removesuffix(newline)
    return head + new + tail, closed


def kept(old: tuple[Item, ...], new: tuple[Item, ...], *, closed: bool = False) -> bool:
    """Whether items are what they were; what is closed below may show its end, being raw HTML."""
    if len(old) != len(new):
        return False
    same = [_content(one) == _content(other) for one, other in zip(old, new, strict=True)]
    if closed and same and not same[-1] and old[-1].kind == "code":
        same[-1] = new[-1].text.startswith(old[-1].text)
    return all(same)


def _content(item: Item) -> tuple[object, ...]:
    return item.kind, item.text, item.headings, item.meta, item.checked, item.context

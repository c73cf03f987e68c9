"""The section an entry belongs in: one that the file has, in whatever language or spelling, or a new heading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from unicodedata import east_asian_width

from memcli.files import heading
from memcli.files.heading import HEADINGS, NAMES, named_type
from memcli.files.markdown import Document
from memcli.store import wording
from memcli.store.draft import Draft
from memcli.store.layout import TOOL, Layout
from memcli.text import is_han

TOP = -1  # above the first heading
# Cues that say the type of what stands below but are no reason to put more there: "Code style", "Error handling".
WEAK = frozenset(
    "style user docs link status roadmap architecture project error bug adr decided 用户 项目 进度 架构 链接 资料 习惯".split()
)
_MARKS = re.compile(r"^#{1,6}(?: |$)|(?:^| )#+$")
LONG = 4  # words; a longer heading is about one matter, not about all of its type
KNOWN = frozenset(name for _, same in NAMES for name in same)


@dataclass(frozen=True, slots=True)
class Title:
    """A heading to be made: its text, its level, and the heading (by number) that it stands below or after."""

    text: str
    level: int
    after: int | None = None  # None: at the end of the file


def front_type(document: Document) -> str:
    """The type that the front matter gives all entries of a file, or ""."""
    front = document.front
    return (front.get("type") or front.get("metadata", "type")) if front is not None else ""


def find(layout: Layout, draft: Draft) -> int | None:
    """The heading that a draft goes under, TOP for none, or None when one has to be made."""
    if _asked(draft):
        return _named(layout, _asked(draft))
    free = draft.type is None or draft.type == front_type(layout.document)
    if not layout.headings and (free or layout.items or layout.data[layout.body :].strip()):
        return TOP
    return _open(layout) if free else _typed(layout, draft.type or "")


def new(layout: Layout, draft: Draft) -> Title:
    """The heading to make for a draft that has no section yet."""
    names = [part.strip() for part in _asked(draft).split(" > ")]
    han = any(map(is_han, draft.text)) if layout.han is None else layout.han
    text = names[-1] or heading.title(draft.type or "", han=han)
    outer = _named(layout, " > ".join(names[:-1])) if len(names) > 1 else None
    if outer is not None:
        return Title(text, min(6, layout.headings[outer].level + 1), outer)
    alike = [at for at, head in enumerate(layout.headings) if heading.name(head.text) in KNOWN and _usable(layout, at)]
    alike = [at for at in alike if not _is_title(layout, at)]
    if alike:
        level = min(layout.headings[at].level for at in alike)
        last = max(at for at in alike if layout.headings[at].level == level)
        return Title(text, level, last)
    return Title(text, _level(layout))


def _asked(draft: Draft) -> str:
    """The section that a draft names, as a heading can say it: one line, no marks of a heading, no comment."""
    line = " ".join(wording.tame(draft.section or "").split()).replace("<!--", "&lt;!--")
    return _MARKS.sub("", line)


def rows(layout: Layout, title: Title) -> list[str]:
    """The lines of a new heading, in the style of the file."""
    if layout.setext and title.level <= 2 and title.text[:1].isalpha():
        width = sum(2 if east_asian_width(char) in "WF" else 1 for char in title.text)
        return [title.text, ("=" if title.level == 1 else "-") * max(4, width)]
    return [f"{'#' * title.level} {title.text}"]


def _named(layout: Layout, section: str) -> int | None:
    """The last heading with that path; one of the very name before one that means the same."""
    *outer, last = (part.strip() for part in section.split(" > "))
    for same in (heading.names(last)[:1], heading.names(last)):
        for at in range(len(layout.headings) - 1, -1, -1):
            if heading.name(layout.headings[at].text) in same and _usable(layout, at) and _below(layout, at, outer):
                return at
    return None


def _below(layout: Layout, at: int, outer: list[str]) -> bool:
    """Whether heading `at` stands below headings that mean `outer`, in that order."""
    path = iter(heading.name(text) for text in layout.path(at)[:-1])
    return not outer or all(any(text in heading.names(name) for text in path) for name in outer)


def _typed(layout: Layout, kind: str) -> int | None:
    """The heading for a type: one of its names, the highest and last of them; else the first that has a strong cue."""
    usable = [at for at in range(len(layout.headings)) if _usable(layout, at)]
    for named, same in NAMES:
        if named == kind:
            exact = [at for at in usable if heading.name(layout.headings[at].text) in same]
            if exact:
                return min(exact, key=lambda at: (layout.headings[at].level, -at))
    return next((at for at in usable if not _is_title(layout, at) and _cued(layout.headings[at].text, kind)), None)


def _cued(text: str, kind: str) -> bool:
    name = heading.name(text)
    cues = next((cues for named, cues in HEADINGS if named == kind), ())
    strong = any(cue in name for cue in cues if cue not in WEAK)
    return strong and len(name.split()) <= LONG and named_type((text,)) == kind


def _open(layout: Layout) -> int | None:
    """The last heading that gives its entries no type, TOP in a list that stands above all of them."""
    for at in range(len(layout.headings) - 1, -1, -1):
        if (
            not named_type(layout.path(at))
            and _usable(layout, at)
            and not (_is_title(layout, at) and _hollow(layout, at))
        ):
            return at
    start, end = layout.part(TOP)
    return TOP if any(start <= item.start < end for item in layout.items) else None


def _usable(layout: Layout, at: int) -> bool:
    """Whether entries may be written under a heading: not within a block that another tool rewrites, nor a conflict."""
    return layout.region(layout.headings[at].start + 1, TOOL, "conflict") is None


def _is_title(layout: Layout, at: int) -> bool:
    """Whether a heading is the title of the whole file: the first and only one of level 1, with others below."""
    heads = layout.headings
    return at == 0 and len(heads) > 1 and heads[0].level == 1 and all(head.level > 1 for head in heads[1:])


def _hollow(layout: Layout, at: int) -> bool:
    start, end = layout.part(at)
    return not any(start <= item.start < end for item in layout.items)


def _level(layout: Layout) -> int:
    """The level of a new heading in a file whose headings are of other kinds."""
    heads = layout.headings
    alone = len(heads) == 1 and heads[0].level == 1
    return min((head.level for at, head in enumerate(heads) if not alone and not _is_title(layout, at)), default=2)

"""What a Markdown file holds: headings and items, each a span of whole lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from memcli.entry import Meta

Kind: TypeAlias = Literal["item", "prose", "row", "code", "file"]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level (1 to 6), its text, its byte span (whole lines, end exclusive) and first line (1-based)."""

    level: int
    text: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a file.

    Attributes:
        kind: "item" is a top-level list item with all that is nested in it, "prose" a paragraph or a quote, "row" one
            row of a table, "code" a block of code that stands alone, "file" the name and description of a topic file.
        start, end: the byte span of its whole lines, end exclusive, without the blank lines after it.
        line, last: its first and its last line, 1-based.
        text: what people search and read, see `plain`.
        headings: the headings above it, outermost first.
        meta: from its comment; of a "file" from the front matter.
        checked: the state of its checkbox, None without one.
        context: of a "row" the header of its table, else "".
    """

    kind: Kind
    start: int
    end: int
    line: int
    last: int
    text: str
    headings: tuple[str, ...]
    meta: Meta
    checked: bool | None = None
    context: str = ""

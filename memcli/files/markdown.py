"""Markdown bytes to entries as byte spans, and the edit of one span.

Nothing is ever rendered anew: a document renders to the bytes it was read from, an edit replaces one span and leaves
every other byte where it was. What readers do not see (comments, the markers of a merge conflict) is no entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memcli.files import frontmatter
from memcli.files.frontmatter import BOM, Front
from memcli.files.item import Heading, Item
from memcli.files.reader import Reader
from memcli.files.scan import Problem

__all__ = ["Document", "Heading", "Item", "Problem", "parse", "splice"]

# Zero-width space, invisible operators, bidirectional overrides and isolates, a byte order mark within the text, and
# tag characters: they show nothing and can hide text from a person. Joiners, variation selectors and the plain
# direction marks have honest uses; so have tags in the flags of England, Scotland and Wales, matched first.
_HIDDEN = re.compile(
    rb"\xf0\x9f\x8f\xb4(?:\xf3\xa0[\x80\x81][\x80-\xbf])+"
    rb"|\xe2\x80[\x8b\xaa-\xae]|\xe2\x81[\xa0-\xa4\xa6-\xa9]|\xef\xbb\xbf|\xf3\xa0[\x80\x81][\x80-\xbf]"
)


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file.

    Attributes:
        items, headings: in the order of the file; the spans of the items are disjoint.
        front: its front matter, None without any.
        newline: the line end that most lines have.
        final_newline: whether the last line has one; so has an empty file.
        closer: what has to be written before an appended line is Markdown of its own: the end of an unclosed fence,
            comment or raw HTML; b"" when nothing is open.
        problems: in the order of their lines.
    """

    data: bytes
    items: tuple[Item, ...]
    headings: tuple[Heading, ...]
    front: Front | None
    newline: bytes
    final_newline: bool
    closer: bytes
    problems: tuple[Problem, ...]

    def render(self) -> bytes:
        """The bytes of the file, exactly."""
        return self.data


def parse(data: bytes) -> Document:
    """The document in `data`, whatever bytes these are."""
    front = frontmatter.read(data)
    reader = Reader(data, front)
    reader.run()
    problems = [*(front.problems if front is not None else ()), *reader.problems, *_suspects(data)]
    return Document(
        data=data,
        items=tuple(reader.items),
        headings=tuple(reader.headings),
        front=front,
        newline=b"\r\n" if data.count(b"\r\n") * 2 > data.count(b"\n") else b"\n",
        final_newline=not data or data.endswith(b"\n"),
        closer=reader.closer,
        problems=tuple(sorted(problems, key=lambda problem: problem.line)),
    )


def splice(data: bytes, start: int, end: int, new: bytes) -> bytes:
    """`data` with `new` in place of its bytes from `start` to `end`; ValueError for a span that it does not have."""
    if not 0 <= start <= end <= len(data):
        raise ValueError(f"no span of {len(data)} bytes: {start} to {end}")
    return b"".join((data[:start], new, data[end:]))


def _suspects(data: bytes) -> Iterator[Problem]:
    """A problem for the first NUL, the first byte that is no UTF-8, and the first of each hidden character."""
    if (nul := data.find(b"\0")) >= 0:
        yield Problem(_line(data, nul), "NUL byte")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        yield Problem(_line(data, error.start), "not UTF-8")
    seen: set[bytes] = set()
    for found in _HIDDEN.finditer(data, len(BOM) if data.startswith(BOM) else 0):
        sign = found[0]
        if sign not in seen and sign[0] != 0xF0:
            seen.add(sign)
            yield Problem(_line(data, found.start()), f"hidden character U+{ord(sign.decode()):04X}")


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1

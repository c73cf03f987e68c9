"""Lines to top-level blocks, blocks to items and headings."""

from __future__ import annotations

import io
import re

from memcli import clock
from memcli.entry import TYPES, Meta
from memcli.files import plain
from memcli.files.frontmatter import BOM, Front
from memcli.files.item import Heading, Item, Kind
from memcli.files.scan import Line, Problem, Scanner

# What a block at the top level is called by its first line; "" are those without text of their own.
_BLOCKS = {
    Line.TEXT: "text",
    Line.HEADING: "heading",
    Line.FENCE: "fence",
    Line.CODE: "code",
    Line.COMMENT: "comment",
    Line.RAW: "raw",
}
_KINDS: dict[str, Kind] = {
    "item": "item",
    "text": "prose",
    "quote": "prose",
    "comment": "prose",
    "table": "row",
    "row": "row",
    "fence": "code",
    "code": "code",
    "raw": "code",
}
_MARK = re.compile(r"[ \t]*(#{1,6})[ \t]*")


class Reader:
    """Reads one file; after `run` it has the items, the headings, the problems and the closer of its document."""

    def __init__(self, data: bytes, front: Front | None) -> None:
        self.items: list[Item] = []
        self.headings: list[Heading] = []
        self.problems: list[Problem] = []
        self.closer = b""
        self._data = data
        self._scanner = Scanner()
        self._levels: list[int] = []
        self._path: tuple[str, ...] = ()
        # The open block: its name, its span, its lines.
        self._name = ""
        self._start = self._end = self._line = self._last = 0
        self._conflict = False  # a marker of a merge conflict lies in it
        self._header = ""  # of the table that is open
        self._from = len(BOM) if data.startswith(BOM) else 0
        if front is not None:
            self._from, self._scanner.line = front.end, front.lines
            self._file(front)

    def run(self) -> None:
        """Reads to the end."""
        feed, scanner = self._scanner.feed, self._scanner
        stream = io.BytesIO(self._data)
        at = before = stream.seek(self._from)
        for raw in stream:
            kind = feed(raw.rstrip(b"\r\n"))
            if scanner.fresh:
                self._flush()
                self._open(scanner.top or _BLOCKS.get(kind, ""), at, scanner.line)
            elif kind == Line.CONFLICT:
                self._conflict = True
            elif not scanner.top and kind in (Line.UNDERLINE, Line.DELIMITER, Line.ROW):
                self._turn(kind, raw, before, at)
            before, at = at, at + len(raw)
            if kind:
                self._end, self._last = at, scanner.line
        self.closer = scanner.close()
        self._flush()
        self.problems = scanner.problems

    def _open(self, name: str, at: int, line: int) -> None:
        self._name, self._start, self._line = name, at, line
        self._conflict = False

    def _turn(self, kind: Line, raw: bytes, before: int, at: int) -> None:
        """A line at `at` that makes a title or a table of the paragraph, or goes on with the table."""
        line = self._scanner.line
        if kind == Line.UNDERLINE:
            self._title(1 if raw.lstrip().startswith(b"=") else 2, at + len(raw))
        elif kind == Line.ROW:
            if self._name == "row":
                self._flush()
            self._open("row", at, line)
        else:
            if before > self._start:
                self._end, self._last = before, line - 2
                self._flush()
            self._header = plain.prose(self._text(before, at))
            self._open("table", before, line - 1)

    def _text(self, start: int, end: int) -> str:
        """The source from `start` to `end`, without the markers of a conflict."""
        source = plain.decode(self._data[start:end])
        return plain.unmarked(source) if self._conflict else source

    def _title(self, level: int, end: int) -> None:
        """Ends the open paragraph as a heading whose underline ends at `end`."""
        text, meta = plain.uncomment(plain.prose(self._text(self._start, self._end)))
        # Several lines over dashes are most often a note with a rule glued to it: let it be found, too.
        if "\n" in text:
            self._add("text", text, meta)
        self._head(level, text.replace("\n", " "), end)
        self._name = ""

    def _flush(self) -> None:
        """Ends the open block."""
        name, self._name = self._name, ""
        if not name:
            return
        source = self._text(self._start, self._end)
        if name == "heading":
            mark = _MARK.match(source)
            title = source[mark.end() :] if mark is not None else source
            self._head(len(mark[1]) if mark is not None else 1, _bare(plain.uncomment(title)[0]), self._end)
        elif name in ("fence", "code", "raw"):
            self._add(name, _CODE[name](source), plain.NO_META)
        elif name == "item":
            text, checked = plain.item(source)
            self._add(name, *plain.uncomment(text), checked)
        else:
            self._add(name, *plain.uncomment(_PROSE[name](source)))

    def _head(self, level: int, title: str, end: int) -> None:
        """Takes a heading into the path."""
        while self._levels and self._levels[-1] >= level:
            self._levels.pop()
        self._path = (*self._path[: len(self._levels)], title)
        self._levels.append(level)
        self.headings.append(Heading(level, title, self._start, end, self._line))

    def _add(self, name: str, text: str, meta: Meta, checked: bool | None = None) -> None:
        """An item, unless it has no text."""
        if text.strip():
            span = (self._start, self._end, self._line, self._last)
            context = self._header if name == "row" else ""
            self.items.append(Item(_KINDS[name], *span, text, self._path, meta, checked, context))

    def _file(self, front: Front) -> None:
        """The item of a topic file."""
        text = ": ".join(filter(None, (front.get("name"), front.get("description"))))
        if text:
            self.items.append(Item("file", front.start, front.end, 1, front.lines, text, (), _meta(front)))


def _bare(title: str) -> str:
    """`title` without the `#` that may close it; `C#` keeps its own."""
    title = title.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if bare[-1:] in ("", " ", "\t") else title


def _meta(front: Front) -> Meta:
    """The metadata of a topic file. Its type is at the top or under `metadata`, both are in use."""
    kind = front.get("type") or front.get("metadata", "type")
    tags = front.values.get("tags", "")
    words = tags.replace(",", " ").split() if isinstance(tags, str) else [tag for tag in tags if isinstance(tag, str)]
    return Meta(
        type=kind if kind in TYPES else None,
        tags=tuple(word.lstrip("#") for word in words),
        created=clock.parse(front.get("created")),
        updated=clock.parse(front.get("updated") or front.get("modified") or front.get("metadata", "modified")),
    )


def _head_row(source: str) -> str:
    """The text of a table that has no rows below its header."""
    return source.partition("\n")[0].strip()


def _after(source: str) -> str:
    """What stands behind a comment in its last line; an unclosed one hides all that follows."""
    return source.partition("-->")[2].strip()


_CODE = {"fence": plain.fence, "code": plain.code, "raw": plain.prose}
_PROSE = {"text": plain.prose, "quote": plain.quote, "row": plain.prose, "table": _head_row, "comment": _after}

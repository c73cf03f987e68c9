"""What each line of a Markdown file is: the block structure of CommonMark with tables, and no inline markup.

Why not a library: markdown-it-py, with its block rules alone, reads 1.6 MB/s of a realistic 5 MB file and takes 31
times its size (this scanner: 14 MB/s, one line at a time); it is the oracle of the tests. Departures from CommonMark:
- a line that is one tag (`<rules>`) stands alone: Markdown right below it counts, and `</rules>` ends a list;
- lines of a merge conflict (`<<<<<<< ours`) end every block;
- link reference definitions are text; only `\\n` ends a line, as for every tool that counts lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum


class Line(IntEnum):
    """What a line is, inside of all its list items and quotes."""

    BLANK = 0
    TEXT = 1
    HEADING = 2
    UNDERLINE = 3  # of a setext heading: the paragraph above it is the title
    FENCE = 4  # its first line
    FENCED = 5  # its content and its last line
    CODE = 6  # indented
    COMMENT = 7
    RAW = 8  # <pre>, <script>, <style>, <textarea>
    TAG = 9  # one tag alone
    RULE = 10
    DELIMITER = 11  # of a table: the line above it is the header
    ROW = 12
    CONFLICT = 13
    EMPTY = 14  # the mark of a quote or an item and nothing else


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong in a file: the line (1-based) and a few words for a person."""

    line: int
    what: str


# Deeper nesting is text, as markdown-it has it: every level reads the line again, and 30,000 dashes in one line would
# take half a minute.
MAX_DEPTH = 20

# The blocks that hide whatever follows until their own end.
_OPEN = {Line.FENCE: "unclosed fence", Line.COMMENT: "unclosed comment", Line.RAW: "unclosed raw HTML"}
_START = re.compile(
    rb" *(?:(?P<heading>#{1,6}(?= |$))"
    rb"|(?P<fence>`{3,}(?=[^`]*$)|~{3,})"
    rb"|(?P<quote>>)"
    rb"|(?P<rule>(?:\*(?: *\*){2,}|-(?: *-){2,}|_(?: *_){2,}) *$)"
    rb"|(?P<item>(?:[-+*]|\d{1,9}[.)])(?= |$))"
    rb"|(?P<html><)"
    rb"|(?P<text>[^ ]))?",
    re.DOTALL,
)
_CLOSE = re.compile(rb" {0,3}(`{3,}|~{3,}) *$")
_QUOTE = re.compile(rb" {0,3}> ?")
_UNDERLINE = re.compile(rb"(?:=+|-+) *$")
_RAW = re.compile(rb"<(pre|script|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_TAG = re.compile(rb"</?(?!(?:br|img|input|wbr)\b)[A-Za-z][\w.-]*(?::[\w.-]+)?(?:\s[^<>]*)?/?>\s*$", re.IGNORECASE)
_BLANK = re.compile(rb" *$")
_SPACES = re.compile(rb" *")
_DASHES = re.compile(rb" *:?-+:? *$")
_MARKS = {b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>"}


class Scanner:
    """Reads one line after the other; after `feed` it says where that line stands.

    Attributes:
        line: the number of the line, 1-based.
        fresh: the line begins a new top-level block.
        top: its top-level container: "item", "quote" or "".
        leaf: the innermost block that is open after it: TEXT, ROW, CODE, FENCE, COMMENT, RAW or BLANK for none.
        problems: merge conflicts, and each fence, comment or raw HTML that has no end of its own.
    """

    # fmt: off
    __slots__ = ("_above", "_closer", "_conflict", "_hollow", "_since", "_stack", "_tagged",
                 "fresh", "leaf", "line", "problems", "top")
    # fmt: on

    def __init__(self) -> None:
        self.line = 0
        self.fresh = False
        self.top = ""
        self.leaf = Line.BLANK
        self.problems: list[Problem] = []
        # One number a container: the columns that a list item takes from its lines, 0 for a quote.
        self._stack: list[int] = []
        self._hollow = False  # the innermost item has no content yet
        self._tagged = False  # no blank line since a tag
        self._conflict = False  # between <<<<<<< and >>>>>>>
        self._above = b""  # the paragraph's last line, when it may be the header of a table
        self._closer = b""  # what ends the open fence, comment or raw HTML
        self._since = 0  # where that began

    def feed(self, line: bytes) -> Line:
        """What `line`, without its line end, is."""
        self.line += 1
        self.fresh = False
        if line[:7] in _MARKS and self._marks(line):
            return Line.CONFLICT
        if not line or line.isspace():
            return self._blank()
        if b"\t" in line:
            line = line.expandtabs(4)
        depth, at = self._descend(line)
        if depth == len(self._stack) and self.leaf in _OPEN:
            return self._inside(line, at)
        return self._begin(line, depth, at)

    def close(self) -> bytes:
        """Ends the file. What an appended line would need above it to be Markdown of its own, b"" for nothing."""
        closer = self._closer if self.leaf in _OPEN and not self._stack else b""
        self._cut(0)
        return closer

    def _marks(self, line: bytes) -> bool:
        """Whether `line` is a conflict marker; it ends every block but code and comments at the top level."""
        sign = line[:1]
        if line[7:8] not in (b"", b" ") or (sign in b"|=" and not self._conflict):
            return False
        if sign == b"<" or not self._conflict:
            self.problems.append(Problem(self.line, "conflict marker"))
        self._conflict = sign != b">"
        if self._stack or self.leaf not in _OPEN:
            self._cut(0)
            self.fresh = True
        return True

    def _blank(self) -> Line:
        self._tagged = False
        if 0 in self._stack:
            self._cut(self._stack.index(0))
        elif self._hollow:
            self._cut(len(self._stack) - 1)
        elif self.leaf in (Line.TEXT, Line.ROW):
            self.leaf = Line.BLANK
        return Line.BLANK

    def _cut(self, depth: int) -> None:
        """Closes the open leaf and all containers from `depth` on."""
        if self.leaf in _OPEN:
            self.problems.append(Problem(self._since, _OPEN[self.leaf]))
        self.leaf, self._hollow = Line.BLANK, False
        del self._stack[depth:]
        if not depth:
            self.top = ""

    def _descend(self, line: bytes) -> tuple[int, int]:
        """How many of the open containers go on in `line`, and where their content starts."""
        at = 0
        for depth, width in enumerate(self._stack):
            if width:
                if not line.startswith(b" " * width, at):
                    return depth, at
                at += width
            else:
                quote = _QUOTE.match(line, at)
                if quote is None:
                    return depth, at
                at = quote.end()
        return len(self._stack), at

    def _inside(self, line: bytes, at: int) -> Line:
        """A line of an open fence, comment or raw HTML."""
        leaf = self.leaf
        if leaf == Line.FENCE:
            close = _CLOSE.match(line, at)
            if close is not None and close[1].startswith(self._closer):
                self.leaf = Line.BLANK
            return Line.FENCED
        if self._closer in line[at:].lower():
            self.leaf = Line.BLANK
        return leaf

    def _begin(self, line: bytes, depth: int, at: int) -> Line:
        """A line that may open containers and a block, or carry a paragraph or a table on."""
        own = depth == len(self._stack)  # the open leaf is a child of the innermost container that goes on
        if own:
            self._hollow = False
        while True:
            found = _START.match(line, at)
            kind = found.lastgroup if found is not None else None
            if found is None or kind is None:
                return self._empty(depth)
            start = found.start(kind)
            if depth >= MAX_DEPTH:
                return self._text(line, start, depth, own=own)
            if start - at >= 4 and (self._stack or not self._tagged):
                return self._code(depth, own=own)
            if own and self.leaf == Line.TEXT and line[start] in b"=-|:" and (under := self._under(line, start)):
                return under
            if kind == "quote" or (kind == "item" and self._opens(found, line, own=own)):
                at = self._push(kind, found, depth, at)
                depth, own = len(self._stack), True
                self._hollow = kind == "item" and _BLANK.match(line, at) is not None
                continue
            return self._leaf(kind, found, depth, own=own)

    def _leaf(self, kind: str, found: re.Match[bytes], depth: int, *, own: bool) -> Line:
        """The block of a line whose containers are known."""
        line, start = found.string, found.start(kind)
        if kind == "heading":
            return self._single(Line.HEADING, depth)
        if kind == "rule":
            return self._single(Line.RULE, depth)
        if kind == "fence":
            return self._long(Line.FENCE, depth, found["fence"])
        if kind == "html" and (html := self._html(line, start, depth)):
            return html
        return self._text(line, start, depth, own=own)

    def _empty(self, depth: int) -> Line:
        hollow = self._hollow
        self._cut(depth)
        self._hollow = hollow
        return Line.EMPTY

    def _single(self, kind: Line, depth: int) -> Line:
        self._cut(depth)
        self.fresh = self.fresh or not self._stack
        return kind

    def _long(self, kind: Line, depth: int, closer: bytes) -> Line:
        self._single(kind, depth)
        self.leaf, self._closer, self._since = kind, closer, self.line
        return kind

    def _html(self, line: bytes, start: int, depth: int) -> Line | None:
        """A comment, raw HTML, or a tag alone in its line."""
        raw = _RAW.match(line, start)
        if line.startswith(b"<!--", start) or raw is not None:
            closer = b"</" + raw[1].lower() + b">" if raw is not None else b"-->"
            kind = self._long(Line.COMMENT if raw is None else Line.RAW, depth, closer)
            if closer in line[start:].lower():
                self.leaf = Line.BLANK
            return kind
        if _TAG.match(line, start) is None:
            return None
        self._tagged = True
        return self._single(Line.TAG, depth)

    def _text(self, line: bytes, start: int, depth: int, *, own: bool) -> Line:
        if own and self.leaf == Line.ROW:
            return Line.ROW
        if self.leaf != Line.TEXT:
            self._single(Line.TEXT, depth)
            self.leaf = Line.TEXT
        # A paragraph goes on in a line that lacks the marks of its containers, but such a line heads no table.
        self._above = line[start:] if b"|" in line and depth == len(self._stack) else b""
        return Line.TEXT

    def _code(self, depth: int, *, own: bool) -> Line:
        """A line indented by four columns or more: code, unless a paragraph is open."""
        if self.leaf == Line.TEXT:
            self._above = b""
            return Line.TEXT
        if not (own and self.leaf == Line.CODE):
            self._single(Line.CODE, depth)
            self.leaf = Line.CODE
        return Line.CODE

    def _under(self, line: bytes, start: int) -> Line | None:
        """What `line` makes of the paragraph above it: a title, the header of a table, or nothing."""
        if _UNDERLINE.match(line, start):
            self.leaf = Line.BLANK
            return Line.UNDERLINE
        if self._above and 0 < _cells(line[start:], delimiter=True) == _cells(self._above):
            self.leaf = Line.ROW
            return Line.DELIMITER
        return None

    def _opens(self, found: re.Match[bytes], line: bytes, *, own: bool) -> bool:
        """Whether a list marker begins an item: in the middle of a paragraph only with text, and only with a 1."""
        if not own or self.leaf != Line.TEXT:
            return True
        return found["item"] in (b"-", b"+", b"*", b"1.", b"1)") and _BLANK.match(line, found.end()) is None

    def _push(self, kind: str, found: re.Match[bytes], depth: int, at: int) -> int:
        """Opens a container. Where its content starts."""
        self._cut(depth)
        if not self._stack:
            self.fresh, self.top = True, kind
        if kind == "quote":
            self._stack.append(0)
            return found.end() + found.string.startswith(b" ", found.end())
        room = _SPACES.match(found.string, found.end())
        spaces = len(room[0]) if room is not None and room.end() < len(found.string) else 0
        # Five spaces or more: the item begins with indented code.
        end = found.end() + (spaces if 0 < spaces < 5 else 1)
        self._stack.append(end - at)
        return end


def _cells(row: bytes, *, delimiter: bool = False) -> int:
    """The number of cells in a row of a table; 0 when it has no `|`, or is not the wanted row of dashes."""
    row = row.strip()
    piped = b"|" in row
    row = row.replace(b"\\|", b"")
    cells = row.removeprefix(b"|").removesuffix(b"|").split(b"|")
    if delimiter:
        return len(cells) if all(_DASHES.match(cell) for cell in cells) else 0
    return len(cells) if piped else 0

"""How a file is laid out: its sections, the regions that hold together, and the habits of the one who writes it."""

from __future__ import annotations

import re
from functools import cached_property

from memcli.files.frontmatter import BOM
from memcli.files.markdown import Document, Heading, Item
from memcli.text import is_han

_MARKER = re.compile(rb"([ \t]*)(?:([-+*])|(\d{1,9})([.)]))([ \t]*)")
_RULE = re.compile(rb" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
# Lines that open or close a region: a tag alone, a comment of a tool that keeps a block up to date, a merge conflict.
_FENCES = re.compile(
    rb"^ {0,3}(?:<(?P<tag>[A-Za-z][\w.-]*)(?:\s[^<>\n]*)?(?<!/)>[ \t]*\r?$|</(?P<shut>[A-Za-z][\w.-]*)\s*>[ \t]*\r?$"
    rb"|<!--[^\n]*?\b(?:(?P<begin>start|begin)|(?P<end>end|stop))\b[^\n]*-->|(?P<ours><{7})(?: |\r?$)"
    rb"|(?P<theirs>>{7})(?: |\r?$))",
    re.IGNORECASE | re.MULTILINE,
)
_MEM = re.compile(rb"<!--\s*mem:\s[^\n]*=")
TAG, TOOL, CONFLICT = "tag", "tool", "conflict"


class Layout:
    """A document with what is needed to find a place in it. A heading is named by its number, -1 is the top."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.data = document.data
        self.headings = document.headings
        front = document.front
        self.body = front.end if front is not None else len(BOM) if self.data.startswith(BOM) else 0
        self.items = [item for item in document.items if item.kind == "item"]

    def part(self, at: int) -> tuple[int, int]:
        """The span between heading `at` and the next one of any level."""
        start = self.headings[at].end if at >= 0 else self.body
        end = self.headings[at + 1].start if at + 1 < len(self.headings) else len(self.data)
        return start, max(start, end)

    def subtree(self, at: int) -> tuple[int, int]:
        """The span between heading `at` and the next one that is not below it."""
        level = self.headings[at].level
        after = (heading.start for heading in self.headings[at + 1 :] if heading.level <= level)
        return self.headings[at].end, next(after, len(self.data))

    def path(self, at: int) -> tuple[str, ...]:
        """The texts of the headings down to heading `at`, itself last."""
        if at < 0:
            return ()
        found: list[Heading] = []
        for heading in self.headings[: at + 1]:
            while found and found[-1].level >= heading.level:
                found.pop()
            found.append(heading)
        return tuple(heading.text for heading in found)

    def content(self, start: int, end: int, *, rules: bool = True) -> int:
        """Where the content of a span ends: before its last blank lines, and (`rules`) a rule that ends a section."""
        rules = rules and (end < len(self.data) or not self.document.closer)
        while end > start:
            begin = max(start, self.data.rfind(b"\n", start, end - 1) + 1)
            line = self.data[begin:end].rstrip()
            if line and not (rules and _RULE.match(line)):
                break
            end = begin
        return end

    @cached_property
    def regions(self) -> list[tuple[int, int, str]]:
        """The spans that open and close with lines of their own, and what they are: TAG, TOOL or CONFLICT."""
        found: list[tuple[int, int, str]] = []
        opened: list[tuple[str, bytes, int]] = []
        hidden = [(item.start, item.end) for item in self.document.items if item.kind in ("item", "code")]
        number = 0
        for line in _FENCES.finditer(self.data, self.body):
            while number < len(hidden) and hidden[number][1] <= line.start():
                number += 1
            if (number < len(hidden) and hidden[number][0] <= line.start()) or _MEM.match(line[0].lstrip()):
                continue
            kind, name, opens = _side(line)
            if opens:
                opened.append((kind, name, line.start()))
                continue
            match = next((i for i in range(len(opened) - 1, -1, -1) if opened[i][:2] == (kind, name)), None)
            if match is not None:
                newline = self.data.find(b"\n", line.end())
                found.append((opened[match][2], newline + 1 if newline >= 0 else len(self.data), kind))
                del opened[match:]
        return found

    def region(self, at: int, *kinds: str) -> tuple[int, int] | None:
        """The innermost region (of those kinds) around `at`; its first byte and what follows it are outside."""
        around = [(end - start, start, end) for start, end, kind in self.regions
                  if start < at < end and (not kinds or kind in kinds)]  # fmt: skip
        return min(around)[1:] if around else None

    def outside(self, at: int, home: tuple[int, int] | None) -> int:
        """`at`, or the end of the outermost region around it that does not hold the region `home` too."""
        around = [(start, end) for start, end, _ in self.regions if start < at < end]
        foreign = [end for start, end in around if home is None or not start <= home[0] < home[1] <= end]
        return max(foreign, default=at)

    @property
    def han(self) -> bool | None:
        """Whether most headings are Chinese; None without any."""
        if not self.headings:
            return None
        return 2 * sum(any(map(is_han, heading.text)) for heading in self.headings) > len(self.headings)

    @property
    def spaced(self) -> bool:
        """Whether a blank line stands below most headings; yes in a file without any."""
        below = [self._blank(heading.end) for heading in self.headings if heading.end < len(self.data)]
        return 2 * sum(below) >= len(below)

    @property
    def setext(self) -> bool:
        """Whether most headings of the first two levels are underlined."""
        high = [heading for heading in self.headings if heading.level <= 2]
        return 2 * sum(not self.data[h.start : h.end].lstrip().startswith(b"#") for h in high) > len(high)

    def loose(self, anchor: Item) -> bool:
        """Whether a blank line stands above `anchor` in its list, else between most items of the file's lists."""
        if (above := self._above(anchor)) is not None:
            return self._gap(above, anchor)
        pairs = [(above, item) for item in self.items if (above := self._above(item)) is not None]
        return 2 * sum(self._gap(*pair) for pair in pairs) > len(pairs)

    def prefix(self, anchor: Item | None) -> str:
        """What the item after `anchor` begins with; without one a bullet as the last one of the file."""
        found = _MARKER.match(self.data, anchor.start) if anchor is not None else None
        if anchor is None or found is None:
            return next(filter(None, map(self._bullet, reversed(self.items))), "-") + " "
        mark, blanks = found[2] or self._number(anchor, found), found[5].decode()
        # Five blanks and more: the item begins with indented code.
        return (found[1] + mark).decode() + (blanks if 1 <= len(blanks.expandtabs(4)) <= 4 else " ")

    def _bullet(self, item: Item) -> str:
        """The sign of `item`, "" when it has a number."""
        found = _MARKER.match(self.data, item.start)
        return found[2].decode() if found is not None and found[2] else ""

    def _number(self, anchor: Item, found: re.Match[bytes]) -> bytes:
        """The number after that of `anchor`; in a list that says 1. everywhere the same."""
        number = int(found[3])
        above = self._above(anchor)
        before = _MARKER.match(self.data, above.start) if above is not None else None
        same = before is not None and before[3] == found[3]
        number += not same and number < 999_999_999
        return b"%0*d" % (len(found[3]), number) + found[4]

    def _above(self, item: Item) -> Item | None:
        """The item above `item` in the same list: nothing between them, and the same kind of marker."""
        at = self._order[item.start]
        above = self.items[at - 1] if at else None
        if above is None or self.data[above.end : item.start].strip():
            return None
        one, other = (_MARKER.match(self.data, start) for start in (above.start, item.start))
        return above if one and other and (one[2], one[4]) == (other[2], other[4]) else None

    def _gap(self, above: Item, item: Item) -> bool:
        return b"\n" in self.data[above.end : item.start]

    @cached_property
    def _order(self) -> dict[int, int]:
        return {item.start: at for at, item in enumerate(self.items)}

    def _blank(self, at: int) -> bool:
        """Whether the line at `at` is blank."""
        end = self.data.find(b"\n", at)
        return not self.data[at : end if end >= 0 else len(self.data)].strip()


def _side(line: re.Match[bytes]) -> tuple[str, bytes, bool]:
    """What a line opens or closes: kind, name, and whether it opens."""
    if line["tag"] or line["shut"]:
        return TAG, (line["tag"] or line["shut"]).lower(), bool(line["tag"])
    if line["begin"] or line["end"]:
        return TOOL, b"", bool(line["begin"])
    return CONFLICT, b"", bool(line["ours"])

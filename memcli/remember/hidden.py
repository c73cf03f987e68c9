"""Characters that a reader cannot see: controls, zero-width and tag characters, bidirectional marks.

Blanket stripping breaks emoji families, Persian and Hebrew, so each is judged by its neighbours: what its script needs
stays, byte for byte (Unicode TR 51 for emoji, TR 9 for direction, TR 37 for variation selectors).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from unicodedata import bidirectional, category

from memcli.text import is_han

# Every character that may be hidden; letters and marks in it are invisible ones. A tab and a line end are none.
_SUSPECT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# A flag of England, Scotland, Wales: a black flag and a region's letters as tags.
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
# Scripts whose letters change their form at a joiner: Hebrew to Mongolian, all of India, South-East Asia, their later blocks.
_JOINING = (range(0x590, 0xE00), range(0xF00, 0x10A0), range(0x1780, 0x18B0), range(0x1900, 0x1C80), range(0xA800, 0xAC00),
            range(0xFB1D, 0xFE00), range(0xFE70, 0xFF00), range(0x10A00, 0x12000))  # fmt: skip
_UNSPACED = (range(0xE00, 0xF00), range(0x1000, 0x10A0), range(0x1780, 0x1800))  # Thai, Lao, Myanmar, Khmer
_OPENS, _CLOSES = "\u202a\u202b\u2066\u2067\u2068", "\u202c\u2069"
_ARROWS = "\u2194\u2195"  # the emoji of a nodding and of a shaken head are joined to these


def hidden(text: str) -> list[tuple[int, int, str]]:
    """Start, stop and name ("U+202E") of every character that hides, in order."""
    found = [match.start() for match in _SUSPECT.finditer(text)]
    if not found:
        return []
    flags = {at for match in _FLAG.finditer(text) for at in range(match.start() + 1, match.end())}
    lines = _Lines(text)
    return [(at, at + 1, f"U+{ord(text[at]):04X}") for at in found if at not in flags and not _needed(text, at, lines)]


def escape(char: str) -> str:
    """A hidden character as a person can read it: U+202E as `\\u{202E}`."""
    return f"\\u{{{ord(char):04X}}}"


class _Lines:
    """What is known about the line of a character, worked out once a line."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._span = (0, -1)
        self._righted = False
        self._paired: set[int] = set()

    def righted(self, at: int) -> bool:
        """Whether the line has a letter of a script that runs from right to left."""
        self._move(at)
        return self._righted

    def paired(self, at: int) -> bool:
        """Whether this embedding or isolate has its partner in the line."""
        self._move(at)
        return at in self._paired

    def _move(self, at: int) -> None:
        if self._span[0] <= at < self._span[1]:
            return
        start = self._text.rfind("\n", 0, at) + 1
        stop = self._text.find("\n", at)
        self._span = (start, stop if stop >= 0 else len(self._text))
        line = self._text[slice(*self._span)]
        self._righted = any(bidirectional(char) in ("R", "AL") for char in line if char.isalpha())
        self._paired, opened = set(), []
        for here, char in enumerate(line, start):
            if char in _OPENS:
                opened.append(here)
            elif char in _CLOSES and opened and (self._text[opened[-1]] in _OPENS[:2]) == (char == _CLOSES[0]):
                self._paired |= {opened.pop(), here}


def _needed(text: str, at: int, lines: _Lines) -> bool:
    """Whether the script around it needs the suspect at `at`."""
    char = text[at]
    rule = _RULES.get(char)
    if rule is not None:
        return rule(text, at)
    if char in "\u200e\u200f\u061c":  # the marks, in Hebrew or Arabic
        return lines.righted(at)
    if char in _OPENS or char in _CLOSES:
        return lines.righted(at) and lines.paired(at)
    if "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        return _varies(text, at)
    return False


def _before(text: str, at: int) -> str:
    return text[at - 1] if at else "\n"


def _after(text: str, at: int) -> str:
    return text[at + 1] if at + 1 < len(text) else "\n"


def _within(char: str, blocks: tuple[range, ...]) -> bool:
    return category(char)[0] in "LM" and any(ord(char) in block for block in blocks)


def _pictured(char: str) -> bool:
    """Whether it may be part of an emoji; those newer than this Python's tables count as well."""
    return category(char) == "So" or "\U0001f000" <= char <= "\U0001faff" or char in _ARROWS


def _joins(text: str, at: int) -> bool:
    """A joiner between two parts of an emoji, or behind a letter of a script that has one."""
    before = _before(text, at)
    if before == "\ufe0f" and at > 1:
        before = text[at - 2]
    return _within(before, _JOINING) or (_pictured(before) and _pictured(_after(text, at)))


def _varies(text: str, at: int) -> bool:
    """A selector behind what has variants: symbols, digits, Han, Mongolian; never a second one, nor behind a plain letter."""
    before = _before(text, at)
    if _SUSPECT.match(before) or before.isspace():
        return False
    return is_han(before) or ord(before) >= 0x1000 or not before.isalpha()


_RULES: dict[str, Callable[[str, int], bool]] = {
    "\r": lambda text, at: _after(text, at) == "\n",
    "\u200d": _joins,
    "\u200c": lambda text, at: _within(_before(text, at), _JOINING),
    "\u200b": lambda text, at: _within(_before(text, at), _UNSPACED) and _within(_after(text, at), _UNSPACED),
    "\u034f": lambda text, at: "\u0590" < _before(text, at) < "\u05ff",
    "\u115f": lambda text, at: "\u1161" <= _after(text, at) <= "\u11a7",
    "\u1160": lambda text, at: "\u1100" <= _before(text, at) < "\u115f",
    **dict.fromkeys("\u180b\u180c\u180d\u180e\u180f", lambda text, at: "\u1820" <= _before(text, at) <= "\u18aa"),
}


def bare(text: str, spans: list[tuple[int, int, str]]) -> Iterator[int]:
    """The positions of what is left of `text` without `spans`, in order: what a reader sees."""
    gone = {start for start, _, _ in spans}
    return (at for at in range(len(text)) if at not in gone)

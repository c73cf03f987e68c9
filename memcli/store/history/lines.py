"""Three-way merge by lines, for text of one item a line: Markdown lists, JSON Lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

Lines = Sequence[bytes]

_INDENT = re.compile(rb"[ \t]*")
_ITEM = re.compile(rb"[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|\{)")
_HEADING = re.compile(rb"#{1,6}[ \t]")


def lines_merge(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """`theirs` with what `ours` changed in `base`, or None when both changed the same lines.

    As diff3, but for neighbours: items that both added in one place are both kept, theirs first; and an item may be
    changed or removed beside one that was changed, removed or added, unless a line would come to belong to another item.
    What both did alike is done once. An end of the last line counts as a line's end wherever one of the three has it.
    """
    for one, other, answer in ((ours, theirs, ours), (base, ours, theirs), (base, theirs, ours)):
        if one == other:
            return answer
    end = _line_end(theirs)
    texts = [_split(text, end) for text in (base, ours, theirs)]
    merged = _merge(*texts)
    if merged is None:
        return None
    return b"".join(merged) if _ended(base, ours, theirs) else b"".join(merged).removesuffix(end)


def _merge(base: Lines, ours: Lines, theirs: Lines) -> Lines | None:
    # difflib is slow on long texts; what all three begin and end with needs no comparison.
    head = _same((base, ours, theirs), 1)
    rest = [text[head:] for text in (base, ours, theirs)]
    tail = _same(rest, -1)
    middle = [text[: len(text) - tail] for text in rest]
    merged: list[bytes] = []
    for part in _parts(*middle):
        if part is None:
            return None
        merged += part
    return [*base[:head], *merged, *base[len(base) - tail :]]


def _parts(base: Lines, ours: Lines, theirs: Lines) -> Iterator[Lines | None]:
    """The merged text, part by part; None stands for a conflict."""
    from merge3 import Merge3  # with difflib, 10 ms: few writes meet another

    for group in Merge3(base, ours, theirs).merge_groups():
        yield _neighbours(*group[1:]) if group[0] == "conflict" else group[1]


def _neighbours(base: Lines, ours: Lines, theirs: Lines) -> Lines | None:
    """Both changes of a place where diff3 sees a conflict only because they touch, or None."""
    if not base:
        return _both(ours, theirs)
    for one, other in ((theirs, ours), (ours, theirs)):
        for at in range(len(one) - len(base) + 1):
            before, after = one[:at], one[at + len(base) :]
            if one[at : at + len(base)] == base and _begins(after, base) and _begins(base, before):
                return [*before, *other, *after]
    return _apart(base, ours, theirs)


def _apart(base: Lines, ours: Lines, theirs: Lines) -> Lines | None:
    """Both changes, when each changed, removed or added items of its own that only stand side by side, or None."""
    parts = sorted((*_edits(base, ours), *_edits(base, theirs)), key=lambda part: part[:2])
    merged: list[bytes] = []
    done = 0
    for number, (start, stop, new) in enumerate(parts):
        twice = number and parts[number - 1][:2] == (start, stop) and start == stop
        if start < done or twice or not (_begins(base[start:], base[:start]) and _begins(new, base[:start])):
            return None
        if not _begins(base[stop:], base[:stop]):
            return None
        merged += [*base[done:start], *new]
        done = stop
    return [*merged, *base[done:]]


def _edits(base: Lines, new: Lines) -> Iterator[tuple[int, int, Lines]]:
    """Start and stop in `base` of what `new` has otherwise, and what it has."""
    from difflib import SequenceMatcher

    for what, start, stop, first, last in SequenceMatcher(None, base, new, autojunk=False).get_opcodes():
        if what != "equal":
            yield start, stop, new[first:last]


def _both(ours: Lines, theirs: Lines) -> Lines | None:
    """Two insertions in one place, theirs first; what both begin or end with is there once."""
    head = _same((ours, theirs), 1)
    while head and not ours[head - 1].strip() and not _ITEM.match(b"".join(ours[head : head + 1])):
        head -= 1  # a heading keeps the blank line before it, each of them its own
    tail = _same((ours[head:], theirs[head:]), -1)
    mine, yours = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    if not (_begins(mine, yours) and _begins(yours, mine)):
        return None
    return [*ours[:head], *yours, *mine, *ours[len(ours) - tail :]]


def _begins(lines: Lines, beside: Lines) -> bool:
    """Whether `lines` begin an item of their own, however they are moved away from `beside`; no lines do."""
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        return True
    if _depth(first) > min((_depth(line) for line in beside if line.strip()), default=0):
        return False
    return bool(_ITEM.match(first) or _HEADING.match(first)) or not lines[0].strip()


def _depth(line: bytes) -> int:
    found = _INDENT.match(line)
    return len(found[0].expandtabs(4)) if found else 0


def _same(texts: Sequence[Lines], step: int) -> int:
    """How many lines all of `texts` have in common at their beginning (`step` 1) or end (-1)."""
    count = 0
    for lines in zip(*(text[::step] for text in texts), strict=False):
        if any(line != lines[0] for line in lines):
            break
        count += 1
    return count


def _split(text: bytes, end: bytes) -> list[bytes]:
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith((b"\n", b"\r")):
        lines[-1] += end
    return lines


def _line_end(text: bytes) -> bytes:
    return b"\r\n" if b"\r\n" in text else b"\n"


def _ended(base: bytes, ours: bytes, theirs: bytes) -> bool:
    """Whether the merged text ends with a line's end: as the side that changed that has it."""
    was, mine, yours = (not text or text.endswith((b"\n", b"\r")) for text in (base, ours, theirs))
    return mine if yours == was else yours

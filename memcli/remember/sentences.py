"""A text as sentences, in English and in Chinese punctuation. Spans are in characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

WRAPPED = 50  # characters: a line this long that goes on in lower case was wrapped, not ended

_END = re.compile(r"[.!?;…]+[\"')\]”’]*(?=\s|$)|[。！？；]+[”’」』）]*|\n")
_SHORT = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|Mr|Mrs|Dr|St)\.)$", re.I)
# What stands before the first word: list markers, quotation and heading marks, emphasis.
_LEAD = re.compile(r"(?:[\s>#*_~–—•·-]|\d{1,3}[.)](?=\s)|\[[ xX]\](?=\s))*")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Start and stop of each sentence, without the list marker before it; stop is behind its closing mark."""
    start = 0
    for found in _END.finditer(text):
        if found.start() >= start and not _inner(text, start, found):
            yield from _trimmed(text, start, found.end())
            start = found.end()
    yield from _trimmed(text, start, len(text))


def _inner(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether this mark ends no sentence: an abbreviation's point, a list number's, or a wrapped line."""
    at = found.start()
    if found[0] == "\n":
        after = text[found.end() : found.end() + 1]
        return at - max(start, text.rfind("\n", start, at)) > WRAPPED and after.islower()
    if found[0] != ".":
        return False
    return bool(_SHORT.search(text, max(start, at - 8), at + 1)) or text[start:at].strip().isdecimal()


def _trimmed(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    lead = _LEAD.match(text, start, stop)
    start = lead.end() if lead else start
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    if start < stop:
        yield start, stop

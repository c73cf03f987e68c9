"""The token numbers of a text, as the embedded multilingual encoder sees it: SentencePiece unigrams of XLM-RoBERTa.

The vocabulary lies at the head of the encoder's weights file, little-endian:

    "E5S1", u32 version, i32 width, layers, heads, feed-forward, words, positions, types, f32 epsilon, i32 block
    i32 pieces, bos, eos, pad, unknown, u64 blob length, u32 offsets[pieces + 1], f32 scores[pieces], blob (UTF-8)
    i32 rules, u32 their length, then a rule: u32 code point, u8 n, u32 replacement[n]

No piece has the space mark after its first character, so a text is cut at its spaces and every word stands alone.
"""

from __future__ import annotations

import struct
from array import array
from functools import lru_cache
from itertools import pairwise
from mmap import mmap

MARK = "\u2581"
# 510 tokens of at most 16 characters, and as many characters again that normalisation may drop.
REACH = 2 * 510 * 16
# The words of a long conversation repeat: nine of ten come from here.
KEPT = 1 << 15
VOCABULARY = struct.Struct("<5iQ")
RULE = struct.Struct("<IB")


class Pieces:
    """A vocabulary with its normalisation.

    Attributes:
        bos, eos: the numbers of the tokens around a text.
        end: where the vocabulary ends in the file.
    """

    def __init__(self, file: mmap, start: int) -> None:
        count, self.bos, self.eos, _, self._unknown, size = VOCABULARY.unpack_from(file, start)
        at = start + VOCABULARY.size
        scored, named = at + 4 * (count + 1), at + 4 * (2 * count + 1)
        offsets = array("I", file[at:scored])
        self._scores = array("f", file[scored:named])
        self._rules, self.end = _rules(file, named + size)
        blob = file[named : named + size]
        names = [blob[a:b].decode() for a, b in pairwise(offsets)]
        self._numbers = {name: number for number, name in enumerate(names) if number != self._unknown}
        self._longest = _longest(names)
        # What an unknown character costs: ten more than the rarest piece.
        self._penalty = min(self._scores) - 10.0
        self._word = lru_cache(KEPT)(self._cut)

    def tokens(self, text: str, limit: int) -> list[int]:
        """The first `limit` token numbers of `text`, without the ones around it."""
        # Half a surrogate pair is no character.
        sound = text[:REACH].replace("\0", "").encode(errors="replace").decode()
        words = sound.translate(self._rules).split(" ")
        # Runs of spaces are one; a space at the end is a word of its own, one at the start is not.
        spoken = [word for word in words if word] + ([""] if len(words) > 1 and not words[-1] else [])
        found: list[int] = []
        for word in spoken:
            found += self._word(word) if len(word) < 32 else self._cut(word)
            if len(found) >= limit:
                break
        return found[:limit]

    def _cut(self, word: str) -> tuple[int, ...]:
        """The likeliest pieces of a word (Viterbi)."""
        text = MARK + word
        size = len(text)
        best = [0.0] + [-1e30] * size
        back = [(0, 0)] * (size + 1)
        numbers, scores, longest, penalty = self._numbers, self._scores, self._longest, self._penalty
        for start in range(size):
            base = best[start]
            for end in range(start + 1, min(start + longest.get(text[start : start + 2], 1), size) + 1):
                number = numbers.get(text[start:end])
                if number is not None and base + scores[number] > best[end]:
                    best[end], back[end] = base + scores[number], (start, number)
            if base + penalty > best[start + 1]:
                best[start + 1], back[start + 1] = base + penalty, (start, self._unknown)
        return _walk(back)


def _walk(back: list[tuple[int, int]]) -> tuple[int, ...]:
    """The numbers along the best path, first to last."""
    found = []
    at = len(back) - 1
    while at > 0:
        at, number = back[at]
        found.append(number)
    return tuple(reversed(found))


def _longest(names: list[str]) -> dict[str, int]:
    """By its first two characters: how long the longest piece is."""
    found: dict[str, int] = {}
    for name in names:
        if len(name) > found.get(name[:2], 1):
            found[name[:2]] = len(name)
    return found


def _rules(file: mmap, at: int) -> tuple[dict[int, str], int]:
    """What each code point becomes, and where the rules end."""
    count, size = struct.unpack_from("<iI", file, at)
    at += 8
    end = at + size
    found = {}
    for _ in range(count):
        point, length = RULE.unpack_from(file, at)
        at += RULE.size
        found[point] = "".join(map(chr, struct.unpack_from(f"<{length}I", file, at)))
        at += 4 * length
    return found, end

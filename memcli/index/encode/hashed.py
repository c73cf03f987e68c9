"""An encoder without weights: words, parts of words and Han pairs, each hashed to one coordinate. For tests, and for where
nothing else can be installed; it knows no synonyms."""

from __future__ import annotations

from math import sqrt
from zlib import crc32

from memcli.index.encode import fingerprint
from memcli.index.encode.plain import plain
from memcli.text import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memcli.index.encode.protocol import Rows

MAX_CHARS = 8000
# A part that two words share (deploy, deployment) says less than a whole word.
PART_CHARS, PART_WEIGHT = 4, 0.3


class Hashed:
    """See Encoder."""

    __slots__ = ("identity",)
    name = "hash"
    dim = 512
    max_tokens = 2000
    english_only = False

    def __init__(self) -> None:
        self.identity = fingerprint.of("hash", "1", str(self.dim))

    def query(self, text: str) -> list[float]:
        vector = [0.0] * self.dim
        for feature, weight in _features(plain(text, MAX_CHARS)):
            code = crc32(feature.encode())
            vector[code % self.dim] += weight if code & 0x80000000 else -weight
        length = sqrt(sum(value * value for value in vector))
        if length < 1e-6:  # features of opposite sign in one coordinate
            return [1.0] + [0.0] * (self.dim - 1)
        return [value / length for value in vector]

    def passages(self, texts: Sequence[str]) -> Rows:
        import numpy as np

        return np.array([self.query(text) for text in texts], np.float32).reshape(len(texts), self.dim)


def _features(text: str) -> Iterator[tuple[str, float]]:
    """What the text has, each once, with its weight; of a text without words, one feature."""
    words = query_terms(text)
    yield from ((word, 1.0) for word in words or [""])
    parts = {word[at : at + PART_CHARS] for word in words for at in range(len(word) - PART_CHARS + 1)}
    yield from (("~" + part, PART_WEIGHT) for part in sorted(parts))

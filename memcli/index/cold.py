"""The vector store where every millisecond counts: plain Python over the files that `vectors` wrote.

A row's signs against the mean tell in 48 bytes about where it points. Those nearest by signs are compared exactly, from the
float16 rows inside of the FAISS file. Only `Cold` reads so; it never writes, and moves nothing that is damaged.
"""

from __future__ import annotations

import struct
from _operator import mul
from bisect import bisect_left

from memcli.errors import Damaged
from memcli.index import generation
from memcli.index.generation import DECIMALS, Generation, wrong_width
from memcli.index.tail import DIGEST, Tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from mmap import mmap

EXACT, EXACT_TAIL = (
    1_500,
    256,
)  # rows that are all compared: up to here the detour over signs saves nothing worth having


class Cold:
    """Cosines of a query with what the store held when it was opened."""

    __slots__ = ("_base", "_tail", "_unpack")

    def __init__(self, base: Generation, tail: Tail) -> None:
        self._base, self._tail = base, tail
        self._unpack = struct.Struct(f"<{base.dim}e").unpack_from

    @classmethod
    def open(cls, folder: str) -> Cold:
        """The store in `folder`, empty when nothing was ever put there.

        Raises:
            Damaged: something is missing, cut short or changed; the sum of the rows alone is not checked.
        """
        base, tail = generation.load(folder, whole=False) or (Generation(0, 0, ""), Tail(0))
        return cls(base, tail)

    def __len__(self) -> int:
        return self._base.rows + len(self._tail)

    def nearest(self, query: Sequence[float], k: int = 400) -> dict[bytes, float]:
        """Digest -> cosine of the `k` nearest rows, best first; above EXACT rows, of those nearest by their signs."""
        self._fits(query)
        best = sorted(self._near(query, k).items(), key=lambda pair: (-pair[1], pair[0]))
        return dict(best[:k])

    def scores(self, query: Sequence[float], digests: Iterable[bytes]) -> dict[bytes, float]:
        """Digest -> cosine, of those that are there."""
        self._fits(query)
        cosine, found = self._cosine(query), {}
        for digest in digests:
            at = self._tail.places.get(digest)
            if at is not None:
                found[digest] = cosine(self._tail.data, at + self._tail.row)
            else:
                row = self._find(digest)
                if row >= 0:
                    found[digest] = cosine(self._base.index, self._at(row))
        return _sane(found)

    def _near(self, query: Sequence[float], k: int) -> dict[bytes, float]:
        tail, cosine, found = self._tail, self._cosine(query), {}
        for row in self._candidates(query, k):
            if row < self._base.rows:
                found[self._digest(row)] = cosine(self._base.index, self._at(row))
            else:
                at = tail.size * (row - self._base.rows)
                found[bytes(tail.data[at : at + DIGEST])] = cosine(tail.data, at + tail.row)
        return _sane(found)

    def _candidates(self, query: Sequence[float], k: int) -> Iterable[int]:
        """Rows of the generation, then of the tail, that are worth an exact look."""
        if len(self) <= max(EXACT, k):
            return range(len(self))
        tail, bits = self._tail, self._bits(query)
        far = distances(self._base.signs, tail.width, 0, tail.width, bits)
        return closest(far + distances(tail.data, tail.size, DIGEST, tail.width, bits), k)

    def _cosine(self, query: Sequence[float]) -> Callable[[bytearray | mmap, int], float]:
        unpack = self._unpack

        def cosine(data: bytearray | mmap, at: int) -> float:
            row = unpack(data, at)
            value: float = round(sum(map(mul, row, query)), DECIMALS)
            if not value and not any(row):
                raise Damaged("a stored vector is all zeros", hint="mem index")
            return value

        return cosine

    def _bits(self, query: Sequence[float]) -> int:
        """The signs of the query against the mean, as those of the rows are kept."""
        bits = 0
        for value, middle in zip(query, struct.unpack(f"<{self._base.dim}f", self._base.mean), strict=True):
            bits = bits << 1 | (value > middle)
        return bits << -self._base.dim % 8

    def _at(self, row: int) -> int:
        return self._base.offset + 2 * self._base.dim * row

    def _digest(self, row: int) -> bytes:
        return self._base.digests[DIGEST * row : DIGEST * row + DIGEST]

    def _find(self, digest: bytes) -> int:
        """The row of `digest` in the generation, or -1."""
        row = bisect_left(range(self._base.rows), digest, key=self._digest)
        return row if row < self._base.rows and self._digest(row) == digest else -1

    def _fits(self, query: Sequence[float]) -> None:
        if len(self) and len(query) != self._base.dim:
            raise wrong_width(len(query), self._base.dim)


def distances(data: bytes | bytearray, step: int, start: int, width: int, bits: int) -> list[int]:
    """In how many signs each row differs from `bits`; its `width` bytes of signs stand every `step`, from `start` on."""
    whole, cut = int.from_bytes, struct.Struct(f"{start}x{width}s{step - start - width}x").iter_unpack
    return [(whole(signs) ^ bits).bit_count() for (signs,) in cut(data)]


def closest(far: list[int], k: int) -> list[int]:
    """The places in `far` of its `k` smallest, and of what equals the last of these, up to 2 `k`."""
    most = sorted(far)[k - 1]
    # Many equal rows must not make this slow.
    return [row for row, count in enumerate(far) if count <= most][: 2 * k]


def _sane(found: dict[bytes, float]) -> dict[bytes, float]:
    """`found`, when each is a cosine: rows whose sum is not checked may hold anything."""
    if all(-1.01 < value < 1.01 for value in found.values()):
        return found
    raise Damaged("a stored vector is damaged", hint="mem index")

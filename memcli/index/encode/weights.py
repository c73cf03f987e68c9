"""The weights of the embedded multilingual encoder, read from its package's file and unpacked to float32.

After the vocabulary (see pieces.py) the file has, little-endian, a directory: i32 count, then for each tensor u16 and its name,
u8 kind (1: quantised), u32 how many numbers, u64 place, u64 bytes. A quantised tensor is Q4_0: blocks of 32 numbers, each an
f16 scale and 16 bytes, whose low halves are the first 16 numbers and whose high halves the rest, eight too large.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memcli.errors import Unreadable
from memcli.index.encode.pieces import Pieces

Floats = NDArray[np.float32]

MAGIC = b"E5S1"
HEADER = struct.Struct("<4sI7ifi")
ENTRY = struct.Struct("<BIQQ")
BLOCK = np.dtype([("scale", "<f2"), ("halves", "u1", 16)])


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer's matrices, (in, out), and vectors.

    `mix` is queries, keys and values side by side; queries are scaled. `shrink` is halved: the half of GELU.
    """

    mix: Floats
    mix_bias: Floats
    join: Floats
    join_bias: Floats
    join_norm: tuple[Floats, Floats]
    grow: Floats
    grow_bias: Floats
    shrink: Floats
    shrink_bias: Floats
    norm: tuple[Floats, Floats]


class Weights:
    """The file's header, vocabulary and tensors."""

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:
            head = file.read(HEADER.size)
            if head[:4] != MAGIC or len(head) < HEADER.size:
                raise Unreadable(f"{path}: not the weights of the multilingual encoder")
            self.file = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        _, _, self.width, self.depth, self.heads, self.inner, *_, self.epsilon, _ = HEADER.unpack(head)
        self.pieces = Pieces(self.file, HEADER.size)
        self._places = dict(self._directory(self.pieces.end))

    def _directory(self, at: int) -> Iterator[tuple[str, tuple[int, int]]]:
        """Each tensor's name; its count of numbers and its place."""
        (count,) = struct.unpack_from("<i", self.file, at)
        at += 4
        for _ in range(count):
            (size,) = struct.unpack_from("<H", self.file, at)
            name = self.file[at + 2 : at + 2 + size].decode()
            _, numbers, place, _ = ENTRY.unpack_from(self.file, at + 2 + size)
            at += 2 + size + ENTRY.size
            yield name, (numbers, place)

    def vector(self, name: str) -> Floats:
        """A tensor kept as float32."""
        count, place = self._places[name]
        return np.frombuffer(self.file, "<f4", count, place).astype(np.float32)

    def rows(self, name: str) -> NDArray[np.void]:
        """A quantised tensor, (out, in / 32) blocks, not yet unpacked."""
        count, place = self._places[name]
        width = self.inner if name.endswith("fo.w") else self.width
        return np.frombuffer(self.file, BLOCK, count // 32, place).reshape(-1, width // 32)

    def matrix(self, name: str) -> Floats:
        """A quantised tensor, unpacked and turned: (in, out)."""
        return np.ascontiguousarray(unpack(self.rows(name)).T)

    def layer(self, number: int) -> Layer:
        """A whole layer, about 7 MB."""
        head = np.float32((self.width // self.heads) ** -0.5)

        def vector(name: str) -> Floats:
            return self.vector(f"l{number}.{name}")

        def matrix(name: str) -> Floats:
            return self.matrix(f"l{number}.{name}")

        return Layer(
            mix=np.concatenate([matrix("q.w") * head, matrix("k.w"), matrix("v.w")], axis=1),
            mix_bias=np.concatenate([vector("q.b") * head, vector("k.b"), vector("v.b")]),
            join=matrix("ao.w"),
            join_bias=vector("ao.b"),
            join_norm=(vector("aln.w"), vector("aln.b")),
            grow=matrix("fi.w"),
            grow_bias=vector("fi.b"),
            shrink=matrix("fo.w") * np.float32(0.5),
            shrink_bias=vector("fo.b"),
            norm=(vector("oln.w"), vector("oln.b")),
        )


def unpack(rows: NDArray[np.void]) -> Floats:
    """The numbers in (n, blocks) quantised blocks: (n, blocks * 32)."""
    halves = rows["halves"]
    found = np.empty((*rows.shape, 32), np.float32)
    np.subtract(halves & 15, 8, out=found[..., :16], casting="unsafe", dtype=np.float32)
    np.subtract(halves >> 4, 8, out=found[..., 16:], casting="unsafe", dtype=np.float32)
    found *= rows["scale"].astype(np.float32)[..., None]
    return found.reshape(len(rows), -1)

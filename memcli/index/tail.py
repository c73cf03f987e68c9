"""The newest vectors: fixed-size records appended to one file. Light: no numpy.

A record is the digest (16 bytes), the signs (one bit a dimension, as in the generation that the tail belongs to), the row
(little-endian float16) and the CRC-32 of all that (4 bytes, little-endian). The first record that is torn or whose sum is
wrong ends the file: what a killed writer left is ignored by readers, and cut off by the next writer.
"""

from __future__ import annotations

import os
from zlib import crc32

DIGEST = 16  # bytes that name a row's content
_SUM = 4
_OPEN = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)


class Tail:
    """The good records of one tail file.

    Attributes:
        data: the records, one after the other.
        places: digest -> where in `data` its record starts.
        width: bytes of the signs of a row.
        size: bytes of a record.
    """

    __slots__ = ("data", "places", "size", "width")

    def __init__(self, dim: int) -> None:
        self.data, self.places = bytearray(), dict[bytes, int]()
        self.width = sign_bytes(dim)
        self.size = DIGEST + self.width + 2 * dim + _SUM

    def __len__(self) -> int:
        return len(self.places)

    @property
    def row(self) -> int:
        """Where in a record the float16 row starts."""
        return DIGEST + self.width

    def take(self, data: bytes) -> None:
        """Adds the records at the start of `data`, up to the first that is not good."""
        size, places, start = self.size, self.places, len(self.data)
        stop = 0
        for at in range(0, len(data) - size + 1, size):
            end = at + size - _SUM
            if crc32(data[at:end]) != int.from_bytes(data[end : at + size], "little"):
                break
            places.setdefault(data[at : at + DIGEST], start + at)
            stop = at + size
        self.data += data[:stop]


def sign_bytes(dim: int) -> int:
    return (dim + 7) // 8


def record(digest: bytes, signs: bytes, row: bytes) -> bytes:
    """The bytes of one record."""
    body = digest + signs + row
    return body + crc32(body).to_bytes(_SUM, "little")


def read(path: str, dim: int) -> Tail:
    """The good records of the file `path`; none when there is no such file."""
    found = Tail(dim)
    try:
        with open(path, "rb") as file:
            found.take(file.read())
    except FileNotFoundError:
        pass
    return found


def append(path: str, good: int, data: bytes) -> None:
    """Puts `data` after the first `good` bytes of the file, whatever stood there; all of it or, with OSError, nothing.

    Nothing is flushed to the disk: the sums tell what a power cut took, and that is computed again.
    """
    fd = os.open(path, _OPEN, 0o600)
    try:
        os.ftruncate(fd, good)
        os.lseek(fd, good, os.SEEK_SET)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fd, rest) :]
    except OSError:
        os.ftruncate(fd, good)
        raise
    finally:
        os.close(fd)

"""What a store's folder holds, read and checked. Light: no numpy, no FAISS.

    current          names the generation that counts, its width and the encoder; replaced atomically
    gen-000003/      immutable; n rows, sorted by digest
        index.faiss  an IndexScalarQuantizer (float16, inner product) whose codes are plain rows from `offset` on
        digests      n x 16 bytes
        signs        n x dim/8 bytes: a bit is set where the row is above the mean, first dimension in the highest bit
        mean         dim float32
        manifest     version, identity, dim, rows, offset, and of each file its size and CRC-32
    tail-000003      what was added since (see `tail`); the signs are those of this generation's mean
    damaged-0/       what a store that failed its checks held

`current` and `manifest` are lines of `key value`, the last of which is the CRC-32 of those before. Generation 0 has no
folder, no rows and a mean of zeros. All numbers are little-endian. What `current` does not name is a leftover.
"""

from __future__ import annotations

import mmap
import os
from zlib import crc32

from memcli.errors import Damaged, MemError
from memcli.index import tail
from memcli.index.tail import DIGEST, Tail

VERSION = "1"
DECIMALS = 6  # of a cosine: float16 rows carry three, and numpy and plain Python then say the same
CURRENT, MANIFEST, INDEX = "current", "manifest", "index.faiss"
FILES = (INDEX, "digests", "signs", "mean")
_CHUNK = 1 << 20


class Generation:
    """One generation: what the manifest says, and its files as they are.

    `index` is mapped, read-only, when there is a folder; the rest is bytes (`mean` of float32).
    """

    __slots__ = ("digests", "dim", "identity", "index", "mean", "number", "offset", "rows", "signs")

    def __init__(self, number: int, dim: int, identity: str) -> None:
        self.number, self.dim, self.identity = number, dim, identity
        self.rows = self.offset = 0
        self.index: mmap.mmap
        self.digests, self.signs, self.mean = b"", b"", bytes(4 * dim)


def load(folder: str, *, whole: bool) -> tuple[Generation, Tail] | None:
    """The generation and the tail that count; None for a store in which nothing was ever put.

    Args:
        whole: check the sum of the rows too, at about 0.4 ms a MB; that of the other files is always checked.

    Raises:
        Damaged: something is missing, cut short or changed.
    """
    while True:
        before = _pointer(folder)
        try:
            found = _read(folder, before, whole)
        except Damaged:
            # A writer may have put a new generation in its place meanwhile, and removed this one.
            if _pointer(folder) == before:
                raise
        else:
            if _pointer(folder) == before:
                return found


def stamp(folder: str) -> tuple[tuple[int, ...], ...]:
    """Changes whenever another process has added or compacted."""
    names = sorted(name for name in os.listdir(folder) if name == CURRENT or name.startswith("tail-"))
    seen = [os.stat(os.path.join(folder, name)) for name in names]
    return tuple((status.st_ino, status.st_size, status.st_mtime_ns) for status in seen)


def gen_path(folder: str, number: int) -> str:
    return os.path.join(folder, f"gen-{number:06}")


def tail_path(folder: str, number: int) -> str:
    return os.path.join(folder, f"tail-{number:06}")


def render(fields: dict[str, str]) -> bytes:
    """`fields` as lines, with their sum."""
    data = "".join(f"{key} {value}\n" for key, value in fields.items()).encode("utf-8", "surrogateescape")
    return data + b"crc %08x\n" % crc32(data)


def parse(data: bytes, path: str) -> dict[str, str]:
    """The fields that `render` wrote."""
    body, _, mark = data.rpartition(b"crc ")
    if mark != b"%08x\n" % crc32(body):
        raise damaged(path, "its sum is wrong")
    lines = body.decode("utf-8", "surrogateescape").split("\n")[:-1]
    fields = dict(line.split(" ", 1) for line in lines)
    if fields.get("version") != VERSION:
        raise damaged(path, f"it has version {fields.get('version')}, not {VERSION}")
    return fields


def wrong_width(given: int, dim: int) -> MemError:
    return MemError(f"the encoder gives vectors of width {given}, the store holds width {dim}", hint="mem index")


def damaged(path: str, why: str) -> Damaged:
    return Damaged(f"{path} is damaged: {why}", hint="mem index")


def _pointer(folder: str) -> bytes | None:
    try:
        with open(os.path.join(folder, CURRENT), "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _read(folder: str, pointer: bytes | None, whole: bool) -> tuple[Generation, Tail] | None:
    path = os.path.join(folder, CURRENT)
    if pointer is None:
        if os.path.isdir(folder) and any(name.startswith(("gen-", "tail-")) for name in os.listdir(folder)):
            raise damaged(path, "it is missing")
        return None
    fields = parse(pointer, path)
    found = Generation(int(fields["generation"]), int(fields["dim"]), fields["identity"])
    if found.number:
        _fill(found, gen_path(folder, found.number), whole)
    return found, tail.read(tail_path(folder, found.number), found.dim)


def _fill(found: Generation, folder: str, whole: bool) -> None:
    path = os.path.join(folder, MANIFEST)
    fields = parse(_bytes(path), path)
    for key, value in (("dim", str(found.dim)), ("identity", found.identity)):
        if fields[key] != value:
            raise damaged(path, f"{key} is {fields[key]}, not {value}")
    found.rows, found.offset = int(fields["rows"]), int(fields["offset"])
    found.index = _mapped(os.path.join(folder, INDEX), fields[INDEX], whole)
    found.digests, found.signs, found.mean = (
        _checked(os.path.join(folder, name), fields[name]) for name in FILES if name != INDEX
    )
    sizes = (DIGEST * found.rows, tail.sign_bytes(found.dim) * found.rows, 4 * found.dim)
    ends = found.offset + 2 * found.dim * found.rows
    if (len(found.digests), len(found.signs), len(found.mean)) != sizes or ends > len(found.index):
        raise damaged(path, f"{found.rows} rows of width {found.dim} have other sizes")


def _bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise damaged(path, "it is missing") from None


def _checked(path: str, said: str) -> bytes:
    data = _bytes(path)
    _same(path, said, len(data), crc32(data))
    return data


def _mapped(path: str, said: str, whole: bool) -> mmap.mmap:
    """The index, mapped read-only: it stays readable when a later compact removes its name."""
    try:
        with open(path, "rb") as file:
            _same(path, said, os.fstat(file.fileno()).st_size, None)
            found = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        raise damaged(path, "it is missing") from None
    if whole:
        _same(path, said, len(found), crc32(found))
    return found


def _same(path: str, said: str, size: int, total: int | None) -> None:
    """Compares a file with what the manifest says of it: `size crc`."""
    length, _, mark = said.partition(" ")
    if size != int(length):
        raise damaged(path, f"it has {size} bytes, not {length}")
    if total is not None and total != int(mark, 16):
        raise damaged(path, "its sum is wrong")

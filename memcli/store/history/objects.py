"""Contents by their digest: `objects/ab/cdef…` is the zlib form of the bytes whose SHA-256 is `abcdef…`."""

from __future__ import annotations

import os
import secrets
import zlib
from collections.abc import Iterator
from contextlib import suppress

from memcli.errors import Damaged
from memcli.files.atomic import ABSENT, fill, flush, open_file, private_dir
from memcli.store.history.data import digested
from memcli.store.history.place import Place

# 200 KB of Markdown: level 1 takes 3 ms, the default 8 ms for a sixth less.
_LEVEL = 1
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def where(place: Place, digest: str) -> str:
    """The path of the object of `digest`."""
    return os.path.join(place.objects, digest[:2], digest[2:])


def get(place: Place, digest: str) -> bytes:
    """The bytes whose digest is `digest`.

    Raises:
        Damaged: there is no such object, or it holds something else.
    """
    try:
        with open_file(where(place, digest)) as file:
            data = zlib.decompress(file.read())
    except FileNotFoundError:
        raise Damaged(f"the history has no image {digest[:12]}", hint="mem doctor") from None
    except zlib.error:
        data = None
    if data is None or digested(data) != digest:
        raise Damaged(f"the image {where(place, digest)} is corrupt", hint="mem doctor")
    return data


def content(place: Place, digest: str) -> bytes | None:
    """What a file of `digest` holds: None for ABSENT; errors as `get`."""
    return None if digest == ABSENT else get(place, digest)


def find(place: Place, digest: str) -> bytes | None:
    """As `get`, but None instead of an error."""
    with suppress(Damaged):
        return get(place, digest)
    return None


def put(place: Place, data: bytes) -> None:
    """Keeps `data`: on disk when this returns. An object that is there and whole stays; a corrupt one is mended."""
    target = where(place, digested(data))
    if os.path.exists(target) and find(place, digested(data)) is not None:
        return
    private_dir(os.path.dirname(target))
    staged = os.path.join(place.staging, secrets.token_hex(8))
    fd = os.open(staged, _NEW, 0o600)
    try:
        try:
            fill(fd, zlib.compress(data, _LEVEL))
            os.fsync(fd)
        finally:
            os.close(fd)
        os.replace(staged, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(staged)
        raise
    flush(os.path.dirname(target))


def each(place: Place) -> Iterator[tuple[str, int]]:
    """The digest and the stored size in bytes of every object."""
    for shelf in sorted(os.scandir(place.objects), key=lambda shelf: shelf.name) if _there(place) else ():
        if len(shelf.name) == 2:
            for item in os.scandir(shelf.path):
                yield shelf.name + item.name, item.stat().st_size


def drop(place: Place, digest: str) -> None:
    """Takes the object of `digest` away, if it is there."""
    with suppress(FileNotFoundError):
        os.unlink(where(place, digest))


def _there(place: Place) -> bool:
    return os.path.isdir(place.objects)

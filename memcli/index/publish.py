"""Puts a generation in the place of another, so that a crash between any two steps leaves the old one or the new one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from zlib import crc32

from memcli.index.generation import CURRENT, MANIFEST, VERSION, gen_path, render

KEPT = 2  # damaged stores that stay for a look; each may be as big as the store
_TEMPORARY = ".mem-current.tmp"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write(folder: str, number: int, fields: Mapping[str, str], files: Mapping[str, bytes]) -> None:
    """Makes generation `number` of `files`, with a manifest of `fields`, and has it on the disk; nobody reads it yet."""
    path = gen_path(folder, number)
    os.mkdir(path, 0o700)
    sums = {name: f"{len(data)} {crc32(data):08x}" for name, data in files.items()}
    for name, data in files.items():
        _write(os.path.join(path, name), data)
    _write(os.path.join(path, MANIFEST), render({"version": VERSION, **fields, **sums}))
    _flush(path)
    _flush(folder)


def point(folder: str, number: int, dim: int, identity: str) -> None:
    """Makes generation `number` the one that counts."""
    temporary = os.path.join(folder, _TEMPORARY)
    with suppress(FileNotFoundError):
        os.unlink(temporary)
    fields = {"version": VERSION, "generation": str(number), "dim": str(dim), "identity": identity}
    _write(temporary, render(fields))
    os.replace(temporary, os.path.join(folder, CURRENT))
    _flush(folder)


def sweep(folder: str, number: int) -> None:
    """Removes what `current`, which names generation `number`, does not count."""
    wanted = {f"gen-{number:06}", f"tail-{number:06}"}
    for name in os.listdir(folder):
        if name == _TEMPORARY or (name.startswith(("gen-", "tail-")) and name not in wanted):
            # Windows keeps what another process has mapped; the next sweep gets it.
            with suppress(PermissionError, FileNotFoundError):
                _remove(os.path.join(folder, name))


def aside(folder: str) -> str:
    """The folder that now has all that the store held; of such folders the newest KEPT stay."""
    old = sorted(int(name[8:]) for name in os.listdir(folder) if name.startswith("damaged-") and name[8:].isdecimal())
    for number in old[: len(old) + 1 - KEPT]:
        _remove(os.path.join(folder, f"damaged-{number}"))
    there = os.path.join(folder, f"damaged-{old[-1] + 1 if old else 0}")
    os.mkdir(there, 0o700)
    names = [name for name in os.listdir(folder) if name.startswith(("gen-", "tail-"))]
    # The pointer goes last: until then a crash leaves a store that still fails its checks.
    for name in [*names, CURRENT]:
        with suppress(FileNotFoundError):
            os.replace(os.path.join(folder, name), os.path.join(there, name))
    return there


def _write(path: str, data: bytes) -> None:
    fd = os.open(path, _NEW, 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fd, rest) :]
        os.fsync(fd)
    finally:
        os.close(fd)


def _flush(folder: str) -> None:
    """Makes the names in `folder` last."""
    if os.name == "nt":
        return  # a directory cannot be opened there
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _remove(path: str) -> None:
    if os.path.islink(path) or not os.path.isdir(path):
        os.unlink(path)
        return
    for name in os.listdir(path):
        _remove(os.path.join(path, name))
    os.rmdir(path)

"""The files themselves: looked at when they are quiet, and changed one at a time."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from memcli.errors import MemError
from memcli.files import atomic
from memcli.files.atomic import ABSENT
from memcli.store.history.data import Step, digested
from memcli.store.history.place import Place

# An editor that saves in place cuts the file off first, and needs under 1 ms to fill it again.
_QUIET_S = 0.03
_PATIENCE_S = 1.0


@dataclass(frozen=True, slots=True)
class Job:
    """One file to be changed: what it holds now and what it shall hold; None where there is no file.

    `mode` is for a file that comes back, 0 is any.
    """

    path: str
    old: bytes | None
    new: bytes | None
    mode: int = 0

    @property
    def step(self) -> Step:
        mode = mode_of(self.path) if self.new is None else self.mode
        return Step(os.path.realpath(self.path), digested(self.old), digested(self.new), mode)


def settled(path: str, known: str) -> bytes | None:
    """What `path` holds. Unless that is `known`, which mem wrote, waits while somebody seems to be writing it in place:
    it was touched just now, and is empty or its last line has no end."""
    data = atomic.content(path)
    patient = time.monotonic() + _PATIENCE_S
    while _cut(data) and digested(data) != known and _fresh(path) and time.monotonic() < patient:
        time.sleep(_QUIET_S)
        data = atomic.content(path)
    return data


def put(place: Place, path: str, data: bytes | None, *, expected: str, mode: int = 0) -> None:
    """Makes `path` hold `data`, or removes it (None); errors as `atomic.replace`. `mode` is for a new file, 0 is any."""
    if data is None:
        atomic.remove(path, expected=expected)
        return
    if expected == ABSENT:
        _folder(place, path)
    atomic.replace(path, data, expected=expected)
    if mode and expected == ABSENT:
        os.chmod(path, mode)


def guarded(path: str, call: Callable[[], None]) -> bool:
    """Whether `call` could do its work on `path`; a refusal of the machine or of the file is an answer here."""
    try:
        call()
    except (OSError, MemError):
        return False
    return True


def sweep(path: str, before_s: float) -> None:
    """Takes away the temporary files that a killed writer left beside the file `path`, from before `before_s` (epoch)."""
    folder = os.path.dirname(os.path.realpath(path))
    with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        for item in list(os.scandir(folder)):
            if item.name.startswith(atomic.PREFIX) and item.name.endswith(atomic.SUFFIX):
                clear(item, before_s)


def clear(item: os.DirEntry[str], before_s: float) -> None:
    """Removes one left-over file that was last written before `before_s` (epoch)."""
    with suppress(FileNotFoundError):
        if item.stat(follow_symlinks=False).st_mtime <= before_s:
            os.unlink(item.path)


def mode_of(path: str) -> int:
    """The permission bits of `path`, 0 when there is no such file."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        return 0


def _cut(data: bytes | None) -> bool:
    return data is not None and not data.endswith(b"\n")


def _fresh(path: str) -> bool:
    try:
        return abs(time.time() - os.stat(path).st_mtime) < _QUIET_S
    except OSError:
        return False


def _folder(place: Place, path: str) -> None:
    """Makes the directory of `path`: private in the home, elsewhere as the user's umask has it."""
    folder = os.path.dirname(os.path.realpath(path))
    if folder.startswith(os.path.realpath(place.home) + os.sep):
        atomic.private_dir(folder)
    else:
        os.makedirs(folder, exist_ok=True)

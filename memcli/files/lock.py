"""One writer at a time: a lock file, held for the length of a `with` block."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from memcli.errors import Busy, Unreadable

fcntl: Any
try:
    import fcntl
except ImportError:  # Windows locks in another way
    fcntl = None

# A try takes 0.05 ms.
_POLL_S = 0.005
_LOCKLESS = frozenset((errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP))


@contextmanager
def held(path: str, wait_s: float) -> Iterator[bool]:
    """True; within the block no other process, and no other thread of this one, holds the lock at `path`.

    False where the file system has no locks (some network shares): then nobody is kept out, and only the comparison
    before a write protects. The kernel's lock counts, not what the file says: the process that held it may be dead,
    its number somebody else's, the content garbled. The file (0600) stays when the lock is gone: to remove it would
    let two waiters hold two different files.

    Raises:
        Busy: somebody else held it for `wait_s` seconds.
        Unreadable: `path` is a symlink, which is never followed, or no regular file.
    """
    fd = _open(path)
    if fcntl is None:
        os.close(fd)
        with _windows(path, wait_s):
            yield True
        return
    try:
        yield _locked(fd, path, wait_s)
    finally:
        with suppress(OSError):
            fcntl.flock(fd, fcntl.LOCK_UN)  # a fork may have the file open still
        os.close(fd)


def _locked(fd: int, path: str, wait_s: float) -> bool:
    """Whether the lock is held now; False where the file system has none."""
    late = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= late:
                raise _busy(path, wait_s) from None
        except OSError as error:
            if error.errno in _LOCKLESS:
                return False
            raise
        time.sleep(_POLL_S)


@contextmanager
def _windows(path: str, wait_s: float) -> Iterator[None]:
    # Imported here: 15 ms, and only Windows needs more than one call to the system.
    from filelock import FileLock, Timeout

    lock = FileLock(path, timeout=wait_s, mode=0o600)
    try:
        lock.acquire(poll_interval=_POLL_S)
    except Timeout:
        raise _busy(path, wait_s) from None
    try:
        yield
    finally:
        lock.release()


def _busy(path: str, wait_s: float) -> Busy:
    return Busy(
        f"{path} is locked by another process (waited {wait_s:g} s)", hint="try again, or wait longer: --wait 60"
    )


def _open(path: str) -> int:
    """The lock file, open. It is ours to open: one that was planted as a symlink is refused."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        return os.open(path, flags, 0o600)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK, errno.EISDIR, errno.ENXIO):
            raise Unreadable(f"{path} is no lock file: {error.strerror}", hint=f"look at it, then: rm {path}") from None
        raise

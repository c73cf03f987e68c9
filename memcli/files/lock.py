"""One writer at a time: a lock file, held for the length of a `with` block."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from memcli.errors import Busy, Unreadable

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
    # Imported here: 40 ms, and reading needs no lock.
    from filelock import FileLock, Timeout

    if not _claim(path):
        yield False
        return
    lock = FileLock(path, timeout=wait_s, mode=0o600)
    locked = True
    try:
        lock.acquire(poll_interval=_POLL_S)
    except Timeout:
        raise Busy(
            f"{path} is locked by another process (waited {wait_s:g} s)", hint="try again, or wait longer: --wait 60"
        ) from None
    except OSError as error:
        if error.errno not in _LOCKLESS:
            raise
        locked = False
    try:
        yield locked
    finally:
        lock.release()


def _claim(path: str) -> bool:
    """Whether the lock file can be locked at all. It is ours to open: one that was planted as a symlink is refused."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        fd = os.open(path, flags, 0o600)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK, errno.EISDIR, errno.ENXIO):
            raise Unreadable(f"{path} is no lock file: {error.strerror}", hint=f"look at it, then: rm {path}") from None
        raise
    try:
        return _lockable(fd)
    finally:
        os.close(fd)


def _lockable(fd: int) -> bool:
    """Whether the system knows flock. Where it does not, filelock takes the file itself for a lock that is held."""
    try:
        import fcntl
    except ImportError:  # Windows locks in another way
        return True
    try:
        fcntl.flock(fd, fcntl.LOCK_UN)
    except OSError as error:
        return error.errno not in _LOCKLESS
    return True

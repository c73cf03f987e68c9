"""Whole-file writes that either happen or do not: compare, write beside, flush, rename.

The comparison narrows the race between reading and writing, the rename hides half-written files; only a lock (see
`lock`) closes the race between two writers.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
from contextlib import suppress
from io import BufferedReader

from memcli.errors import MemError, StaleWrite, Unreadable

ABSENT = "absent"
"""The digest of a file that does not exist."""

# A watcher knows these names and looks away.
PREFIX, SUFFIX = ".mem-", ".tmp"

# A pipe without a writer would block for ever.
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def open_file(path: str) -> BufferedReader:
    """The regular file `path`, open for reading as bytes. A symlink is followed; a pipe is never waited for.

    Raises:
        Unreadable: a directory, a pipe, or anything else but a regular file.
        OSError: no such file, no permission.
    """
    fd = os.open(path, _READ)
    kind = os.fstat(fd).st_mode
    if stat.S_ISREG(kind):
        return open(fd, "rb")
    os.close(fd)
    raise Unreadable(f"{path} is {'a directory' if stat.S_ISDIR(kind) else 'no regular file'}")


def content(path: str) -> bytes | None:
    """What the file `path` holds, None when there is none; errors as `open_file`."""
    try:
        with open_file(path) as file:
            return file.read()
    except FileNotFoundError:
        return None


def digest(path: str) -> str:
    """The SHA-256 of the content of `path`, 64 hex characters, or ABSENT; errors as `open_file`."""
    try:
        with open_file(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return ABSENT


def replace(path: str, data: bytes, *, expected: str) -> str:
    """The digest of `data`, once `path` holds it.

    A file keeps its mode and its owner; a new one is as private as its directory. A crash at any moment leaves the
    old content or the new one, and at worst a `.mem-*.tmp` beside it.

    Args:
        path: an existing file, or a new name in an existing directory. Symlinks are followed, however many.
        data: the whole new content.
        expected: the digest of what the caller read, or ABSENT for a new file.

    Raises:
        StaleWrite: the file no longer has `expected`; nothing was written.
        MemError: the file or its directory is read-only, or the symlinks go round in a circle; `path` is untouched.
        OSError: no space; `path` is untouched and no temporary file remains.
    """
    real = os.path.realpath(path)
    if os.path.islink(real):
        raise Unreadable(f"{path} is a circle of symlinks")
    _compare(real, path, expected)
    before = writable(path) if expected != ABSENT else None
    try:
        _swap(real, path, data, before, expected)
    except PermissionError as error:
        raise MemError(f"cannot write {path}: {error.strerror}", hint=f"ls -ld {os.path.dirname(real)}") from error
    except OSError as error:
        if error.errno == errno.EROFS:
            raise MemError(f"cannot write {path}: {error.strerror}") from error
        raise
    return hashlib.sha256(data).hexdigest()


def remove(path: str, *, expected: str) -> None:
    """Takes the file `path` away; of a symlink its target, so that a later write goes where the link leads.

    Raises:
        StaleWrite: the file no longer has `expected`; it is still there.
        MemError: the file or its directory is read-only.
    """
    real = os.path.realpath(path)
    _compare(real, path, expected)
    writable(path)
    try:
        os.unlink(real)
    except PermissionError as error:
        raise MemError(f"cannot remove {path}: {error.strerror}", hint=f"ls -ld {os.path.dirname(real)}") from error
    flush(os.path.dirname(real))


def writable(path: str) -> os.stat_result:
    """The status of the file `path`, which may be written; a rename would go over a read-only one, so this asks first.

    Raises:
        MemError: it is read-only, or somebody else's.
    """
    status = os.stat(path)
    if not status.st_mode & 0o222:
        mode = stat.S_IMODE(status.st_mode)
        raise MemError(f"{path} is read-only (mode {mode:04o})", hint=f"chmod u+w {path}")
    if not os.access(path, os.W_OK):
        raise MemError(f"cannot write {path}: it belongs to somebody else, or its file system is read-only")
    return status


def private_dir(path: str) -> None:
    """Makes the directory `path` and its missing parents, each 0700 whatever the umask; an existing one stays."""
    if os.path.isdir(path):
        return
    parent = os.path.dirname(os.path.abspath(path))
    if parent != path:
        private_dir(parent)
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)
        # A umask can only take away; take nothing away from the owner.
        os.chmod(path, 0o700)


def create_private(path: str) -> None:
    """Makes the empty file `path`, 0600 whatever the umask, and its missing directories; an existing file stays."""
    private_dir(os.path.dirname(os.path.abspath(path)))
    with suppress(FileExistsError):
        fd = os.open(path, _NEW, 0o600)
        os.fchmod(fd, 0o600)
        os.close(fd)


def fill(fd: int, data: bytes) -> None:
    """Writes all of `data` to `fd`: one write may take less, and never takes more than 2 GiB."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def flush(folder: str) -> None:
    """Makes what was renamed in `folder` last: the name of a file is in its directory."""
    try:
        fd = os.open(folder, os.O_RDONLY)
    except PermissionError:
        # A directory that may be written and entered but not listed.
        return
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _compare(real: str, path: str, expected: str) -> None:
    if digest(real) != expected:
        raise _stale(path)


def _look(real: str) -> tuple[int, ...] | None:
    """What changes about the file whenever its content does, None when there is none."""
    try:
        status = os.stat(real)
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _stale(path: str) -> StaleWrite:
    return StaleWrite(f"{path} changed meanwhile; nothing was written", hint="run the command again")


def _swap(real: str, path: str, data: bytes, before: os.stat_result | None, expected: str) -> None:
    """Writes `data` beside `real`, then puts it there."""
    folder = os.path.dirname(real)
    temporary = os.path.join(folder, f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}")
    mode = os.stat(folder).st_mode & 0o666 if before is None else 0o600
    fd = os.open(temporary, _NEW, mode)
    try:
        try:
            fill(fd, data)
            if before is not None:
                _own(fd, path, before)
            os.fsync(fd)
        finally:
            os.close(fd)
        # Reading takes a while; the second look leaves a stranger two system calls' time.
        seen = _look(real)
        _compare(real, path, expected)
        if _look(real) != seen:
            raise _stale(path)
        _put(temporary, real, path, new=before is None)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    flush(folder)


def _put(temporary: str, real: str, path: str, *, new: bool) -> None:
    """Gives the temporary file its name. A link, unlike a rename, fails when somebody made the file just now."""
    if new:
        try:
            os.link(temporary, real)
        except FileExistsError:
            raise _stale(path) from None
        except OSError:
            # A file system without hard links.
            os.replace(temporary, real)
        else:
            os.unlink(temporary)
        return
    os.replace(temporary, real)


def _own(fd: int, path: str, before: os.stat_result) -> None:
    """Gives the new file the owner and the mode of the old one, in this order: a change of owner clears mode bits."""
    now = os.fstat(fd)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        try:
            os.fchown(fd, before.st_uid, before.st_gid)
        except PermissionError:
            raise MemError(f"cannot write {path}: a new file would not keep its owner") from None
    os.fchmod(fd, stat.S_IMODE(before.st_mode))

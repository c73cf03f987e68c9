"""A home with a history to play with."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from memcli.files.atomic import digest
from memcli.store.history import Change, Operation, apply, notice, operations

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)


def read(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def change(path: Path, after: bytes | None) -> Change:
    """The change of what `path` holds now to `after`."""
    return Change(str(path), digest(str(path)), after, read(path))


def write(home: Path, *changes: Change, verb: str = "add", now: datetime = NOW) -> Operation:
    return apply(str(home), changes, verb=verb, actor="tester", summary=[("add", "k7f3q2", "a line")], now=now)


def put(home: Path, path: Path, after: bytes | None, now: datetime = NOW) -> Operation:
    """The operation that made `path` hold `after`."""
    return write(home, change(path, after), now=now)


def notice_all(home: Path, paths: list[Path]) -> list[Operation]:
    return notice(str(home), [str(path) for path in paths], NOW)


def states(home: Path) -> list[tuple[str, str]]:
    """Verb and state of every operation, newest first."""
    return [(item.verb, item.state) for item in operations(str(home))]


def litter(*folders: Path) -> list[str]:
    """Every temporary file below `folders`."""
    return [
        name
        for folder in folders
        for where, _, names in os.walk(folder)
        for name in names
        if name.startswith(".mem-") or os.path.basename(where) == "new"
    ]


def forked(act: Callable[[], None]) -> int:
    """How a process that does `act` ends: the number of the signal that killed it, else 0 for success and 1 for an error."""
    return ended(spawned(act))


def spawned(act: Callable[[], None]) -> int:
    """The id of a new process that does `act`."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        act()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def ended(pid: int) -> int:
    """As `forked`, once the process `pid` has ended."""
    status = os.waitpid(pid, 0)[1]
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


class Doom:
    """Kills this process at its `step`-th call that writes, just before it, or in the middle of a write (`half`)."""

    CALLS = (
        "replace",
        "rename",
        "write",
        "fsync",
        "unlink",
        "link",
        "truncate",
        "ftruncate",
        "mkdir",
        "chmod",
        "fchmod",
    )

    def __init__(self, step: int, *, half: bool = False) -> None:
        self.left = step
        self.half = half
        for name in self.CALLS:
            setattr(os, name, self.fatal(getattr(os, name), torn=name == "write"))

    def fatal(self, call: Callable[..., object], *, torn: bool) -> Callable[..., object]:
        def counted(*args: object, **more: object) -> object:
            self.left -= 1
            if self.left < 0:
                if torn and self.half:
                    fd, data = args
                    call(fd, memoryview(data)[: len(data) // 2])  # type: ignore[arg-type]
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **more)

        return counted

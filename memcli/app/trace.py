"""Reading the history: what was done, by mem and by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from memcli import clock
from memcli.errors import Busy, MemError
from memcli.files import sources
from memcli.store import history
from memcli.store.history import Operation

PATIENCE_S = 0.5  # of a reader, for the lock under which edits by hand are noted


class Trace:
    """The history of one home, seen from one working directory."""

    def __init__(self, home: str, cwd: str, environ: Mapping[str, str]) -> None:
        self.home, self.cwd, self.environ = home, cwd, environ
        self.notes: list[str] = []

    def log(self, limit: int | None = None, entry: str = "") -> Iterator[Operation]:
        """The operations, newest first; with `entry` those that touched an entry whose id begins so.

        What was edited by hand since mem last looked becomes an operation first, where the home can be written.
        """
        self._notice()
        found = history.operations(self.home)
        return islice((one for one in found if not entry or _touches(one, entry)), limit)

    def _notice(self) -> None:
        found = sources.discover(self.home, self.cwd, self.environ)
        paths = [source.real for source in found.files if source.kind != sources.LOG]
        try:
            history.notice(self.home, paths, clock.now(self.environ), wait_s=PATIENCE_S)
        except Busy:
            self.notes.append("another mem is writing; edits by hand may be missing")
        except (MemError, OSError) as error:
            self.notes.append(f"edits by hand cannot be noted: {_reason(error)}")


def _touches(operation: Operation, entry: str) -> bool:
    return any(line.entry.startswith(entry) for line in operation.summary)


def _reason(error: MemError | OSError) -> str:
    return sources.reason(error) if isinstance(error, OSError) else str(error)

"""A transaction over several files: compare, merge, keep images, say what is intended, do it, say that it is done."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from memcli import clock
from memcli.errors import MemError, StaleWrite
from memcli.files import atomic
from memcli.store.history import disk, journal, objects
from memcli.store.history.data import Change, Line, Merge, Operation, digested
from memcli.store.history.disk import Job
from memcli.store.history.lines import lines_merge
from memcli.store.history.notice import seen
from memcli.store.history.place import Place, at
from memcli.store.history.recover import mended, roll_back

# A stranger's write must hit a window of about 1 ms; three in a row are no accident.
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Writer:
    """How to write, while the lock is held; `notes` collects what the person should know."""

    place: Place
    now: datetime
    merge: Merge
    notes: list[str]


def apply(
    home: str,
    changes: Sequence[Change],
    *,
    verb: str,
    actor: str,
    summary: Sequence[tuple[str, str, str]],
    now: datetime,
    wait_s: float = 10.0,
    merge: Merge = lines_merge,
) -> Operation:
    """The operation that made all of `changes`, each file at once; whatever is raised, no file has changed.

    A file that moved on since its change was made gets both changes, by `merge`. Changes that change nothing leave
    no trace, and an operation without an id comes back.

    Raises:
        StaleWrite: a file moved on, and what is wanted contradicts what happened to it.
        Busy: another writer held the lock for `wait_s` seconds.
        MemError: a file is read-only, a directory, twice among `changes`; no space.
    """
    place = at(home)
    _distinct(changes)
    with place.locked(wait_s) as sure:
        writer = Writer(place, now, merge, mended(place, sure))

        def plan() -> list[Job]:
            return [job for change in changes if (job := planned(writer, change)) is not None]

        wanted = Operation("", clock.render(now), verb, actor, tuple(Line(*line) for line in summary))
        return tried(writer, plan, wanted)


def planned(writer: Writer, change: Change) -> Job | None:
    """What has to be done for `change` to be in its file, None when it is already.

    Raises:
        StaleWrite: the file moved on, and the two changes contradict each other.
    """
    old, _ = seen(writer.place, change.path, writer.now)
    if digested(old) == change.before or old == change.after:
        new = change.after
    else:
        new = _merged(writer, change, old)
        writer.notes.append(f"{change.path} changed meanwhile; both changes are in it")
    return None if new == old else Job(change.path, old, new)


def tried(writer: Writer, plan: Callable[[], list[Job]], wanted: Operation) -> Operation:
    """`wanted`, done as `plan` has it. When a stranger, who knows no lock, writes in between, the plan is made anew."""
    for _ in range(_TRIES - 1):
        jobs = plan()
        with suppress(StaleWrite):
            return _commit(writer, jobs, wanted)
    return _commit(writer, plan(), wanted)


def _commit(writer: Writer, jobs: Sequence[Job], wanted: Operation) -> Operation:
    """`wanted` with its id, once all of `jobs` are done; on an error those done are taken back."""
    if not jobs and not wanted.of:
        return replace(wanted, notes=tuple(writer.notes))
    operation = _begin(writer.place, jobs, wanted)
    try:
        for step, job in zip(operation.steps, jobs, strict=True):
            disk.put(writer.place, job.path, job.new, expected=step.before, mode=job.mode)
    except (OSError, MemError) as error:
        roll_back(writer.place, operation, writer.now)
        if isinstance(error, OSError):
            raise _refused(error) from error
        raise
    _close(writer, operation)
    return replace(operation, notes=tuple(writer.notes))


def _begin(place: Place, jobs: Sequence[Job], wanted: Operation) -> Operation:
    """The operation as the journal has it now, its images kept."""
    try:
        for job in jobs:
            if job.old is not None:
                atomic.writable(job.path)
        for data in (data for job in jobs for data in (job.old, job.new) if data is not None):
            objects.put(place, data)
        return journal.begin(place, replace(wanted, steps=tuple(job.step for job in jobs)))
    except OSError as error:
        raise _refused(error) from error


def _close(writer: Writer, operation: Operation) -> None:
    try:
        journal.done(writer.place, operation.id, writer.now)
    except OSError as error:
        # The files are as wanted; the next writer sees that and notes it.
        writer.notes.append(f"the journal could not be completed: {error.strerror}")


def _merged(writer: Writer, change: Change, theirs: bytes | None) -> bytes:
    """The content with the change that was wanted and the one that happened meanwhile."""
    base = b"" if change.before == digested(None) else _base(writer.place, change)
    if theirs is None or change.after is None or base is None:
        what = "is gone" if theirs is None else "changed meanwhile"
        raise StaleWrite(f"{change.path} {what}; nothing was written", hint="run the command again")
    new = writer.merge(base, change.after, theirs)
    if new is None:
        what = "changed meanwhile, in the same place"
        raise StaleWrite(f"{change.path} {what}; nothing was written", hint="run the command again")
    return new


def _base(place: Place, change: Change) -> bytes | None:
    if change.base is not None and digested(change.base) == change.before:
        return change.base
    return objects.find(place, change.before)


def _distinct(changes: Sequence[Change]) -> None:
    real = [os.path.realpath(change.path) for change in changes]
    twice = [change.path for change, path in zip(changes, real, strict=True) if real.count(path) > 1]
    if twice:
        raise MemError(f"{' and '.join(dict.fromkeys(twice))} lead to the same file; nothing was written")


def _refused(error: OSError) -> MemError:
    name = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
    return MemError(f"{name}{error.strerror or error}; nothing was changed")

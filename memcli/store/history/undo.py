"""An operation taken back, by one that can be taken back itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memcli import clock
from memcli.errors import MemError, StaleWrite, Usage
from memcli.files import atomic
from memcli.files.atomic import ABSENT
from memcli.store.history import journal, objects
from memcli.store.history.data import DONE, EXPIRED, UNDO, UNDONE, Change, Merge, Operation, Step, digested
from memcli.store.history.disk import Job
from memcli.store.history.lines import lines_merge
from memcli.store.history.place import Place, at
from memcli.store.history.recover import mended
from memcli.store.history.write import Writer, planned, tried

# Fewer letters of an id are more likely a typing error than a name.
_SHORTEST = 4


def undo(
    home: str,
    op_id: str | None,
    *,
    actor: str,
    now: datetime,
    wait_s: float = 10.0,
    merge: Merge = lines_merge,
) -> Operation:
    """The operation (verb `undo`) that took `op_id` back, or the last one that is not undone, undos aside.

    A file that still holds what the operation wrote gets its old content, and its old mode if it was removed; one
    that was created goes. A file that moved on keeps what came later, by `merge`. To undo an undo, name its id.

    Args:
        op_id: an id, or its first letters (4 or more) when no other begins with them.

    Raises:
        StaleWrite: what came later contradicts the undo; nothing was written.
        MemError: nothing to undo, undone already, or the images are no longer kept.
        Damaged: an image is missing or corrupt.
    """
    place = at(home)
    with place.locked(wait_s) as sure:
        writer = Writer(place, now, merge, mended(place, sure))
        operation = _named(place, op_id) if op_id is not None else _last(place)
        _possible(place, operation)

        def plan() -> list[Job]:
            steps = (step for step in operation.steps if step.path not in operation.left)
            return [job for step in steps if (job := _job(writer, operation, step)) is not None]

        wanted = Operation("", clock.render(now), UNDO, actor, operation.summary[::-1], of=operation.id)
        return tried(writer, plan, wanted)


def _last(place: Place) -> Operation:
    for operation in journal.operations(place):
        if operation.state == DONE and not operation.of:
            return operation
    raise MemError("there is nothing to undo", hint="mem log")


def _named(place: Place, op_id: str) -> Operation:
    wanted = op_id.lower()
    found = [item for item in journal.operations(place) if item.id.startswith(wanted)]
    if not found or len(wanted) < _SHORTEST:
        raise Usage(f"no operation {op_id!r}", hint="mem log")
    if len(found) > 1 and all(item.id != wanted for item in found):
        raise Usage(f"{op_id!r} may be {' or '.join(item.id for item in found)}", hint="mem log")
    return next((item for item in found if item.id == wanted), found[0])


def _possible(place: Place, operation: Operation) -> None:
    """Refuses what cannot be undone, and says what can."""
    if operation.state == DONE:
        return
    if operation.state == EXPIRED:
        raise MemError(f"{operation.id} is too old to be undone: its contents are no longer kept", hint="mem log")
    by = _undoer(place, operation) if operation.state == UNDONE else ""
    raise MemError(f"{operation.id} is {operation.state} already", hint=f"mem undo {by}" if by else "mem log")


def _undoer(place: Place, operation: Operation) -> str:
    return next((item.id for item in journal.operations(place) if item.of == operation.id and item.state == DONE), "")


def _job(writer: Writer, operation: Operation, step: Step) -> Job | None:
    """What takes `step` back: the change from its new content to its old one, made to what the file holds now."""
    old = objects.content(writer.place, step.before)
    if old is None and digested(atomic.content(step.path)) not in (step.after, ABSENT):
        # What the operation created has grown since: only its own part goes.
        old = b""
    try:
        job = planned(writer, Change(step.path, step.after, old))
        return replace(job, mode=step.mode) if job is not None and job.old is None else job
    except StaleWrite:
        later = _later(writer.place, operation, step)
        raise StaleWrite(
            f"{step.path} was changed since {operation.id}, in the same place; nothing was written",
            hint=f"mem undo {later}" if later else f"edit {step.path} by hand",
        ) from None


def _later(place: Place, operation: Operation, step: Step) -> str:
    """The newest operation after `operation` that touched the same file and is not undone."""
    for item in journal.operations(place):
        if item.id == operation.id:
            return ""
        if item.state == DONE and step.path in item.paths:
            return item.id
    return ""

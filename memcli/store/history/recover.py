"""What a killed writer left is finished or taken back, so that each operation is in the files wholly or not at all."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice

from memcli.errors import Damaged
from memcli.files.atomic import digest
from memcli.store.history import disk, journal, objects
from memcli.store.history.data import PENDING, ROLLED_BACK, Operation, Step
from memcli.store.history.place import Place, at

# With a lock only the newest operation can be pending; without one, several writers may have died.
_RECENT = 8

# Where no lock keeps writers apart, a pending operation may be at work; none takes this long.
_LIVE_S = 60.0


def recover(home: str, *, wait_s: float = 10.0) -> list[str]:
    """What was mended, a sentence each; empty when all was well. Every writer does this first.

    An operation whose files all hold their new content is marked as done. Any other is rolled back: each file that
    holds the new content gets the old one; a file that holds neither was edited since, stays, and is named.

    Raises:
        Busy: another writer held the lock for `wait_s` seconds.
    """
    place = at(home)
    if not os.path.exists(place.journal) and not os.path.isdir(place.staging):
        return []
    with place.locked(wait_s) as sure:
        return mended(place, sure)


def mended(place: Place, sure: bool) -> list[str]:
    """As `recover`, for who holds the lock; `sure` is whether it keeps others out."""
    notes = [] if sure else [f"{place.home} is on a file system without locks: do not write from two places at once"]
    before = time.time() - (0.0 if sure else _LIVE_S)
    _tidy(place, before)
    if not os.path.exists(place.journal) or (not sure and os.path.getmtime(place.journal) > before):
        return notes
    journal.mend(place)
    for operation in list(islice(journal.operations(place), _RECENT)):
        if operation.state == PENDING:
            notes += _finish(place, operation, before)
    return notes


def roll_back(place: Place, operation: Operation, now: datetime) -> Operation:
    """`operation` rolled back, and noted as such: each file that holds its new content has the old one again."""
    left = tuple(step.path for step in reversed(operation.steps) if not _restored(place, step))
    with suppress(OSError):  # a full disk: the next writer finds nothing to roll back, and notes it
        journal.back(place, operation.id, left, now)
    return replace(operation, state=ROLLED_BACK, left=left)


def _finish(place: Place, operation: Operation, before: float) -> list[str]:
    for step in operation.steps:
        disk.sweep(step.path, before)
    now = datetime.now(UTC)
    if all(_digest(step) == step.after for step in operation.steps):
        journal.done(place, operation.id, now)
        return [f"finished {operation.verb} {operation.id}, which was interrupted"]
    left = roll_back(place, operation, now).left
    return [f"rolled back {operation.verb} {operation.id}, which was interrupted"] + [
        f"{path} was changed since and stays as it is" for path in left
    ]


def _restored(place: Place, step: Step) -> bool:
    """Whether the file holds what it held before the operation, now if not already."""
    found = _digest(step)
    if found != step.after:
        return found == step.before
    try:
        old = objects.content(place, step.before)
    except Damaged:
        return False
    return disk.guarded(step.path, lambda: disk.put(place, step.path, old, expected=found, mode=step.mode))


def _digest(step: Step) -> str:
    """The digest of the file now; "" of what cannot be read or is no file any more."""
    found = ""

    def look() -> None:
        nonlocal found
        found = digest(step.path)

    disk.guarded(step.path, look)
    return found


def _tidy(place: Place, before: float) -> None:
    """Takes away half-written objects."""
    for item in list(os.scandir(place.staging)):
        disk.clear(item, before)

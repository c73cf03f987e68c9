"""What was changed by hand becomes an operation of the log too."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime

from memcli import clock
from memcli.store.history import disk, journal, objects
from memcli.store.history.data import BY_HAND, EDITOR, PENDING, ROLLED_BACK, Operation, Step, digested
from memcli.store.history.place import Place, at
from memcli.store.history.recover import mended


def notice(home: str, paths: Sequence[str], now: datetime, *, wait_s: float = 10.0) -> list[Operation]:
    """The edits found: one operation for each of `paths` that no longer holds what history last saw in it.

    A file that history has never seen has nothing to compare with, and is passed over.

    Raises:
        Busy: another writer held the lock for `wait_s` seconds.
    """
    place = at(home)
    known = [path for path in paths if journal.mentions(place, path)]
    if not known:
        return []
    with place.locked(wait_s) as sure:
        mended(place, sure)
        found = [seen(place, path, now)[1] for path in known]
    return [operation for operation in found if operation is not None]


def seen(place: Place, path: str, now: datetime) -> tuple[bytes | None, Operation | None]:
    """What `path` holds, and the edit by hand that made it so, noted in the log; for who holds the lock."""
    last = last_seen(place, path)
    data = disk.settled(path, last)
    if not last or digested(data) == last:
        return data, None
    return data, _note(place, path, data, last, now)


def last_seen(place: Place, path: str) -> str:
    """The digest that `path` had when history last looked; "" when it never did."""
    if not journal.mentions(place, path):
        return ""
    own = os.path.realpath(path)
    for operation in journal.operations(place):
        for step in operation.steps:
            if step.path == own and own not in operation.left and operation.state != PENDING:
                return step.before if operation.state == ROLLED_BACK else step.after
    return ""


def _note(place: Place, path: str, data: bytes | None, last: str, now: datetime) -> Operation:
    if data is not None:
        objects.put(place, data)
    step = Step(os.path.realpath(path), last, digested(data))
    made = Operation("", clock.render(now), BY_HAND, EDITOR, steps=(step,))
    return journal.begin(place, made, do="seen")

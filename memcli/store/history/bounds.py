"""How far back a history reaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from memcli import clock
from memcli.files.atomic import ABSENT
from memcli.store.history import journal, objects
from memcli.store.history.data import DONE, EXPIRED, PENDING, UNDONE, Operation
from memcli.store.history.place import Place, at
from memcli.store.history.recover import mended

MAX_AGE_DAYS = 90
MAX_BYTES = 64 << 20


def trim(
    home: str,
    *,
    now: datetime,
    max_age_days: float = MAX_AGE_DAYS,
    max_bytes: int = MAX_BYTES,
    wait_s: float = 10.0,
) -> int:
    """The bytes set free. Images go that only operations older than `max_age_days` need, or than the newest
    `max_bytes` of images; the log keeps their lines.

    The last operation keeps its images, and every file the newest one, which later edits are compared and merged with.

    Raises:
        Busy: another writer held the lock for `wait_s` seconds.
    """
    place = at(home)
    with place.locked(wait_s) as sure:
        mended(place, sure)
        sizes = dict(objects.each(place))
        known = list(journal.operations(place))
        kept = list(_kept(known, sizes, now - timedelta(days=max_age_days), max_bytes))
        gone = [item for item in known[len(kept) :] if item.state in (DONE, UNDONE)]
        if gone:
            journal.expired(place, gone[0].id, now)
        return _drop(place, sizes, _images(kept) | _newest(known))


def _kept(known: Iterable[Operation], sizes: dict[str, int], oldest: datetime, limit: int) -> Iterator[Operation]:
    """The operations, newest first, up to the first that is too old or too much."""
    counted: set[str] = set()
    for number, operation in enumerate(known):
        counted |= _images([operation])
        too_much = sum(sizes.get(digest, 0) for digest in counted) > limit
        if number and operation.state != PENDING and (too_much or _older(operation, oldest)):
            return
        if operation.state == EXPIRED:
            return
        yield operation


def _older(operation: Operation, oldest: datetime) -> bool:
    moment = clock.parse(operation.time)
    return moment is not None and moment < oldest


def _images(operations: Iterable[Operation]) -> set[str]:
    return {digest for item in operations for step in item.steps for digest in (step.before, step.after)} - {ABSENT}


def _newest(known: Iterable[Operation]) -> set[str]:
    """The digests that each file had last: both sides of its last step, for that may have been rolled back."""
    last: dict[str, set[str]] = {}
    for operation in known:
        for step in operation.steps:
            last.setdefault(step.path, {step.before, step.after})
    return set().union(*last.values())


def _drop(place: Place, sizes: dict[str, int], live: set[str]) -> int:
    free = 0
    for digest, size in sizes.items():
        if digest not in live:
            objects.drop(place, digest)
            free += size
    return free

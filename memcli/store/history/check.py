"""Whether a history is whole."""

from __future__ import annotations

import os
from collections.abc import Iterator

from memcli.errors import Damaged
from memcli.files import jsonl
from memcli.files.atomic import ABSENT
from memcli.store.history import journal, objects
from memcli.store.history.data import EXPIRED, PENDING, ROLLED_BACK
from memcli.store.history.place import Place, at

_KINDS = ("done", "back", "expired")


def verify(home: str) -> list[str]:
    """What is wrong with the history of `home`, a sentence each: lines that cannot be read, images missing or corrupt,
    operations without an end. Reads every image."""
    place = at(home)
    if not os.path.exists(place.journal):
        return []
    return [*_lines(place), *_operations(place)]


def _lines(place: Place) -> Iterator[str]:
    for record in jsonl.records(place.journal):
        where = f"{place.journal}:{record.line}"
        if record.value is None:
            yield f"{where}: {record.problem}"
        elif record.value.get("do") in journal.INTENTS:
            if journal.parse(place, record.value) is None:
                yield f"{where}: damaged: no whole operation"
        elif record.value.get("do") not in _KINDS:
            yield f"{where}: damaged: no record of a history"


def _operations(place: Place) -> Iterator[str]:
    seen = {ABSENT}
    for operation in journal.operations(place):
        if operation.state == PENDING:
            yield f"{operation.verb} {operation.id} has no end: it is at work, or was interrupted"
        if operation.state == EXPIRED:
            return
        steps = () if operation.state == ROLLED_BACK else operation.steps
        for digest in (digest for step in steps for digest in (step.before, step.after)):
            if digest not in seen:
                seen.add(digest)
                yield from _image(place, digest, operation.id)


def _image(place: Place, digest: str, name: str) -> Iterator[str]:
    try:
        objects.get(place, digest)
    except Damaged as error:
        yield f"{name}: {error}"

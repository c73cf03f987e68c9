"""`state/journal.jsonl`: what was about to be done and what came of it, a JSON object a line, only ever appended to.

    {"do":"intent","id":…,"time":…,"verb":…,"actor":…,"of":…,
     "files":[{"path":…,"before":…,"after":…,"mode":…}],"summary":[[op, entry, text]]}
                                    its images are kept, no file is touched yet
    {"do":"seen", as an intent}     an intent that is done: the change was made by hand
    {"do":"done","id":…,"time":…}   every file holds its `after`
    {"do":"back","id":…,"time":…,"left":[paths]}   every file holds its `before` again, but those left alone
    {"do":"expired","id":…,"time":…}   the images of this operation and of all before it are no longer kept

That an operation is undone follows from the undo that names it and is done itself; so one line says both.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import takewhile
from typing import Any

from memcli import clock
from memcli.files import jsonl
from memcli.files.atomic import open_file
from memcli.store.history.data import DONE, EXPIRED, PENDING, ROLLED_BACK, UNDONE, Line, Operation, Step
from memcli.store.history.place import Place

# The newest operations are nearly always the ones that are asked for: some ten are read first, then twice as many.
_FIRST, _MOST = 1 << 12, 1 << 20

INTENTS = ("intent", "seen")


def begin(place: Place, operation: Operation, *, do: str = "intent") -> Operation:
    """`operation` with its id, once the journal has it: as an intent, or (`do` "seen") as done by hand.

    The id is of what the line says and where it stands, so that the same run in the same home gives the same ids.
    """
    record: dict[str, Any] = {
        "time": operation.time,
        "verb": operation.verb,
        "actor": operation.actor,
        "of": operation.of,
        "files": [_file(place, step) for step in operation.steps],
        "summary": [list(line) for line in operation.summary],
    }
    text = json.dumps([_size(place), record])
    name = base64.b32encode(hashlib.sha256(text.encode()).digest())[:8].decode().lower()
    _append(place, {"do": do, "id": name, **record})
    return replace(operation, id=name)


def done(place: Place, name: str, now: datetime) -> None:
    """Notes that the operation `name` is done. Should a power cut take the line, the next writer adds it again."""
    _append(place, {"do": "done", "id": name, "time": clock.render(now)}, lasting=False)


def back(place: Place, name: str, left: tuple[str, ...], now: datetime) -> None:
    """Notes that the operation `name` was rolled back, but for the files `left`."""
    names = [place.name(path) for path in left]
    _append(place, {"do": "back", "id": name, "time": clock.render(now), "left": names})


def expired(place: Place, name: str, now: datetime) -> None:
    """Notes that the images of the operation `name` and of all before it are about to go."""
    _append(place, {"do": "expired", "id": name, "time": clock.render(now)})


def operations(place: Place) -> Iterator[Operation]:
    """The operations, newest first, each in its present state. Damaged lines are passed over."""
    fold = _Fold(place)
    for record in _backwards(place):
        if record.value is not None and (operation := fold.take(record.value)) is not None:
            yield operation


def mentions(place: Place, path: str) -> bool:
    """Whether the journal may speak of `path`. Quick: most files that are asked about have no history yet."""
    needle = json.dumps(place.name(path), ensure_ascii=False).encode()
    try:
        with open_file(place.journal) as file:
            return needle in file.read()
    except FileNotFoundError:
        return False


def mend(place: Place) -> None:
    """Cuts off a last line without an end, which a killed writer left. Only for who holds the lock."""
    last = next(_backwards(place), None)
    if last is not None and last.problem == jsonl.TORN:
        os.truncate(place.journal, last.start)


def parse(place: Place, value: Mapping[str, Any]) -> Operation | None:
    """The operation that an intent speaks of, as done; None when it is no intent of ours."""
    try:
        return Operation(
            id=str(value["id"]),
            time=str(value["time"]),
            verb=str(value["verb"]),
            actor=str(value["actor"]),
            of=str(value["of"]),
            steps=tuple(_step(place, item) for item in value["files"]),
            summary=tuple(Line(*map(str, line)) for line in value["summary"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


@dataclass(slots=True)
class _Fold:
    """What the records read so far, all of them newer, say about an operation."""

    place: Place
    ends: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    undone: set[str] = field(default_factory=set)
    marks: set[str] = field(default_factory=set)
    expired: bool = False

    def take(self, value: Mapping[str, Any]) -> Operation | None:
        """The operation that `value` begins, if it does."""
        do, name = value.get("do"), str(value.get("id"))
        if do in ("done", "back"):
            self.ends.setdefault(name, value)
        elif do == "expired":
            self.marks.add(name)
        elif do in INTENTS and (operation := parse(self.place, value)) is not None:
            return self._judged(operation, seen=do == "seen")
        return None

    def _judged(self, operation: Operation, *, seen: bool) -> Operation:
        self.expired = self.expired or operation.id in self.marks
        end = self.ends.pop(operation.id, {"do": "done"} if seen else {})
        state = {"done": DONE, "back": ROLLED_BACK}.get(end.get("do", ""), PENDING)
        if state == DONE and operation.id in self.undone:
            state = UNDONE
        elif state == DONE and operation.of:
            self.undone.add(operation.of)
        if self.expired and state in (DONE, UNDONE):
            state = EXPIRED
        left = tuple(self.place.path(name) for name in end.get("left", ()))
        return replace(operation, state=state, left=left)


def _append(place: Place, record: Mapping[str, object], *, lasting: bool = True) -> None:
    jsonl.append(place.journal, [record], lasting=lasting)


def _size(place: Place) -> int:
    try:
        return os.path.getsize(place.journal)
    except FileNotFoundError:
        return 0


def _file(place: Place, step: Step) -> dict[str, object]:
    mode = {"mode": step.mode} if step.mode else {}
    return {"path": place.name(step.path), "before": step.before, "after": step.after, **mode}


def _step(place: Place, item: Mapping[str, Any]) -> Step:
    return Step(place.path(item["path"]), str(item["before"]), str(item["after"]), int(item.get("mode", 0)))


def _backwards(place: Place) -> Iterator[jsonl.Record]:
    """The records of the journal, the last first; a chunk in memory at a time."""
    stop, reach = _size(place), _FIRST
    while stop:
        start = _line_start(place, stop, reach)
        yield from reversed(_between(place, start, stop))
        stop, reach = start, min(2 * reach, _MOST)


def _between(place: Place, start: int, stop: int) -> list[jsonl.Record]:
    return list(takewhile(lambda record: record.start < stop, jsonl.records(place.journal, start)))


def _line_start(place: Place, stop: int, reach: int) -> int:
    """Where a line begins, about `reach` bytes before `stop`, which is the beginning of another or the end."""
    with open_file(place.journal) as file:
        while reach < stop:
            file.seek(stop - reach)
            end = file.read(reach - 1).find(b"\n")
            if end >= 0:
                return stop - reach + end + 1
            reach *= 2
    return 0

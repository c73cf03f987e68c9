"""How an operation of the log is printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memcli.store.history import Operation


def record(operation: Operation, place: Callable[[str], str]) -> dict[str, Any]:
    """The JSON keys of an operation; `place` is how a path is shown."""
    return {
        "id": operation.id, "time": operation.time, "verb": operation.verb, "actor": operation.actor,
        "state": operation.state, "of": operation.of, "summary": [line._asdict() for line in operation.summary],
        "paths": [place(path) for path in operation.paths],
    }  # fmt: skip


def cells(operation: Operation, place: Callable[[str], str]) -> dict[str, str]:
    """The columns of an operation; one that says nothing of entries names its files."""
    said = "; ".join(f"{line.entry}: {line.text}" for line in operation.summary)
    of = f"{operation.of}: " if operation.of else ""
    return {
        "time": operation.time, "id": operation.id, "verb": operation.verb, "actor": operation.actor,
        "state": operation.state, "summary": of + (said or ", ".join(map(place, operation.paths))),
    }  # fmt: skip

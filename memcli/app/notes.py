"""What a person is told of a write besides its summary."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memcli import limits
from memcli.files.markdown import Problem
from memcli.files.sources import show
from memcli.store.draft import Edit

if TYPE_CHECKING:
    from memcli.app.keep import Aim


def told(path: str, edit: Edit) -> Iterator[str]:
    """What an edit has to say, but for what the summary says already."""
    for problem in edit.notes:
        if problem.what != "already there":
            yield placed(path, problem)


def placed(path: str, problem: Problem) -> str:
    """A problem with its place, `path:line: what`."""
    return f"{show(path)}:{problem.line}: {problem.what}" if problem.line else f"{show(path)}: {problem.what}"


def long(aims: Sequence[Aim], edits: Sequence[Edit]) -> Iterator[str]:
    """A note for each MEMORY.md that is longer now than what is loaded of it."""
    for aim, edit in zip(aims, edits, strict=True):
        measured = limits.measure(edit.data) if os.path.basename(aim.path) == limits.INDEX else None
        if measured:
            yield (
                f"{show(aim.path)} has {measured[0]} lines and {len(edit.data):,} bytes: Claude Code loads the first "
                f"{limits.LINES} lines or {limits.BYTES // 1000} KB of it, nothing from line {measured[1]} on"
            )

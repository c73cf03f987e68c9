"""What a check found."""

from __future__ import annotations

import shlex
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    Attributes:
        check: home, config, catalog, encoder, vectors, files, markdown, logs, ids, links, limits or drift.
        path, line: where; line 0 means the file itself.
        repair: a command for the shell that mends it, or leads to where a person does.
        damaged: it stops mem from using something that it keeps.
    """

    check: str
    path: str
    line: int
    what: str
    repair: str
    damaged: bool = False


def edit(path: str, line: int = 0) -> str:
    """The command that opens `path` at a line."""
    return "${EDITOR:-vi} " + (f"+{line} " if line else "") + shlex.quote(path)

"""What goes into a plan for one file and what comes out of it. Plans are pure: bytes in, bytes out, no disk, no clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memcli.entry import TYPES
from memcli.errors import Usage
from memcli.files.markdown import Problem

SHORT = 60  # characters of an entry in a summary: with an id and a verb it fits a line of 80


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry that is to be written.

    Attributes:
        conf: confidence, 0 to 1.
        supersedes: ids of the entries that this one replaces.
        src: where it was learned, each `path:line`.
        section: the heading it goes under, `Outer > Inner` for one below another; None: by its type.
    """

    text: str
    type: str | None = None
    tags: tuple[str, ...] = ()
    conf: float = 1.0
    expires: datetime | None = None
    supersedes: tuple[str, ...] = ()
    src: tuple[str, ...] = ()
    section: str | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """What a plan makes of a file.

    Attributes:
        data: the whole new content; the very bytes that were given when there is nothing to do.
        entry_id: of the entry that was written or found, "" when it has none.
        line: where that entry begins in `data` (of a retired one: where it began), 1-based.
        summary: what was done, for a person and the journal, in one line.
        notes: what the person should know, by line; 0 is the file as a whole.
    """

    data: bytes
    entry_id: str
    line: int
    summary: str
    notes: tuple[Problem, ...] = ()


def check(kind: str | None, conf: float | None) -> None:
    """Refuses (Usage) a type that there is not, and a confidence outside of 0 to 1."""
    if kind is not None and kind not in TYPES:
        raise Usage(f"no such type: {kind}", hint=f"one of {', '.join(TYPES)}")
    if conf is not None and not 0 <= conf <= 1:
        raise Usage(f"a confidence is between 0 and 1, not {conf:g}")


def short(text: str) -> str:
    """`text` in one line of at most SHORT characters."""
    line = " ".join(text.split())
    return line if len(line) <= SHORT else line[: SHORT - 1] + "…"

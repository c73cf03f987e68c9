"""The words of a history: what is wanted, what was done."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from memcli.files.atomic import ABSENT

Merge = Callable[[bytes, bytes, bytes], bytes | None]
"""(base, ours, theirs) -> what has both changes, or None when they contradict each other."""

DONE, PENDING, ROLLED_BACK, UNDONE, EXPIRED = "done", "pending", "rolled back", "undone", "expired"
"""The states of an operation. Pending: its writer is at work or died. Expired: its images are no longer kept."""

BY_HAND, UNDO = "edit-by-hand", "undo"
"""The verbs that history itself gives; all others come from its callers."""

EDITOR = "editor"
"""The actor of what was done by hand."""


@dataclass(frozen=True, slots=True)
class Change:
    """What one file shall hold.

    Attributes:
        path: the file; a symlink is followed, a missing directory made.
        before: the digest of what the caller read, or ABSENT.
        after: the whole new content; None removes the file.
        base: the bytes that `before` is the digest of. Without them a file that moved on is merged only if history
            has an image of what was read.
    """

    path: str
    before: str
    after: bytes | None
    base: bytes | None = None


class Line(NamedTuple):
    """What an operation did to one entry."""

    op: str
    entry: str
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """What an operation did to one file.

    Attributes:
        path: absolute.
        before, after: digests, or ABSENT.
        mode: the permission bits of a file that was removed or came back; else 0.
    """

    path: str
    before: str
    after: str
    mode: int = 0


@dataclass(frozen=True, slots=True)
class Operation:
    """One entry of the log.

    Attributes:
        id: 8 base-32 characters; "" when nothing had to change and the log got no entry.
        time: RFC 3339, UTC.
        actor: who did it (a person, an agent, `dream`, `editor`).
        of: the id of the operation that an undo takes back, else "".
        left: files that a rollback could not bring back, because they were changed since or may not be written.
        notes: sentences for the person, of this run only: what was merged, recovered, or could not be.
    """

    id: str
    time: str
    verb: str
    actor: str
    summary: tuple[Line, ...] = ()
    state: str = DONE
    of: str = ""
    steps: tuple[Step, ...] = ()
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files it touched, absolute."""
        return tuple(step.path for step in self.steps)


def digested(data: bytes | None) -> str:
    """The digest of a content; None is a file that is not there."""
    return ABSENT if data is None else hashlib.sha256(data).hexdigest()

"""Every failure memcli can explain: the exit code on the class, the remedy in `hint`."""

from __future__ import annotations


class MemError(Exception):
    """A failure the user can mend: one line on stderr, never a traceback.

    Attributes:
        exit_code: what the process ends with.
        hint: the next command to type, or "".
    """

    exit_code = 2

    def __init__(self, what: str, *, hint: str = "") -> None:
        super().__init__(what)
        self.hint = hint


class Usage(MemError):
    """Called wrongly."""


class Unreadable(MemError):
    """A file is there but cannot be read, or is not what it should be."""


class StaleWrite(MemError):
    """The file changed between our read and our write; nothing was written."""

    exit_code = 4


class Busy(MemError):
    """Another process held a lock longer than we were told to wait."""

    exit_code = 5


class Damaged(MemError):
    """Something mem keeps is damaged and cannot be rebuilt by itself."""

    exit_code = 6


class EncoderMissing(MemError):
    """The wanted encoder is not installed or does not load; words still work."""

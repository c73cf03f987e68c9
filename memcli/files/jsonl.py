"""JSON Lines that survive crashes: one record a line, what is damaged is named and never hides its neighbours.

A file is read as bytes, one line in memory at a time. Runs of NULs (a crash leaves them) are skipped; a byte order
mark, CRLF and blank lines mean nothing. A record glued to a torn one is read when it can be told from a piece of it:
where the torn record stops to be JSON, another begins and is whole.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from memcli.files.atomic import open_file
from memcli.files.lock import held

TORN = "torn"
"""The problem of a last line without an end: its writer is not done, or died. Read it again from its `start`."""

# Six writers of 300 KB each need under 0.1 s.
WAIT_S = 30.0

_DECODER = json.JSONDecoder(strict=False)
_BOM = b"\xef\xbb\xbf"
_BLANK = b"\0 \t\r\n"
_NOT_NUL = re.compile(rb"[^\0]+")
_OBJECT = re.compile(r'\{\s*["}]')
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Record:
    """One object of the file, or one piece that is none.

    Attributes:
        line: 1-based; several records have the same one when they were glued together.
        start, end: its bytes in the file, without blanks around; `end` of the last in a line is that of the line.
        value: the object, None when there is a problem.
        problem: TORN, or what is wrong; None when all is well.
    """

    line: int
    start: int
    end: int
    value: dict[str, Any] | None
    problem: str | None = None


def records(path: str, start: int = 0, line: int = 1) -> Iterator[Record]:
    """The records of `path` from byte `start` on, which is the beginning of line number `line`.

    Raises:
        Unreadable: a directory, a pipe.
        OSError: no such file, no permission.
    """
    with open_file(path) as file:
        file.seek(start)
        at = start
        for number, raw in enumerate(file, line):
            if raw.strip(_BLANK):
                yield from _records(raw, at, number)
            at += len(raw)


def append(path: str, values: Iterable[Mapping[str, object]], *, wait_s: float = WAIT_S, lasting: bool = True) -> int:
    """The byte offset of the first of `values`, once all of them are on disk, each in a line of its own.

    Not `lasting` returns sooner: they survive the process, but a power cut may take them.

    Safe for many writers: they take turns by a lock file beside it (`<path>.lock`), because one write of more than
    PIPE_BUF bytes may be cut in two. A last line without an end is ended first. A failed append leaves no part.

    Raises:
        Busy: another writer held the lock for `wait_s` seconds.
        ValueError: a value that JSON does not have (NaN); nothing was written.
        OSError: no space, no permission; the file is as it was.
    """
    data = b"".join(_line(value) for value in values)
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    with held(f"{path}.lock", wait_s):
        fd = os.open(path, flags, 0o600)
        try:
            return _append(fd, data, lasting)
        finally:
            os.close(fd)


def _append(fd: int, data: bytes, lasting: bool) -> int:
    size = os.lseek(fd, 0, os.SEEK_END)
    if size and data:
        os.lseek(fd, size - 1, os.SEEK_SET)
        if os.read(fd, 1) != b"\n":
            return _append_whole(fd, b"\n" + data, size, lasting) + 1
    return _append_whole(fd, data, size, lasting)


def _append_whole(fd: int, data: bytes, size: int, lasting: bool) -> int:
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(fd, rest) :]
        if lasting:
            os.fsync(fd)
    except OSError:
        os.ftruncate(fd, size)
        raise
    return size


def _line(value: Mapping[str, object]) -> bytes:
    try:
        return (json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n").encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair has no UTF-8 form, but an escape.
        return (json.dumps(value, allow_nan=False, separators=(",", ":")) + "\n").encode()


def _records(raw: bytes, at: int, line: int) -> Iterator[Record]:
    """What one line holds."""
    if raw.startswith(_BOM):
        raw, at = raw[len(_BOM) :], at + len(_BOM)
    bare = raw.strip(_BLANK)
    start, end = at + len(raw) - len(raw.lstrip(_BLANK)), at + len(raw)
    value = _value(bare)
    if value is not None:
        yield Record(line, start, end, value)
    elif bare:
        *pieces, tail = _pieces(bare, start, line)
        torn = tail.value is None and not raw.endswith(b"\n")
        yield from pieces
        yield replace(tail, end=end, problem=TORN if torn else tail.problem)


def _value(bare: bytes) -> dict[str, Any] | None:
    """The object that `bare` is, or None."""
    try:
        value = _DECODER.decode(bare.decode())
        if not isinstance(value, dict):
            return None
        return _clean(value) if _HALF.search(bare) else value
    except (ValueError, RecursionError):
        # Also what is no UTF-8, and a number of more digits than int() reads.
        return None


def _clean(value: dict[str, Any]) -> dict[str, Any]:
    """`value` with U+FFFD for what no encoder takes: halves of surrogate pairs, bytes that were no UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        cleaned: dict[str, Any] = json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        return cleaned
    return value


def _pieces(bare: bytes, at: int, line: int) -> Iterator[Record]:
    """The whole records of a damaged line, and what lies between them; at least one."""
    for part in _NOT_NUL.finditer(bare):
        start = at + part.start()
        for piece, value, problem in _unglue(part[0].decode("utf-8", "surrogateescape")):
            end = start + len(piece.encode("utf-8", "surrogateescape"))
            if piece.strip():
                yield Record(line, start, end, value, problem)
            start = end


def _unglue(text: str) -> Iterator[tuple[str, dict[str, Any] | None, str | None]]:
    """`text` cut into pieces, each with the object that it is or with what is wrong with it."""
    kept = at = 0
    wrong = ""
    while at < len(text):
        value, stop, problem = _decode(text, at)
        if value is not None:
            yield text[kept:at], None, wrong
            yield text[at:stop], value, None
            kept, wrong = stop, ""
        else:
            wrong = wrong or problem
        follow = _OBJECT.search(text, max(stop, at + 1))
        at = follow.start() if follow is not None else len(text)
    yield text[kept:], None, wrong or "damaged: no JSON object"


def _decode(text: str, at: int) -> tuple[dict[str, Any] | None, int, str]:
    """The record at `at`, where to go on, and what is wrong.

    An object in the middle of a line counts only when the next one or nothing follows: `]` or `}` after it tell that
    it is a part of another one.
    """
    try:
        value, stop = _DECODER.raw_decode(text, at)
        if isinstance(value, dict):
            value = _clean(value)
    except json.JSONDecodeError as error:
        return None, _restart(text, error.pos), f"damaged: {error.msg}"
    except (ValueError, RecursionError) as error:
        return None, len(text), f"unreadable: {error}"
    if not isinstance(value, dict):
        return None, stop, "damaged: no JSON object"
    after = text[stop : stop + 64].lstrip()[:1]
    return (value if at == 0 or after in ("", "{") else None), stop, "damaged: a part of a record"


def _restart(text: str, at: int) -> int:
    """Where the record begins that made JSON fail at `at`: the quote of its first key may have closed a torn string."""
    before = text[max(0, at - 64) : at]
    if before.endswith('"') and (bare := before[:-1].rstrip()).endswith("{"):
        return at - len(before) + len(bare) - 1
    return at

"""What a person means by an id, its beginning, or `path:line`."""

from __future__ import annotations

import os
from difflib import get_close_matches
from shlex import quote
from typing import TYPE_CHECKING

from memcli.errors import MemError, Usage
from memcli.files.sources import show
from memcli.index.catalog import DOC
from memcli.search.query import Doc

if TYPE_CHECKING:
    from memcli.app.memory import Memory

NAMED = 8  # candidates an error names
UNITS = ("entry", "session", "turn")  # whom a name means, when it fits several: turn ids are unique in their log only


class Missing(MemError):
    """There is no such entry."""

    exit_code = 1


def find(memory: Memory, ref: str) -> Doc:
    """The entry, turn or session that `ref` names: an id, the beginning of one, or `path:line`.

    Raises:
        Missing: nothing; the hint names what is near.
        Usage: several; the message names them.
    """
    active = memory.active
    exact = _docs(memory, "eid = ?", ref)
    place, _, line = ref.rpartition(":")
    if not exact and place and line.isdecimal():
        return _at(memory, place, int(line))
    found = exact or _docs(memory, "eid > ? and eid < ?", ref, ref + "\U0010ffff")
    found = [doc for doc in found if doc.file in active]
    unit = next((unit for unit in UNITS if any(doc.unit == unit for doc in found)), "")
    found = [doc for doc in found if doc.unit == unit]
    if not found or not ref:
        raise _missing(memory, ref)
    if len(found) > 1:
        raise _ambiguous(memory, ref, found)
    return found[0]


def _docs(memory: Memory, where: str, *values: str) -> list[Doc]:
    if any("\ud800" <= char <= "\udfff" for value in values for char in value):
        return []  # bytes that are no UTF-8 stand in no id
    return [Doc(row) for row in memory.catalog.rows(f"select {DOC} from doc where {where}", values)]


def _missing(memory: Memory, ref: str) -> Missing:
    rows = memory.catalog.rows("select eid, file from doc where unit = 'entry'")
    near = get_close_matches(ref, dict.fromkeys(eid for eid, file in rows if file in memory.active), n=3)
    return Missing(f"there is no entry {show(ref)}", hint=" or ".join(f"mem show {eid}" for eid in near) or "mem list")


def _ambiguous(memory: Memory, ref: str, found: list[Doc]) -> Usage:
    paths = memory.paths()
    places = [f"{show(paths[doc.file])}:{doc.line}" for doc in found[:NAMED]]
    names = [place if doc.eid == ref else f"{doc.eid} at {place}" for doc, place in zip(found, places, strict=False)]
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return Usage(f"{ref} may be {', '.join(names)}{more}", hint=f"mem show {quote(places[0])}")


def _at(memory: Memory, path: str, line: int) -> Doc:
    """The entry or turn at a line of a file, whose path is relative to the working directory or to the home."""
    for base in (memory.cwd, memory.home):
        real = os.fsencode(os.path.realpath(os.path.join(base, path)))
        for (file,) in memory.catalog.rows("select id from file where path = ?", (real,)):
            if file in memory.active:
                return _covering(memory, file, path, line)
    raise Missing(f"{show(path)} is not read here", hint="mem index FILE_OR_FOLDER")


def _covering(memory: Memory, file: int, path: str, line: int) -> Doc:
    rows = memory.catalog.rows(f"select {DOC} from doc where file = ? and unit != 'session' order by line", (file,))
    docs = [Doc(row) for row in rows]
    holding = [doc for doc in docs if doc.line <= line <= doc.last]
    if not holding:
        near = min(docs, key=lambda doc: abs(doc.line - line), default=None)
        raise Missing(
            f"there is no entry at {show(path)}:{line}",
            hint=f"mem show {quote(show(path))}:{near.line}" if near else "mem list",
        )
    return holding[-1]

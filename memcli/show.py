"""`mem show`: an entry, a turn or a session as its file has it now, found by id, by the beginning of one, or by path:line."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass

from memcli.app.memory import Memory
from memcli.app.refs import find
from memcli.errors import StaleWrite
from memcli.files import jsonl
from memcli.files.sources import LOG
from memcli.index.catalog import DOC
from memcli.index.documents import MAX_TEXT, said
from memcli.search.listed import Listed, over, parts
from memcli.search.query import Doc

BESIDE = 2  # turns on each side: what a question and its answer need to be understood
TRIES = 3  # looks at a file that changes while it is read


class Moved(Exception):
    """The file is no longer what the catalog says."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn with its whole text; `asked` when it is the one that was asked for."""

    line: int
    id: str
    role: str
    time: str
    text: str
    asked: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """What one reference names.

    Attributes:
        raw: the bytes of its span; what is no UTF-8 as lone surrogates. Of a session "".
        turns: of a turn itself and those beside it, of a session all.
        ended: "expired", "superseded" or "".
        heirs: ids of the entries that supersede it.
    """

    found: Listed
    raw: str
    turns: tuple[Turn, ...]
    ended: str
    heirs: tuple[str, ...]


def shown(memory: Memory, ref: str) -> Shown:
    """What `ref` names, read from its file just now.

    Raises:
        Missing: nothing; the hint names what is near.
        Usage: several; the message names them.
        StaleWrite: the file changes faster than it can be read.
    """
    for _ in range(TRIES):
        try:
            return _read(memory, find(memory, ref))
        except Moved:
            memory = memory.again()
    raise StaleWrite(f"{ref}: its file changes all the time", hint=f"mem show {ref}")


def _read(memory: Memory, doc: Doc) -> Shown:
    path, shown_as, kind, digest = memory.catalog.rows(
        "select path, shown, kind, digest from file where id = ?", (doc.file,)
    )[0]
    real = os.fsdecode(path)
    try:
        raw = "" if doc.unit == "session" else _span(real, doc, None if kind == LOG else digest)
        turns = tuple(_turn(real, near, near.id == doc.id) for near in _beside(memory, doc))
    except FileNotFoundError:
        raise Moved from None
    listed = Listed(doc, os.fsdecode(shown_as), memory.active[doc.file])
    return Shown(listed, raw, turns, over(doc, memory.moment), tuple(_heirs(memory, doc)))


def _span(real: str, doc: Doc, digest: bytes | None) -> str:
    """The span of `doc`; a whole file is compared by its digest, of a log only the turn itself (it may just have grown)."""
    with open(real, "rb") as file:
        if digest is None:
            file.seek(doc.start)
            data = file.read(doc.stop - doc.start)
        else:
            whole = file.read()
            if hashlib.blake2b(whole, digest_size=16).digest() != digest:
                raise Moved
            data = whole[doc.start : doc.stop]
    return data.decode("utf-8", "surrogateescape")


def _beside(memory: Memory, doc: Doc) -> Iterable[Doc]:
    """The turns around a turn, all turns of a session, nothing for an entry."""
    if doc.unit == "entry":
        return ()
    low, high = (doc.id - BESIDE, doc.id + BESIDE) if doc.unit == "turn" else (0, doc.id)
    rows = memory.catalog.rows(
        f"select {DOC} from doc where file = ? and unit = 'turn' and id between ? and ? order by id",
        (doc.file, low, high),
    )
    return map(Doc, rows)


def _turn(real: str, doc: Doc, asked: bool) -> Turn:
    record = next(jsonl.records(real, doc.start, doc.line), None)
    value = record.value if record is not None else None
    text = said(value) if value is not None and "type" in value else ""
    if text[:MAX_TEXT][: len(doc.text)] != doc.text:
        raise Moved
    return Turn(doc.line, doc.eid, doc.role, doc.born, text, asked)


def _heirs(memory: Memory, doc: Doc) -> Iterable[str]:
    if doc.unit == "entry":
        for eid, file, olds in memory.catalog.rows("select eid, file, supersedes from doc where supersedes != ''"):
            if file in memory.active and doc.eid in parts(olds):
                yield eid

"""What an entry goes back to: the lines it was learned from, the entries it replaced, the operations that wrote it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from memcli.app import refs, shelf
from memcli.app.memory import Memory
from memcli.app.trace import Trace
from memcli.entry import Meta
from memcli.errors import MemError, Usage
from memcli.files import atomic, jsonl
from memcli.files.markdown import parse
from memcli.index.catalog import DOC
from memcli.index.documents import said
from memcli.search.listed import over, parts
from memcli.search.query import Doc
from memcli.store.history import Operation


@dataclass(frozen=True, slots=True)
class Origin:
    """An entry, or a line that one was learned from.

    Attributes:
        entry: the id, "" for a line of a log or a file.
        path: absolute; `line` in it, 1-based, 0 when none is named.
        note: "retired", "expired", "superseded", "not there"; "" when all is well.
    """

    entry: str
    path: str
    line: int
    text: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an entry is there: what it was learned from, what it replaced (the newest first), and what replaced it."""

    entry: Origin
    sources: tuple[Origin, ...]
    older: tuple[Origin, ...]
    newer: tuple[Origin, ...]
    operations: tuple[Operation, ...]


class Why:
    """The reasons of entries."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.trace = Trace(memory.home, memory.cwd, memory.environ)

    @property
    def notes(self) -> list[str]:
        """What the person should know, once asked."""
        return [*self.memory.notes, *self.trace.notes]

    def of(self, ref: str) -> Reason:
        """Where the entry `ref` (as `refs.find` takes it, or the id of a retired one) comes from.

        Raises:
            Missing: no file and no archive has it.
            Usage: several entries are meant, or a turn of a session, which is evidence itself.
        """
        entry, meta = self._entry(ref)
        learned = tuple(_learned(self.memory.home, place) for place in meta.src)
        operations = tuple(self.trace.log(entry=entry.entry)) if entry.entry else ()
        return Reason(entry, learned, tuple(self._older(meta)), tuple(self._newer(entry.entry)), operations)

    def _entry(self, ref: str) -> tuple[Origin, Meta]:
        """An entry and what its comment says: a living one, else a retired one."""
        try:
            doc = refs.find(self.memory, ref)
        except refs.Missing as missing:
            try:
                return self._retired(ref)
            except refs.Missing:
                raise missing from None
        if doc.unit != "entry":
            raise Usage(f"{ref} is in a session log: it is evidence itself", hint=f"mem show {ref}")
        place = self.memory.paths()[doc.file]
        found = Origin(doc.eid, place, doc.line, doc.text, over(doc, self.memory.moment))
        return found, Meta(src=self._src(doc), supersedes=tuple(parts(doc.supersedes)))

    def _src(self, doc: Doc) -> tuple[str, ...]:
        """The sources of an entry, which its file has and the catalog has not."""
        path = os.fsdecode(self.memory.catalog.rows("select path from file where id = ?", (doc.file,))[0][0])
        items = parse(atomic.content(path) or b"").items
        return next((item.meta.src for item in items if item.start == doc.start), ())

    def _retired(self, ref: str) -> tuple[Origin, Meta]:
        path, eid = shelf.find(self.memory.home, ref)
        item = next(item for where, item in shelf.retired(self.memory.home) if (where, item.meta.id) == (path, eid))
        return Origin(eid, path, item.line, item.text, "retired"), item.meta

    def _older(self, meta: Meta) -> Iterator[Origin]:
        """What the entry replaced, what that replaced, and so on; each once, however they name each other."""
        known: set[str] = set()
        waiting = list(meta.supersedes)
        while waiting:
            eid = waiting.pop(0)
            if eid in known:
                continue
            known.add(eid)
            try:
                found, its = self._entry(eid)
            except MemError:
                yield Origin(eid, "", 0, "", "not there")
                continue
            yield found
            waiting += its.supersedes

    def _newer(self, entry: str) -> Iterator[Origin]:
        rows = self.memory.catalog.rows(f"select {DOC} from doc where supersedes != '' and unit = 'entry'")
        for doc in map(Doc, rows):
            if doc.file in self.memory.active and entry in parts(doc.supersedes):
                yield Origin(doc.eid, self.memory.paths()[doc.file], doc.line, doc.text)


def _learned(home: str, place: str) -> Origin:
    """The line that `path:line` names, relative to the home: a turn of a log, or a line of text."""
    name, _, number = place.rpartition(":")
    if not (name and number.isascii() and number.isdecimal()):
        name, number = place, "0"
    path, line = os.path.join(home, name), int(number)
    try:
        text = _turn(path, line) if name.endswith(".jsonl") else _line(path, line)
    except (OSError, MemError):
        text = None
    return Origin("", path, line, text or "", "" if text is not None else "not there")


def _turn(path: str, line: int) -> str | None:
    for record in jsonl.records(path):
        if record.line == line and record.value is not None:
            return said(record.value) if "type" in record.value else ""
    return None if line else ""


def _line(path: str, line: int) -> str | None:
    with open(path, "rb") as file:
        for number, raw in enumerate(file, 1):
            if number == line:
                return raw.decode("utf-8", "replace").strip()
    return None if line else ""

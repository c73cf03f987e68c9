"""`mem status`: what is kept and indexed, what is too long for the program that loads it, what is wrong in the files."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from memcli.app.memory import Memory
from memcli.index import fill
from memcli.limits import INDEX, measure

_EACH = re.compile(r"; (?=\d+: )")  # between two problems of a file; a problem's own words may hold a semicolon


@dataclass(frozen=True, slots=True)
class Files:
    """How many files of one kind (memory, guide, log) and scope (user, project) there are."""

    kind: str
    scope: str
    count: int


@dataclass(frozen=True, slots=True)
class Long:
    """A file that is longer than what is loaded of it.

    Attributes:
        lines, bytes: what it has.
        cut: the first line that is not loaded whole.
    """

    path: str
    lines: int
    bytes: int
    cut: int


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong in a file; line 0 means the file itself."""

    path: str
    line: int
    what: str


@dataclass(frozen=True, slots=True)
class Vectors:
    """How many passages have a vector and how many lack one; both names are "" when nothing makes vectors.

    Attributes:
        encoder: what the config calls it.
        identity: its model, version and weights: vectors of two identities are never compared.
    """

    encoder: str
    identity: str
    present: int
    missing: int


@dataclass(frozen=True, slots=True)
class Status:
    """The state of a home seen from one directory.

    Attributes:
        types: type -> how many living entries have it, most first.
        ended: entries that expired or were superseded.
        index_bytes: the size of the whole cache.
        synced: when the index last changed, RFC 3339, or "".
    """

    home: str
    files: tuple[Files, ...]
    types: dict[str, int]
    ended: int
    turns: int
    sessions: int
    vectors: Vectors
    index_bytes: int
    synced: str
    long: tuple[Long, ...]
    problems: tuple[Problem, ...]


def status(memory: Memory) -> Status:
    """The state of `memory`, brought up to date with its files first."""
    catalog, active = memory.catalog, memory.active
    types: Counter[str] = Counter()
    units: Counter[str] = Counter()
    for file, unit, kind, until in catalog.rows("select file, unit, type, until from doc"):
        if file in active:
            living = not until or until > memory.moment
            units[unit if living else "ended"] += 1
            types.update([kind] if living and unit == "entry" else [])
    return Status(
        home=memory.home,
        files=tuple(_files(memory)),
        types=dict(sorted(types.items(), key=lambda pair: (-pair[1], pair[0]))),
        ended=units["ended"],
        turns=units["turn"],
        sessions=units["session"],
        vectors=_vectors(memory),
        index_bytes=_size(os.path.join(memory.home, "cache")) if memory.kept else 0,
        synced=catalog.meta("synced"),
        long=tuple(_long(memory)),
        problems=tuple(_problems(memory)),
    )


def _files(memory: Memory) -> Iterator[Files]:
    found = Counter(
        (kind, scope)
        for file, kind, scope in memory.catalog.rows("select id, kind, scope from file")
        if file in memory.active
    )
    order = ("memory", "guide", "log")
    for (kind, scope), count in sorted(found.items(), key=lambda pair: (order.index(pair[0][0]), pair[0][1] != "user")):
        yield Files(kind, scope, count)


def _vectors(memory: Memory) -> Vectors:
    if memory.encoder is None:
        return Vectors("", "", 0, 0)
    digests = [row[0] for row in memory.catalog.rows("select distinct digest from chunk")]
    store = memory.vectors
    missing = fill.pending(memory.catalog, store) if store is not None else len(digests)
    return Vectors(memory.encoder.name, memory.encoder.identity, len(digests) - missing, missing)


def _long(memory: Memory) -> Iterator[Long]:
    for path in sorted(path for file, path in memory.paths().items() if file in memory.active):
        if os.path.basename(path) != INDEX:
            continue
        with open(path, "rb") as file:
            data = file.read()
        measured = measure(data)
        if measured:
            yield Long(path, measured[0], len(data), measured[1])


def _problems(memory: Memory) -> Iterator[Problem]:
    """Those that the catalog remembers, and the files that could not be read just now."""
    paths = memory.paths()
    for file, found in memory.catalog.rows("select id, problem from file where problem != ''"):
        for said in _EACH.split(found) if file in memory.active else ():
            line, _, what = said.partition(": ")
            yield Problem(paths[file], int(line) if line.isdecimal() else 0, what if line.isdecimal() else said)
    for path, line, what in memory.report.problems:
        if not line:
            yield Problem(path, 0, what)


def _size(folder: str) -> int:
    """The bytes of all files below `folder`."""
    return sum(
        os.path.getsize(os.path.join(top, name))
        for top, _, names in os.walk(folder)
        for name in names
        if not os.path.islink(os.path.join(top, name))
    )

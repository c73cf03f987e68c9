"""Brings the catalog up to date with the files: manifest -> plan -> apply. Idempotent; killed anywhere, the next run goes on."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from memcli.files import imports
from memcli.files.sources import ARCHIVE, GUIDE, LOG, Source, Sources, reason, show
from memcli.index import chunks, documents, manifest
from memcli.index.catalog import FTS, Catalog

BATCH = 4000  # docs a transaction: a search waiting for the lock waits well under a second
MAX_NOTES = 32 << 20  # bytes of a Markdown file; a larger one is refused by name, not half read
RACY_NS = 20_000_000  # a file changed this shortly before it was read may change again within the same clock tick
NAMED = 5  # problems of one file that are named; a wrong file has one in every line
# FTS5 keeps many segments after a big load; one merge makes every later search faster.
OPTIMIZE_FROM = 20_000


@dataclass(slots=True)
class Report:
    """What a sync did. `problems` are (path as shown, line or 0, what)."""

    files: int = 0
    changed: int = 0
    gone: int = 0
    docs: int = 0
    problems: list[tuple[str, int, str]] = field(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """Everything that was wrong, `path:line: what`."""
        return [f"{path}:{line}: {what}" if line else f"{path}: {what}" for path, line, what in self.problems]

    @property
    def failed(self) -> list[str]:
        """The files that could not be read, as notes."""
        return [f"{path}: {what}" for path, line, what in self.problems if line == 0]


def run(
    catalog: Catalog, sources: Sources, roots: Sequence[str], tick: Callable[[int], None] = lambda _: None
) -> Report:
    """Applies what changed and says so. `roots` are the folders that imports may reach; `tick` is told of each doc written."""
    report = Report(files=len(sources.files))
    _add_imports(sources, roots, report)
    found = manifest.compare(catalog, sources, walked=True)
    _drop(catalog, found.gone)
    report.gone = len(found.gone)
    known = {bytes(path): (file, digest) for path, file, digest in catalog.rows("select path, id, digest from file")}
    pending, writer = 0, Writer(catalog, report)
    for source in found.changed:
        if not catalog.db.in_transaction:
            catalog.begin()
        pending += writer.put(source, known.get(os.fsencode(source.real)))
        if pending >= BATCH:
            catalog.commit()
            tick(pending)
            pending = 0
    if catalog.db.in_transaction:
        catalog.commit()
    tick(pending)
    if found.changed or found.gone:
        _settle(catalog, report.docs)
    return report


class Writer:
    """Puts one source after another into the catalog, inside the caller's transaction."""

    def __init__(self, catalog: Catalog, report: Report) -> None:
        self.catalog, self.report = catalog, report
        self.next = (catalog.rows("select max(id) from doc")[0][0] or 0) + 1

    def put(self, source: Source, known: tuple[int, bytes] | None) -> int:
        """Reads and writes one source; the number of docs written. A file that cannot be read loses its docs and is named."""
        try:
            stamp, data, digest = _look(source)
            if known and digest == known[1]:
                self._file(source, known[0], stamp, digest, None)
                return 0
            found = documents.read(source, data)
        except OSError as error:
            return self._unreadable(source, known, reason(error))
        if known:
            self.catalog.drop_docs(known[0])
        named, rest = found.problems[:NAMED], found.problems[NAMED:]
        named += [(rest[0][0], f"{len(rest)} more problems from here on")] if rest else []
        problem = "; ".join(f"{line}: {what}" for line, what in named)
        file = self._file(source, known[0] if known else None, stamp, digest, problem)
        self._docs(file, found.docs)
        self.report.problems += [(show(source.path), line, what) for line, what in named]
        self.report.changed += 1
        self.report.docs += len(found.docs)
        return len(found.docs) + 1

    def _unreadable(self, source: Source, known: tuple[int, bytes] | None, why: str) -> int:
        if known:
            self.catalog.drop_docs(known[0])
            self.catalog.run("delete from file where id = ?", (known[0],))
        self.report.problems.append((show(source.path), 0, why))
        return 1

    def _file(self, source: Source, file: int | None, stamp: manifest.Stamp, digest: bytes, problem: str | None) -> int:
        if file is not None and problem is None:
            self.catalog.run("update file set size=?, mtime=?, ctime=?, inode=? where id=?", (*stamp, file))
            return file
        if file is not None:
            self.catalog.run("delete from file where id = ?", (file,))
        via = self.catalog.rows("select id from file where path = ?", (os.fsencode(source.via),)) if source.via else []
        self.catalog.run(
            "insert into file values (?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                file,
                *map(os.fsencode, (source.real, source.path, source.root)),
                source.scope,
                source.kind,
                via[0][0] if via else None,
                *stamp,
                digest,
                problem,
            ),
        )
        return file or int(self.catalog.rows("select last_insert_rowid()")[0][0])

    def _docs(self, file: int, docs: Sequence[documents.Doc]) -> None:
        first = self.next
        self.next += len(docs)
        self.catalog.many(
            "insert into doc values (" + ",".join("?" * 20) + ")",
            (
                (
                    at, file, doc.unit, doc.line, doc.last, doc.start, doc.stop, doc.eid, doc.type, doc.conf, doc.born,
                    doc.touched, doc.expires, doc.expires, doc.role, doc.name, doc.heading, doc.tags, doc.supersedes, doc.text,
                )
                for at, doc in enumerate(docs, first)
            ),
        )  # fmt: skip
        for unit, table in FTS.items():
            self.catalog.many(
                f"insert into {table} (rowid, text, context) values (?,?,?)",
                ((at, doc.words, doc.context) for at, doc in enumerate(docs, first) if doc.unit == unit),
            )
        self.catalog.many(
            "insert or ignore into chunk values (?,?)",
            ((chunks.digest(text), at) for at, doc in enumerate(docs, first) for text in chunks.of(doc)),
        )


def _look(source: Source) -> tuple[manifest.Stamp, bytes, bytes]:
    """(stamp, content, digest) of a source; a log's content stays on disk. The stamp is of before the reading."""
    status = os.stat(source.real)
    stamp = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    if time.time_ns() - max(stamp[1], stamp[2]) < RACY_NS:
        stamp = (-1, *stamp[1:])
    if source.kind != LOG:
        if status.st_size > MAX_NOTES:
            raise OSError(0, f"larger than {MAX_NOTES >> 20} MB")
        with open(source.real, "rb") as file:
            data = file.read()
        return stamp, data, hashlib.blake2b(data, digest_size=16).digest()
    with open(source.real, "rb") as file:
        return stamp, b"", hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).digest()


def _add_imports(sources: Sources, roots: Sequence[str], report: Report) -> None:
    """Adds what the guides import, whatever the catalog thought."""
    for source in [source for source in sources.files if source.kind == GUIDE]:
        walk = imports.follow(source.real, roots=[*roots, os.path.dirname(source.real)])
        report.problems += [(show(problem.path), problem.line, problem.what) for problem in walk.problems]
        for path in walk.files:
            sources.add(Source(path, source.scope, GUIDE, source.root, via=source.real))


def _drop(catalog: Catalog, gone: Sequence[int]) -> None:
    if gone:
        catalog.begin()
        for file in gone:
            catalog.drop_docs(file)
            catalog.run("delete from file where id = ?", (file,))
        catalog.commit()


def _superseded(catalog: Catalog) -> list[tuple[str, str]]:
    """(since when, id) of every entry that another one replaces. Entries that replace each other, or themselves, all stay."""
    rows = catalog.rows(
        "select eid, born, supersedes from doc join file on file.id = doc.file where supersedes != '' and scope != ?",
        (ARCHIVE,),
    )
    after: dict[str, set[str]] = {}
    for new, _, olds in rows:
        after.setdefault(new, set()).update(olds.split(","))
    return [(born or "0", old) for new, born, olds in rows for old in olds.split(",") if not _leads(after, old, new)]


def _leads(after: dict[str, set[str]], start: str, goal: str) -> bool:
    """Whether following `after` from `start` comes to `goal`."""
    seen, todo = set(), [start]
    while todo:
        name = todo.pop()
        if name == goal:
            return True
        if name not in seen:
            seen.add(name)
            todo += after.get(name, ())
    return False


def _settle(catalog: Catalog, added: int) -> None:
    """Works out until when each entry holds: its expiry, or the birth of the one that supersedes it."""
    catalog.begin()
    catalog.set_meta("pending", "?")  # until the vectors have been looked at
    catalog.run("update doc set until = expires where until != expires")
    for born, old in _superseded(catalog):
        catalog.run(
            "update doc set until = ? where eid = ? and unit = 'entry' and (until = '' or until > ?)", (born, old, born)
        )
    if added >= OPTIMIZE_FROM:
        for table in FTS.values():
            catalog.run(f"insert into {table} ({table}) values ('optimize')")
    catalog.commit()

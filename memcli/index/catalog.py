"""The catalog: one SQLite file in the cache that knows every file, entry and word. Derived; deleting it costs time, nothing else.

Tables: `file` (one source, its stat when it was read), `doc` (one entry, turn or session), `entries`, `turns`, `sessions`
(FTS5 over `doc` by unit: `text` and `context`, rowid = doc.id), `chunk` (which vectors a doc has), `meta` (key, value).
Light: the cold search reads through it, so it uses the C module and no row classes.
"""

from __future__ import annotations

import _sqlite3
import os

from memcli.errors import Busy, Damaged, MemError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    Rows = list[tuple[Any, ...]]

MEMORY = ":memory:"
VERSION = 1
# The neighbours of a turn say what it is about: LoCoMo turns R@10 .622 -> .716 with words alone at this weight.
CONTEXT_WEIGHT = 0.35
BUSY_S = 10.0
FTS = {"entry": "entries", "turn": "turns", "session": "sessions"}
SCHEMA = """
create table meta (key text primary key, value text) without rowid;
create table file (
  id integer primary key, path blob unique, shown blob, root blob, scope text, kind text, via integer,
  size integer, mtime integer, ctime integer, inode integer, digest blob, problem text);
create table doc (
  id integer primary key, file integer, unit text, line integer, last integer, start integer, stop integer, eid text,
  type text, conf real, born text, touched text, expires text, until text, role text, name text, heading text, tags text,
  supersedes text, text text);
create index doc_file on doc (file);
create index doc_eid on doc (eid);
create index doc_supersedes on doc (supersedes) where supersedes != '';
create table chunk (digest blob, doc integer, primary key (digest, doc)) without rowid;
create index chunk_doc on chunk (doc);
"""
FTS_SCHEMA = "create virtual table {} using fts5(text, context, tokenize='porter unicode61 remove_diacritics 2');"
FILE = "id, path, shown, root, scope, kind, via, size, mtime, ctime, inode, digest, problem"
DOC = (
    "id, file, unit, line, last, start, stop, eid, type, conf, born, touched, expires, until, role, name, heading, tags, "
    "supersedes, text"
)
SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN = 5, 6, 8, 10, 13, 14


class Catalog:
    """An open catalog. Use `open_catalog`."""

    def __init__(self, path: str, db: _sqlite3.Connection) -> None:
        self.path, self.db = path, db

    def rows(self, sql: str, values: Sequence[object] = ()) -> Rows:
        try:
            return self.db.execute(sql, values).fetchall()
        except _sqlite3.Error as error:
            raise told(error) from None

    def run(self, sql: str, values: Sequence[object] = ()) -> None:
        self.rows(sql, values)

    def many(self, sql: str, values: Iterable[Sequence[object]]) -> None:
        try:
            self.db.executemany(sql, values)
        except _sqlite3.Error as error:
            raise told(error) from None

    def meta(self, key: str) -> str:
        """The value kept under `key`, or ""."""
        found = self.rows("select value from meta where key = ?", (key,))
        return found[0][0] if found else ""

    def set_meta(self, key: str, value: str) -> None:
        self.run("insert or replace into meta values (?, ?)", (key, value))

    def begin(self) -> None:
        self.run("begin immediate")

    def commit(self) -> None:
        self.run("commit")

    def rollback(self) -> None:
        if self.db.in_transaction:
            self.run("rollback")

    def close(self) -> None:
        self.db.close()

    def search(self, unit: str, match: str, limit: int) -> list[tuple[int, float]]:
        """(doc id, BM25 as a positive number) of the best `limit` docs of `unit`; ties by doc id."""
        table = FTS[unit]
        return self.rows(
            f"select rowid, -bm25({table}, 1.0, {CONTEXT_WEIGHT}) b from {table} where {table} match ? "
            "order by b desc, rowid limit ?",
            (match, limit),
        )

    def holders(self, unit: str, match: str, most: int) -> list[int]:
        """The ids of the docs of `unit` that `match` finds: the `most` best, or all in no order when they are fewer."""
        table = FTS[unit]
        rows = self.rows(f"select rowid from {table} where {table} match ? limit ?", (match, most + 1))
        return [doc for (doc,) in rows] if len(rows) <= most else [doc for doc, _ in self.search(unit, match, most)]

    def docs(self, ids: Sequence[int]) -> Rows:
        """The doc rows (columns DOC) with these ids, in no order."""
        return self._in(f"select {DOC} from doc where id in ", ids)

    def owners(self, digests: Sequence[bytes]) -> Rows:
        """(digest, doc id) of the docs that have a chunk with one of `digests`."""
        return self._in("select digest, doc from chunk where digest in ", digests)

    def chunks(self, ids: Sequence[int]) -> Rows:
        """(doc id, digest) of the chunks of these docs."""
        return self._in("select doc, digest from chunk where doc in ", ids)

    def _in(self, sql: str, values: Sequence[object]) -> Rows:
        found: Rows = []
        for at in range(0, len(values), 900):  # SQLite's own limit is 999 in old builds
            part = values[at : at + 900]
            found += self.rows(sql + "(" + ",".join("?" * len(part)) + ")", part)
        return found

    def drop_docs(self, file: int) -> None:
        """Forgets every doc of a file."""
        for unit, table in FTS.items():
            self.run(
                f"delete from {table} where rowid in (select id from doc where file = ? and unit = ?)", (file, unit)
            )
        self.run("delete from chunk where doc in (select id from doc where file = ?)", (file,))
        self.run("delete from doc where file = ?", (file,))

    def integrity(self) -> str:
        """ "ok", or what SQLite finds wrong."""
        try:
            return str(self.rows("pragma quick_check(1)")[0][0])
        except MemError as error:
            return str(error)


class NoSpace(MemError):
    """The disk is full, or may not be written."""


def told(error: _sqlite3.Error) -> MemError:
    """What SQLite met, as a MemError: Busy, NoSpace, or Damaged for whatever a rebuild mends."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (SQLITE_BUSY, SQLITE_LOCKED):
        return Busy("the catalog is in use by another mem", hint="run the command again")
    if code in (SQLITE_FULL, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN):
        return NoSpace(f"the catalog cannot be written: {error}", hint="free some space, then: mem index")
    return Damaged(f"the catalog is damaged: {error}", hint="mem doctor --fix")


def catalog_path(home: str) -> str:
    return os.path.join(home, "cache", "catalog.sqlite")


def open_reader(path: str) -> Catalog:
    """The catalog at `path`, for reading only.

    Raises:
        Damaged: there is none, it is of another version, or SQLite cannot read it; the full path makes it anew.
    """
    if not os.path.exists(path):
        raise Damaged("no catalog")
    try:
        # A read-only home has no place for the -shm file of WAL; immutable reads the main file as it stands.
        query = "?mode=rw" if os.access(os.path.dirname(path), os.W_OK) else "?immutable=1"
        db = _sqlite3.connect("file:" + _quote(path) + query, uri=True, isolation_level=None, timeout=BUSY_S)
        if db.execute("pragma user_version").fetchone()[0] != VERSION:
            raise Damaged("a catalog of another version")
    except _sqlite3.Error as error:
        raise told(error) from None
    return Catalog(path, db)


def open_writer(path: str) -> tuple[Catalog, str]:
    """(the catalog at `path`, why an older one had to go or ""); made when missing. `:memory:` lasts as long as the process.

    Raises:
        MemError: there is no space for it.
    """
    why = ""
    if os.path.islink(path) and not os.path.exists(path):
        os.unlink(path)  # a link to nowhere
    if os.path.exists(path):
        try:
            return _prepared(open_reader(path)), ""
        except Damaged as error:
            why = str(error)
        remove(path)
    if path != MEMORY:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    try:
        catalog = Catalog(path, _sqlite3.connect(path, isolation_level=None, timeout=BUSY_S))
    except _sqlite3.Error as error:
        raise told(error) from None
    _create(_prepared(catalog))
    return catalog, why


def remove(path: str) -> None:
    """Takes a catalog and its side files away."""
    for name in (path, path + "-wal", path + "-shm"):
        if os.path.lexists(name):
            os.unlink(name)


def _prepared(catalog: Catalog) -> Catalog:
    # WAL: readers never wait for a writer. NORMAL: a power cut may cost the last transactions of a cache, never its integrity.
    for pragma in ("journal_mode=wal", "synchronous=normal", "temp_store=memory", "cache_size=-32000"):
        catalog.rows("pragma " + pragma)
    return catalog


def _create(catalog: Catalog) -> None:
    catalog.begin()
    if not catalog.rows("select 1 from sqlite_master where name = 'doc'"):
        for statement in SCHEMA.split(";\n"):
            if statement.strip():
                catalog.run(statement)
        for table in FTS.values():
            catalog.run(FTS_SCHEMA.format(table))
        catalog.run(f"pragma user_version = {VERSION}")
    catalog.commit()


def _quote(path: str) -> str:
    """A path for an SQLite URI: everything but plain characters percent-encoded."""
    return "".join(
        chr(byte) if (chr(byte).isalnum() and byte < 128) or byte in b"/._-" else f"%{byte:02X}"
        for byte in os.fsencode(path)
    )

"""The checks of what mem keeps for itself: home, config, catalog, vectors, encoder."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Iterator

from memcli.app.memory import Memory, store_folder
from memcli.config import Config
from memcli.doctor.finding import Finding, edit
from memcli.errors import Damaged, MemError
from memcli.index import catalog as catalogs
from memcli.index import generation, sync
from memcli.index.catalog import FTS, Catalog

FIX = "mem doctor --fix"


def home(memory: Memory) -> Iterator[Finding]:
    """Whether the home is there, and its owner's alone."""
    place = memory.home
    if not os.path.isdir(place):
        yield Finding("home", place, 0, "there is no home", "mem init")
    elif os.name == "posix" and (mode := os.stat(place).st_mode & 0o777) & 0o077:
        what = f"other users of this machine can look into it (mode {mode:03o})"
        yield Finding("home", place, 0, what, f"chmod 700 {shlex.quote(place)}")


def config(memory: Memory) -> Iterator[Finding]:
    """Whether the settings can be read. The other checks go on with the defaults when they cannot."""
    path = os.path.join(memory.home, "config.toml")
    try:
        notes = memory.config.notes
    except MemError as error:
        memory.config = Config()
        notes = (str(error),)
    for note in notes:
        named, _, what = note.partition(": ")
        there = named if os.path.exists(named) else path
        yield Finding("config", there, 0, what if there == named else note, edit(there))
    for extra in memory.extra:
        if not os.path.exists(extra):
            yield Finding(
                "config", extra, 0, "a source that is not there", f"grep -rn {shlex.quote(extra)} {memory.home}"
            )


def catalog(memory: Memory) -> Iterator[Finding]:
    """Whether SQLite can read the catalog; one that is not there yet is no fault."""
    path = catalogs.catalog_path(memory.home)
    if not os.path.exists(path):
        return
    try:
        opened = catalogs.open_reader(path)
        what = opened.integrity()
        opened.close()
    except Damaged as error:
        what = str(error)
    if what != "ok":
        yield Finding("catalog", path, 0, what, FIX, damaged=True)


def encoder(memory: Memory) -> Iterator[Finding]:
    """Whether the encoder loads and makes a vector, and whether those that are kept can be opened."""
    try:
        loaded = memory.choose()
        if loaded is None:
            return
        loaded.query("ready")
    except MemError as error:
        yield Finding("encoder", "", 0, str(error), error.hint or "mem config index.encoder none")
        return
    folder = store_folder(memory.home, loaded.identity)
    try:
        generation.load(folder, whole=True)  # `Vectors.open` would move what is damaged out of the way
    except (MemError, OSError) as error:
        yield Finding("vectors", folder, 0, str(error), FIX, damaged=True)


def drift(memory: Memory) -> Iterator[Finding]:
    """Where the catalog differs from one that is made of the same files just now, in memory."""
    path = catalogs.catalog_path(memory.home)
    if not os.path.exists(path):
        return
    anew = catalogs.open_writer(catalogs.MEMORY)[0]
    sync.run(anew, memory.sources(), memory.roots())
    kept = catalogs.open_reader(path)
    before, now = _content(kept), _content(anew)
    for file, (digest, content) in now.items():
        if file in before and before[file][0] == digest and before[file][1] != content:
            yield Finding("drift", os.fsdecode(file), 0, "its entries in the catalog are others", FIX, damaged=True)
    for unit, table in FTS.items():
        docs, words = (kept.rows(sql)[0][0] for sql in _counts(unit, table))
        if docs != words:
            yield Finding("drift", path, 0, f"{docs} of unit {unit}, {words} of them by words", FIX, damaged=True)


def _counts(unit: str, table: str) -> tuple[str, str]:
    return f"select count(*) from doc where unit = '{unit}'", f"select count(*) from {table}"


def _content(opened: Catalog) -> dict[bytes, tuple[bytes, str]]:
    """Path -> (digest of the file, digest of what the catalog has of it)."""
    found = {}
    for file, path, digest in opened.rows("select id, path, digest from file"):
        rows = opened.rows(
            "select unit, line, last, start, stop, eid, type, text from doc where file = ? order by id", (file,)
        )
        found[bytes(path)] = (bytes(digest), hashlib.sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest())
    return found

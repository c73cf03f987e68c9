"""`mem show`: always the bytes that the file has now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Mem
from replay import settle

from memcli import show
from memcli.app.memory import Memory
from memcli.errors import StaleWrite


@pytest.fixture(autouse=True)
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    """No encoder: nothing is searched here."""
    monkeypatch.setenv("MEM_ENCODER", "none")


def test_raw_is_the_span_of_the_file(tmp_path: Path, home: Path, mem: Mem) -> None:
    settle(tmp_path)
    listed = [json.loads(line) for line in mem("list", "--json").out.splitlines()]
    every = [json.loads(line) for line in mem("show", "--json", *(one["id"] for one in listed)).out.splitlines()]
    assert len(every) == len(listed) > 40
    for one, shown in zip(listed, every, strict=True):
        lines = (tmp_path / one["path"]).read_text(encoding="utf-8").splitlines(keepends=True)
        assert shown["raw"] == "".join(lines[shown["line"] - 1 : shown["last"]])
        assert one.items() <= shown.items()


def test_bytes_come_out_as_they_are_in_a_pipe(home: Path, mem: Mem) -> None:
    home.mkdir(0o700)
    (home / "MEMORY.md").write_bytes(b"- a\xff\x00b\r\n  more\tof it \r\n\r\n- next\r\n")
    ran = mem("show", ".harness/MEMORY.md:2")
    assert ran.out.partition("\n\n")[2] == "- a\udcff\x00b\r\n  more\tof it \r\n"
    assert (
        json.loads(mem("show", "--json", ".harness/MEMORY.md:1").out)["raw"] == "- a\udcff\x00b\r\n  more\tof it \r\n"
    )


def test_an_edit_a_moment_ago_is_shown(home: Path, mem: Mem) -> None:
    home.mkdir(0o700)
    note = home / "MEMORY.md"
    note.write_text("- first\n- one <!-- mem: id=aaaaaa -->\n")
    assert mem("show", "aaaaaa").out.endswith("\n- one <!-- mem: id=aaaaaa -->\n")
    note.write_text("- one more <!-- mem: id=aaaaaa -->\n- last\n")
    assert mem("show", "aaaaaa").out.endswith("\n- one more <!-- mem: id=aaaaaa -->\n")
    note.unlink()
    assert mem("show", "aaaaaa").code == 1


def test_a_file_that_changes_meanwhile_is_read_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home.mkdir(0o700)
    note, find, changes = home / "MEMORY.md", show.find, iter(["- two <!-- mem: id=aaaaaa -->\n"])
    note.write_text("- one <!-- mem: id=aaaaaa -->\n")

    def late(memory: Memory, ref: str) -> object:
        found = find(memory, ref)
        note.write_text(next(changes, note.read_text()))
        return found

    monkeypatch.setattr(show, "find", late)
    memory = Memory(str(home), str(home.parent), {"HOME": str(home.parent), "MEM_ENCODER": "none"})
    assert show.shown(memory, "aaaaaa").raw == "- two <!-- mem: id=aaaaaa -->\n"
    changes = iter(f"- {n} <!-- mem: id=aaaaaa -->\n" for n in range(99))
    with pytest.raises(StaleWrite, match="changes all the time"):
        show.shown(memory.again(), "aaaaaa")


def test_one_id_twice_is_named_not_chosen(home: Path, mem: Mem) -> None:
    home.mkdir(0o700)
    (home / "MEMORY.md").write_text("- one <!-- mem: id=aaaaaa -->\n- two <!-- mem: id=aaaaaa -->\n")
    ran = mem("show", "aaaaaa")
    assert (ran.code, ran.out) == (2, "")
    assert f"{home}/MEMORY.md:1, {home}/MEMORY.md:2" in ran.err


def test_a_whole_id_wins_over_a_longer_one(home: Path, mem: Mem) -> None:
    home.mkdir(0o700)
    (home / "MEMORY.md").write_text("- one <!-- mem: id=aaaaaa -->\n- two <!-- mem: id=aaaaaab -->\n")
    assert mem("show", "aaaaaa").out.endswith("- one <!-- mem: id=aaaaaa -->\n")
    assert mem("show", "aaaaa").code == 2
    assert mem("show", "").code == 1


def test_a_turn_at_the_edge_has_fewer_neighbours(tmp_path: Path, mem: Mem) -> None:
    settle(tmp_path)
    place = ".harness/sessions/weekly/c61e90f4.jsonl"
    first, last = (json.loads(mem("show", "--json", f"{place}:{line}").out) for line in (2, 15))
    assert [(turn["line"], turn["asked"]) for turn in first["turns"]] == [(2, True), (3, False), (4, False)]
    assert [(turn["line"], turn["asked"]) for turn in last["turns"]] == [(13, False), (14, False), (15, True)]
    assert json.loads(first["raw"])["content"] == first["text"]


def test_a_long_turn_is_shown_whole(home: Path, mem: Mem) -> None:
    (home / "sessions").mkdir(0o700, parents=True)
    said = "word " * 10_000 + "end"
    record = {"type": "message", "id": "aaaaaa", "role": "user", "content": [{"type": "text", "text": said}]}
    (home / "sessions" / "s.jsonl").write_text(json.dumps(record) + "\n")
    assert mem("show", "aaaaaa").out.endswith(f"\n    {said}\n")


def test_an_entry_of_another_project_is_not_read_here(tmp_path: Path, home: Path, mem: Mem) -> None:
    for name in ("one", "two"):
        (tmp_path / name / ".git").mkdir(parents=True)
        (tmp_path / name / "CLAUDE.md").write_text(f"- the aardvark <!-- mem: id=aaaaa{name[0]} -->\n")
        assert mem("show", "aaaaa", cwd=tmp_path / name).code == 0
    assert mem("show", "aaaaat", cwd=tmp_path / "one").code == 1

"""`mem list`: what its transcript cannot show."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Mem
from replay import settle
from rich.cells import cell_len

FAMILY = "👨\u200d👩\u200d👧"


@pytest.fixture(autouse=True)
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    """No encoder: a list needs none."""
    monkeypatch.setenv("MEM_ENCODER", "none")


def terminal(*args: str, width: int = 60) -> str:
    """What `mem` prints on a terminal that is `width` cells wide."""
    ours, theirs = pty.openpty()
    line = [sys.executable, "-P", "-m", "memcli", *args]
    with subprocess.Popen(
        line, stdout=theirs, stderr=subprocess.PIPE, env=os.environ | {"COLUMNS": str(width)}
    ) as child:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65_536):
                shown += part
        except OSError:  # Linux says EIO when the other end is closed
            pass
        _, said = child.communicate(timeout=30)
    os.close(ours)
    assert (child.returncode, said) == (0, b"")
    return shown.decode().replace("\r\n", "\n")


def test_a_terminal_sixty_wide_is_aligned_pipe_09(home: Path) -> None:
    (home / "memory").mkdir(0o700, parents=True)
    text = f"- 第一次部署 {FAMILY} done <!-- mem: id=aaaaaa type=user -->\n- {FAMILY * 30} <!-- mem: id=bbbbbb type=lesson -->\n"
    (home / "memory" / "备忘.md").write_text(text, encoding="utf-8")
    lines = terminal("list").splitlines()
    assert max(map(cell_len, lines)) <= 60
    column = cell_len(lines[0].partition("text")[0])
    first = next(line for line in lines if "第" in line)
    assert cell_len(first.partition("第")[0]) == column
    family = [line for line in lines if FAMILY in line and "第" not in line]
    assert len(family) > 1
    assert {cell_len(line.partition(FAMILY)[0]) for line in family} == {column}


def test_a_terminal_gets_no_control_character(home: Path) -> None:
    home.mkdir(0o700)
    (home / "MEMORY.md").write_text("- a\x1b]0;title\x07b \u202eevil <!-- mem: id=aaaaaa -->\n", encoding="utf-8")
    for shown in (terminal("list"), terminal("show", "aaaaaa"), terminal("search", "--mode", "words", "evil")):
        assert "evil" in shown
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)


@pytest.mark.parametrize(
    ("flags", "ids"),
    [
        (["--type", "lesson,feedback", "--tag", "testing"], ["f9x2ke"]),
        (["--type", "lesson", "--type", "feedback", "--tag", "commit"], ["c3v7nd"]),
        (["--tag", "database,migration"], ["h0p5ve"]),
        (["--expired"], ["b03ka1", "x1g6ye", "r2d9ca"]),
        (["--since", "2026-11-19", "--until", "2026-11-20", "--source", "memory"], ["m4t8qa", "k7f3q2"]),
        (["--since", "2026-11-27T00:00:00Z", "--type", "feedback"], ["c3v7nd"]),
    ],
)
def test_filters_mean_what_they_mean_in_a_search(flags: list[str], ids: list[str], tmp_path: Path, mem: Mem) -> None:
    settle(tmp_path)
    assert [json.loads(line)["id"] for line in mem("list", "--json", *flags).out.splitlines()] == ids


def test_living_and_expired_are_all(tmp_path: Path, mem: Mem) -> None:
    settle(tmp_path)
    living, expired, every = (set(mem("list", *flags).out.splitlines()) for flags in ([], ["--expired"], ["--all"]))
    assert living | expired == every
    assert not living & expired


def test_what_search_finds_list_has(tmp_path: Path, mem: Mem) -> None:
    settle(tmp_path)
    hits = [json.loads(line) for line in mem("search", "--json", "--source", "memory", "database").out.splitlines()]
    listed = {one["id"]: one for one in map(json.loads, mem("list", "--json").out.splitlines())}
    assert hits
    for hit in hits:
        both = {key: value for key, value in hit.items() if key not in ("rank", "score")}
        assert both.items() <= listed[hit["id"]].items()

"""`mem status`: what it says is so."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from conftest import Mem
from replay import settle

from memcli.app.memory import Memory
from memcli.cli.status import _record
from memcli.limits import BYTES, LINES, measure
from memcli.status import status as state


@pytest.fixture
def status(home: Path) -> Any:
    """What `mem status --json` prints, without a process of its own."""

    def run(**env: str) -> dict[str, Any]:
        found = state(Memory(str(home), str(home.parent), dict(os.environ) | {"MEM_ENCODER": "none"} | env))
        record: dict[str, Any] = json.loads(json.dumps(_record(found)))
        return record

    return run


@pytest.mark.parametrize(("lines", "over"), [(200, False), (201, True)])
def test_an_index_file_past_line_200_is_over_bloat_01_bloat_04(lines: int, over: bool, home: Path, status: Any) -> None:
    home.mkdir(0o700)
    (home / "MEMORY.md").write_text("".join(f"- fact {n}\n" for n in range(lines)))
    record = status()
    assert record["over_limit"] is over
    assert [long["cut"] for long in record["long"]] == ([201] if over else [])


def test_only_the_file_that_is_cut_is_over(home: Path, status: Any) -> None:
    (home / "memory").mkdir(0o700, parents=True)
    (home / "memory" / "topic.md").write_text("- fact\n" * 300)
    assert status()["over_limit"] is False


@pytest.mark.parametrize(
    ("data", "measured"),
    [
        (b"", None),
        (b"a\n" * LINES, None),
        (b"a\n" * LINES + b"b", (LINES + 1, LINES + 1)),
        (b"x" * BYTES, None),
        (b"x" * (BYTES + 1), (1, 1)),
        (b"a\n" + b"x" * BYTES + b"\n", (2, 2)),
    ],
)
def test_lines_and_bytes_are_measured_to_the_one(data: bytes, measured: tuple[int, int] | None) -> None:
    assert measure(data) == measured


def test_counts_are_those_of_list(tmp_path: Path, status: Any, mem: Mem) -> None:
    settle(tmp_path)
    record = status()
    listed = [json.loads(line) for line in mem("list", "--json").out.splitlines()]
    assert record["entries"] == len(listed) == sum(record["types"].values())
    assert record["types"]["lesson"] == sum(one["type"] == "lesson" for one in listed)
    assert record["ended"] == len(mem("list", "--expired").out.splitlines())
    assert record["turns"] == len(mem("list", "--source", "sessions").out.splitlines())


def test_vectors_are_counted(home: Path, status: Any, mem: Mem) -> None:
    home.mkdir(0o700)
    (home / "MEMORY.md").write_text("".join(f"- fact number {n}\n" for n in range(7)))
    encoder = {"MEM_ENCODER": "hash"}
    before = status(**encoder)["vectors"]
    assert (before["present"], before["missing"]) == (0, 7)
    assert mem("index", env=encoder).code == 0
    after = status(**encoder)["vectors"]
    assert (after["present"], after["missing"], after["encoder"]) == (7, 0, "hash")
    assert after["identity"] == before["identity"] != ""
    assert status()["vectors"] == {"encoder": "", "identity": "", "present": 0, "missing": 0}


def test_problems_have_a_place(home: Path, status: Any) -> None:
    (home / "memory").mkdir(0o700, parents=True)
    (home / "memory" / "a.md").write_text("- a\n```\n- b\n")
    (home / "memory" / "b.md").symlink_to("nowhere")
    for _ in range(2):  # found just now, and remembered
        assert status()["problems"] == [
            {"path": f"{home}/memory/a.md", "line": 2, "what": "unclosed fence"},
            {"path": f"{home}/memory/b.md", "line": 0, "what": "a link to nowhere"},
        ]


def test_a_semicolon_does_not_make_two_problems_of_one(home: Path, status: Any) -> None:
    (home / "memory").mkdir(0o700, parents=True)
    (home / "memory" / "a.md").write_text("- a\n```\n- b\n")
    status()
    with sqlite3.connect(home / "cache" / "catalog.sqlite") as opened:
        opened.execute("update file set problem = '2: broken; see above: 3 times; 4: other'")
    assert [(one["line"], one["what"]) for one in status()["problems"]] == [
        (2, "broken; see above: 3 times"),
        (4, "other"),
    ]


def test_the_last_change_is_remembered(home: Path, status: Any) -> None:
    home.mkdir(0o700)
    (home / "MEMORY.md").write_text("- a\n")
    assert status(MEM_NOW="2026-12-01T09:00:00Z")["synced"] == "2026-12-01T09:00:00Z"
    assert status(MEM_NOW="2026-12-02T09:00:00Z")["synced"] == "2026-12-01T09:00:00Z"
    (home / "MEMORY.md").unlink()
    assert status(MEM_NOW="2026-12-03T09:00:00Z")["synced"] == "2026-12-03T09:00:00Z"


def test_an_encoder_that_is_not_there_is_a_note(home: Path, mem: Mem) -> None:
    home.mkdir(0o700)
    ran = mem("status", "--json", env={"MEM_ENCODER": "sentence-transformers:/nowhere"})
    assert (ran.code, json.loads(ran.out)["vectors"]["encoder"]) == (0, "")
    assert "words only" in ran.err

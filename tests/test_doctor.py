"""`mem doctor`: every kind of damage is found, none is invented, nothing is touched without being told to."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Mem, Ran
from replay import settle

from memcli.app.memory import Memory
from memcli.doctor import Finding, examine

FINDINGS, DAMAGED = 1, 6
HASH = {"MEM_ENCODER": "hash"}


@pytest.fixture(autouse=True)
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    """No encoder, unless a test wants one."""
    monkeypatch.setenv("MEM_ENCODER", "none")


@pytest.fixture
def made(home: Path) -> Path:
    """A private home."""
    (home / "memory").mkdir(0o700, parents=True)
    home.chmod(0o700)
    return home


def findings(ran: Ran) -> list[dict[str, Any]]:
    """The records of `mem doctor --json`."""
    return [json.loads(line) for line in ran.out.splitlines()]


def examined(home: Path, cwd: Path | None = None, **env: str) -> list[Finding]:
    """What the checks find, without a process of their own."""
    return list(examine(Memory(str(home), str(cwd or home.parent), dict(os.environ) | env)))


def told(ran: Ran, made: Path) -> list[tuple[str, str, int]]:
    """(check, path below the home, line) of each finding."""
    return [(one["check"], one["path"].removeprefix(f"{made}/"), one["line"]) for one in findings(ran)]


def test_the_sample_is_well(tmp_path: Path, mem: Mem) -> None:
    settle(tmp_path)
    mem("index")
    assert mem("doctor", "--deep") == (0, "", "mem: all is well\n")


def test_a_torn_end_is_no_finding_and_a_bad_first_line_is_jsonl_12(made: Path, mem: Mem) -> None:
    (made / "sessions").mkdir()
    log = made / "sessions" / "s.jsonl"
    log.write_text('{"type": "message", "role": "user", "content": "aardvark"}\n{"type": "mess')
    assert mem("doctor").code == 0
    log.write_text('[\n{"type": "message", "role": "user", "content": "aardvark"}\n')
    ran = mem("doctor", "--json")
    assert (ran.code, told(ran, made)) == (FINDINGS, [("logs", "sessions/s.jsonl", 1)])
    assert findings(ran)[0]["repair"] == f"${{EDITOR:-vi}} +1 {log}"
    assert mem("search", "--mode", "words", "aardvark").code == 0


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("---\nname: a: b\n---\n- x\n", 2, "broken front matter"),
        ("- a\n\n```\n- b\n", 3, "unclosed fence"),
        ("- a\n<<<<<<< ours\n- b\n=======\n- c\n>>>>>>> theirs\n", 2, "conflict marker"),
        ("- a\n- b\u202ec\n", 2, "hidden character U+202E"),
        ("- a\n- [b](c.md)\n", 2, "a link to c.md"),
        ("- a <!-- mem: id=aaaaaa src=sessions/x.jsonl:3 -->\n", 1, "its source sessions/x.jsonl"),
        ("- a <!-- mem: id=aaaaaa -->\n- b <!-- mem: id=aaaaaa -->\n", 2, "id aaaaaa is taken by"),
    ],
)
def test_a_fault_of_a_note_is_found_with_its_line(text: str, line: int, what: str, made: Path) -> None:
    note = made / "memory" / "a b.md"
    note.write_text(text, encoding="utf-8")
    found = examined(made)
    assert [one.line for one in found if what in one.what] == [line]
    assert found[0].repair == f"${{EDITOR:-vi}} +{line} '{note}'"
    assert note.read_text(encoding="utf-8") == text


def test_what_is_superseded_is_another_entry_that_there_is(made: Path) -> None:
    note = made / "memory" / "a.md"
    olds = {"aaaaaa": "aaaaaa", "bbbbbb": "cccccc", "cccccc": "dddddd", "dddddd": "bbbbbb", "eeeeee": "bbbbbb,gone00"}
    note.write_text("".join(f"- {new} <!-- mem: id={new} supersedes={old} -->\n" for new, old in olds.items()))
    assert [(one.check, one.line, one.what) for one in examined(made)] == [
        ("ids", 5, "eeeeee supersedes gone00, which is not there"),
        ("ids", 1, "aaaaaa supersedes itself"),
        ("ids", 2, "a circle, so none of them holds: bbbbbb supersedes cccccc supersedes dddddd supersedes bbbbbb"),
    ]


def test_what_is_superseded_may_be_anywhere_and_in_a_long_chain(made: Path) -> None:
    (made / "archive").mkdir()
    (made / "archive" / "2026-11.md").write_text("# Archive 2026-11\n\n- old <!-- mem: id=oldold reason=wrong -->\n")
    (made / "MEMORY.md").write_text("- plain words\n- new <!-- mem: id=newnew supersedes=oldold -->\n")
    listed = Memory(str(made), str(made.parent), dict(os.environ))
    plain = listed.catalog.rows("select eid from doc where text = 'plain words'")[0][0]
    chain = "".join(
        f"- {n} <!-- mem: id=n{n} supersedes={f'n{n + 1}' if n < 1999 else plain} -->\n" for n in range(2000)
    )
    (made / "memory" / "a.md").write_text(chain)
    assert examined(made) == []


@pytest.mark.parametrize(("data", "line"), [(b"- a\r- b\r", 1), (b"# A\n\n- a\r- b\r- c\r", 3)])
def test_bare_cr_is_no_line_end_and_the_repair_mends_it(data: bytes, line: int, made: Path) -> None:
    note = made / "memory" / "it's a.md"
    note.write_bytes(data)
    (found,) = examined(made)
    assert (found.check, found.line) == ("markdown", line)
    assert found.what == "line ends are bare CR: its entries are not seen"
    subprocess.run(["bash", "-c", found.repair], check=True, timeout=30)
    assert note.read_bytes() == data.replace(b"\r", b"\n")
    assert examined(made) == []


def test_what_only_looks_like_a_fault_is_none(made: Path) -> None:
    (made / "memory" / "to be.md").write_text("- there\n")
    (made / "memory" / "a.md").write_text(
        "- `[x](gone.md)` [y](https://e.org/z.md) [z](#top) [w](mailto:a@b.c) [v](to%20be.md) ![u](<to%20be.md>)\n"
        "- family 👨\u200d👩\u200d👧 and Persian می\u200cخواهم\n"
        "\n```\n[x](gone.md)\n```\n",
        encoding="utf-8",
    )
    (made / "memory" / "b.md").write_bytes(b"- a\r\n- b\rc\r\n")
    assert examined(made) == []


def test_an_import_that_leads_nowhere_is_found(tmp_path: Path, made: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "CLAUDE.md").write_text("Read this.\n\nSee @docs/gone.md for more.\n")
    assert [(one.check, one.line) for one in examined(made, tmp_path / "repo")] == [("links", 3)]


def test_entries_past_the_limit_are_counted(made: Path) -> None:
    (made / "MEMORY.md").write_text("".join(f"- fact {n}\n" for n in range(205)))
    (found,) = examined(made)
    assert (found.check, found.path, found.line) == ("limits", str(made / "MEMORY.md"), 201)
    assert "5 entries are lost" in found.what


def test_an_open_home_and_a_broken_config_hide_nothing_else(made: Path, mem: Mem) -> None:
    made.chmod(0o755)
    (made / "config.toml").write_text("[search\n")
    (made / "memory" / "a.md").write_text("```\n")
    ran = mem("doctor", "--json")
    assert told(ran, made) == [("config", "config.toml", 0), ("home", str(made), 0), ("markdown", "memory/a.md", 1)]
    assert findings(ran)[1]["repair"] == f"chmod 700 {made}"


def test_what_a_project_may_not_set_is_found_in_its_file(tmp_path: Path, made: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / ".mem.toml").write_text('[index]\nencoder = "none"\n')
    (one,) = examined(made, tmp_path / "repo")
    assert (one.path, one.what) == (f"{tmp_path}/repo/.mem.toml", "a project may not set index.encoder; ignored")


def test_a_source_that_is_gone_is_found(tmp_path: Path, made: Path, mem: Mem) -> None:
    (tmp_path / "notes").mkdir()
    assert mem("index", "notes").code == 0
    (tmp_path / "notes").rmdir()
    assert told(mem("doctor", "--json"), made) == [("config", f"{tmp_path}/notes", 0)]


def test_an_encoder_that_does_not_load_is_found(made: Path, mem: Mem) -> None:
    ran = mem("doctor", "--json", env={"MEM_ENCODER": "sentence-transformers:/nowhere"})
    assert ran.code == FINDINGS
    assert [one["check"] for one in findings(ran)] == ["encoder"]
    assert findings(ran)[0]["repair"]


def test_a_damaged_catalog_is_exit_6_and_stays_until_told(made: Path, mem: Mem) -> None:
    (made / "MEMORY.md").write_text("- a\n")
    mem("index")
    path = made / "cache" / "catalog.sqlite"
    path.write_bytes(b"no database")
    for flags in ([], ["--deep"]):
        ran = mem("doctor", "--json", *flags)
        assert (ran.code, told(ran, made)) == (DAMAGED, [("catalog", "cache/catalog.sqlite", 0)])
        assert path.read_bytes() == b"no database"
    assert mem("doctor", "--fix", "--deep") == (0, "", "mem: the cache has been made anew\nmem: all is well\n")
    assert mem("search", "--mode", "words", "a") == (0, mem("search", "--mode", "words", "a").out, "")


@pytest.mark.parametrize(
    "sql", ["update doc set text = 'b'", "delete from entries", "delete from doc", "update doc set line = line + 1"]
)
def test_an_index_that_drifted_is_found_with_deep(sql: str, made: Path, mem: Mem) -> None:
    (made / "MEMORY.md").write_text("- a\n")
    mem("index")
    with sqlite3.connect(made / "cache" / "catalog.sqlite") as opened:
        opened.execute(sql)
    assert mem("doctor").code == 0
    ran = mem("doctor", "--deep", "--json")
    assert (ran.code, {one["check"] for one in findings(ran)}) == (DAMAGED, {"drift"})
    assert mem("doctor", "--fix", "--deep").code == 0


def test_a_file_that_was_edited_since_is_no_drift(made: Path, mem: Mem) -> None:
    (made / "MEMORY.md").write_text("- a\n")
    mem("index")
    (made / "MEMORY.md").write_text("- b\n- c\n")
    assert mem("doctor", "--deep").code == 0


def test_damaged_vectors_are_exit_6_and_are_computed_anew(made: Path, mem: Mem) -> None:
    (made / "MEMORY.md").write_text("".join(f"- fact number {n}\n" for n in range(5)))
    assert mem("index", env=HASH).code == 0
    assert mem("doctor", env=HASH).code == 0
    for path in (made / "cache" / "vectors").rglob("*"):
        if path.is_file():
            path.write_bytes(b"x")
    for _ in range(2):
        ran = mem("doctor", "--json", env=HASH)
        assert (ran.code, [one["check"] for one in findings(ran)]) == (DAMAGED, ["vectors"])
    fixed = mem("doctor", "--fix", env=HASH)
    assert (fixed.code, "the vectors are computed anew" in fixed.err) == (0, True)
    vectors = json.loads(mem("status", "--json", env=HASH).out)["vectors"]
    assert (vectors["present"], vectors["missing"]) == (5, 0)


def test_without_a_home_there_is_one_finding(home: Path, mem: Mem) -> None:
    ran = mem("doctor", "--json")
    assert (ran.code, [one["repair"] for one in findings(ran)]) == (FINDINGS, ["mem init"])
    assert not home.exists()

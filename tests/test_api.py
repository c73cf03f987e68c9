"""The Python API: the verbs as typed calls, and the five writers."""

from __future__ import annotations

import inspect
import os
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import get_type_hints

import pytest
from conftest import ROOT, spawn

import memcli
from memcli import api, open_memory
from memcli.errors import MemError, Usage
from memcli.remember.safety import Refused
from memcli.store.history import verify


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed process leaves what it wrote to the kernel; nobody waits for the disk here."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    monkeypatch.setenv("MEM_ENCODER", "none")


@pytest.fixture
def note(home: Path) -> Path:
    return home / "MEMORY.md"


def test_what_is_added_is_found_at_once(note: Path) -> None:
    memory = open_memory(actor="my-harness")
    kept = memory.add("Deploys go out on Thursdays", type="project", tags=["deploy"], expires="90d", confidence=0.9)
    hit = memory.search("when do deploys go out", k=1)[0]
    assert (hit.id, hit.path, hit.line) == (kept.entry_id, str(note), kept.line)
    assert (hit.type, hit.tags, hit.confidence) == ("project", ("deploy",), 0.9)
    memory.edit(kept.entry_id, "Deploys go out on Fridays", expires="never")
    assert [one.text for one in memory.search("deploys")] == ["Deploys go out on Fridays"]
    memory.retire(kept.entry_id)
    assert memory.search("deploys") == []
    memory.restore(kept.entry_id)
    assert [one.id for one in memory.search("deploys")] == [kept.entry_id]
    assert [(one.verb, one.actor) for one in memory.log()] == [
        (verb, "my-harness") for verb in ("restore", "retire", "edit", "add")
    ]


def test_undo_gives_back_the_bytes_in_one_object(note: Path) -> None:
    memory = open_memory()
    memory.add("one")
    before = note.read_bytes()
    kept = memory.add("two", expires=datetime(2027, 1, 1, tzinfo=UTC))
    undone = memory.undo(kept.operation)
    assert note.read_bytes() == before
    memory.undo(undone.id)
    assert b"two" in note.read_bytes()
    assert [one.verb for one in memory.why(kept.entry_id).operations] == ["undo", "undo", "add"]
    assert verify(str(note.parent)) == []


def test_the_five_writers_write_five_kinds(note: Path) -> None:
    memory = open_memory()
    memory.save_user_profile("Editor", "Vim")
    memory.record_feedback("long summaries", False, "too much to read")
    memory.update_project_context({"Node": "22", "Linter": "ruff"}, scope="user")
    memory.add_reference("Runbook", "https://runbooks.example/deploy", ["deploy"])
    memory.record_lesson("Migrations lock the table", 0.8)
    text = re.sub(r" <!-- mem: id=\w+ ", " <!-- ", note.read_text())
    assert text.partition("# Memory\n")[2] == (
        "\n## User\n\n- **Editor**: Vim <!-- created=2026-12-01 v=1 -->\n"
        "\n## Feedback\n\n- **Rejected**: long summaries. Why: too much to read <!-- created=2026-12-01 v=1 -->\n"
        "\n## Projects\n\n- **Node**: 22 <!-- created=2026-12-01 v=1 -->\n- **Linter**: ruff <!-- created=2026-12-01 v=1 -->\n"
        "\n## Lessons\n\n- Migrations lock the table <!-- conf=0.8 created=2026-12-01 v=1 -->\n"
        "\n## References\n\n- **Runbook**: https://runbooks.example/deploy <!-- tags=deploy created=2026-12-01 v=1 -->\n"
    )


def test_a_known_key_gets_the_value_in_place(note: Path) -> None:
    note.parent.mkdir(0o700)
    note.write_bytes("# 记忆\n\n## 用户\n\n* 编辑器： Vim\n* 其他\n\n## 项目\n\n* 端口：80\n".encode())
    memory = open_memory()
    first = memory.save_user_profile("编辑器", "Helix")
    assert memory.save_user_profile("编辑器", "Helix").operation == ""
    memory.save_user_profile("端口", "22")
    rows = note.read_text("utf-8").splitlines()
    assert rows[4].startswith(f"* 编辑器： Helix <!-- mem: id={first.entry_id} ")
    assert "* 端口：80" in rows
    assert [row for row in rows if row.startswith("* **端口**：22 <!--")] == [rows[6]]


def test_project_context_goes_to_the_project_wholly_or_not_at_all(note: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    (work / ".git").mkdir(parents=True)
    memory = open_memory(cwd=work)
    with pytest.raises(Refused):
        memory.update_project_context({"Node": "22", "Token": "ghp_" + "a1B2" * 9})
    assert memory.log() == []
    memory.update_project_context({"Node": "22"})
    assert len(list((note.parent / "projects").glob("work-*/MEMORY.md"))) == 1
    (work / "MEMORY.md").write_text("- Ours: yes\n")
    memory.update_project_context({"Node": "23", "ours": "no"})
    rows = (work / "MEMORY.md").read_text().splitlines()
    assert [row.partition(" <!--")[0] for row in rows] == ["- Ours: no", "- **Node**: 23"]
    with pytest.raises(Usage, match="in no project"):
        open_memory(cwd=tmp_path).update_project_context({"Node": "22"})


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.add(" "),
        lambda memory: memory.add("x", type="wish"),
        lambda memory: memory.add("x", expires="soon"),
        lambda memory: memory.record_lesson("x", 1.5),
        lambda memory: memory.save_user_profile("key", " "),
        lambda memory: memory.edit("none", "x"),
        lambda memory: memory.undo(),
        lambda memory: memory.restore("none"),
    ],
)
def test_a_mistake_is_a_memerror_and_writes_nothing(call: object, home: Path) -> None:
    memory = open_memory()
    with pytest.raises(MemError):
        call(memory)  # type: ignore[operator]
    assert not (home / "MEMORY.md").exists()


def test_memcli_loads_nothing_until_it_is_opened(tmp_path: Path) -> None:
    code = "import sys; before = {*sys.modules}; import memcli; print(*sorted({*sys.modules} - before))"
    assert spawn([sys.executable, "-P", "-c", code], folder=tmp_path).out.split() == ["memcli"]
    assert "open_memory" in memcli.__all__
    with pytest.raises(AttributeError):
        memcli.nothing  # noqa: B018


def test_every_call_is_typed_and_documented() -> None:
    calls = [call for name, call in inspect.getmembers(api.Home, inspect.isfunction) if not name.startswith("_")]
    assert len(calls) >= 14
    for call in (*calls, api.open_memory):
        hints = get_type_hints(call)
        assert call.__doc__
        assert {*inspect.signature(call).parameters} - {"self"} <= {*hints}, call.__name__
        assert "return" in hints


def test_readme_shows_calls_that_work(note: Path) -> None:
    shown = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    assert len(shown) == 1
    known: dict[str, object] = {}
    exec(shown[0], known)
    assert [hit.text for hit in known["hits"]] == ["**Editor**: Helix"]  # type: ignore[attr-defined]
    assert "Deploys go out on Fridays" in note.read_text()

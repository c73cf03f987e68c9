"""Edits, confirmations, retirements and restores: one entry changes and no other byte; undo gives the bytes back."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import Mem
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memcli.app import keep
from memcli.app.keep import Keeper
from memcli.app.memory import Memory
from memcli.app.refs import Missing
from memcli.app.why import Why
from memcli.errors import MemError, StaleWrite, Usage
from memcli.files.markdown import parse
from memcli.remember.safety import Refused
from memcli.store import history
from memcli.store.draft import Draft

TEXT = (
    b"# Memory\n\n## User\n\n- likes tea <!-- mem: id=aaaaaa conf=0.8 -->\n- **Port**: 80\n\n## Lessons\n\n- a lesson\n"
)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed process leaves what it wrote to the kernel; nobody waits for the disk here."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    monkeypatch.setenv("MEM_ENCODER", "none")


@pytest.fixture
def note(home: Path) -> Path:
    home.mkdir(0o700)
    (home / "MEMORY.md").write_bytes(TEXT)
    return home / "MEMORY.md"


@pytest.fixture
def keeper(home: Path, tmp_path: Path) -> Keeper:
    return Keeper(str(home), str(tmp_path), dict(os.environ))


def lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def test_only_the_line_of_the_entry_changes(note: Path, keeper: Keeper) -> None:
    keeper.edit("aaaaaa", text="likes coffee")
    keeper.edit(".harness/MEMORY.md:6", value="8080")
    keeper.confirm("aaaaaa")
    after = lines(note.read_bytes())
    assert [at for at, line in enumerate(lines(TEXT)) if after[at] != line] == [4, 5]
    assert after[4].startswith(b"- likes coffee <!-- mem: id=aaaaaa conf=0.9 ")
    assert after[5].startswith(b"- **Port**: 8080 <!-- mem: id=")


def test_a_dry_run_writes_nothing(note: Path, keeper: Keeper, tmp_path: Path) -> None:
    dry = Keeper(keeper.home, keeper.cwd, keeper.environ, dry=True)
    for kept in (dry.add(Draft("x")), dry.edit("aaaaaa", text="y"), dry.retire("aaaaaa"), dry.confirm("aaaaaa")):
        assert kept.files
        assert kept.operation == ""
    assert note.read_bytes() == TEXT
    assert not (note.parent / "state").exists()


def test_a_retired_entry_is_in_one_place_at_a_time(note: Path, keeper: Keeper) -> None:
    kept = keeper.retire("aaaaaa", "moved on")
    month = note.parent / "archive" / "2026-12.md"
    assert b"likes tea" not in note.read_bytes()
    assert b"id=aaaaaa" in month.read_bytes()
    assert b"reason=moved%20on" in month.read_bytes()
    assert len(next(iter(history.operations(keeper.home))).steps) == 2
    keeper.restore(kept.entry_id[:4])
    assert b"id=aaaaaa" not in month.read_bytes()
    assert [item.text for item in parse(note.read_bytes()).items] == ["**Port**: 80", "likes tea", "a lesson"]


def test_a_restore_makes_a_file_anew_that_is_gone(note: Path, keeper: Keeper) -> None:
    keeper.retire("aaaaaa")
    note.unlink()
    keeper.restore("aaaaaa")
    assert b"## User\n\n- likes tea <!-- mem: id=aaaaaa" in note.read_bytes()


def test_an_entry_that_was_changed_meanwhile_is_not_written_over(
    note: Path, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    recover = history.recover

    def late(home: str, *, wait_s: float) -> list[str]:
        note.write_bytes(TEXT.replace(b"likes tea", b"likes water"))
        return recover(home, wait_s=wait_s)

    monkeypatch.setattr(keep.history, "recover", late)
    with pytest.raises(StaleWrite):
        keeper.edit("aaaaaa", text="likes coffee")
    assert b"likes water" in note.read_bytes()
    assert StaleWrite.exit_code == 4


def test_an_edit_finds_its_entry_where_it_moved_to(note: Path, keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    held = keeper._held("aaaaaa")
    monkeypatch.setattr(keeper, "_held", lambda ref: held)
    note.write_bytes(b"- another\n" + TEXT)
    keeper.edit("aaaaaa", text="likes coffee")
    assert note.read_bytes().startswith(b"- another\n# Memory\n\n## User\n\n- likes coffee <!--")


def test_what_nobody_may_change_is_refused(note: Path, home: Path, keeper: Keeper) -> None:
    note.write_bytes(TEXT + b"\nprose here\n")
    log = home / "sessions" / "w" / "s.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text('{"type":"message","id":"m1","role":"user","content":"said once"}\n')
    with pytest.raises(Usage, match="session log"):
        keeper.retire(".harness/sessions/w/s.jsonl:1")
    with pytest.raises(Usage, match="no list item"):
        keeper.retire(".harness/MEMORY.md:12")
    with pytest.raises(Missing):
        keeper.confirm("zzzzzz")
    with pytest.raises(Refused):
        keeper.edit("aaaaaa", text="ghp_" + "a1B2" * 9)
    assert list(history.operations(keeper.home)) == []


def test_a_guide_is_changed_only_by_name(note: Path, tmp_path: Path, keeper: Keeper) -> None:
    guide = tmp_path / "AGENTS.md"
    guide.write_bytes(b"- use uv\n")
    keeper.add(Draft("use pnpm", type="project"))
    assert guide.read_bytes() == b"- use uv\n"
    keeper.edit("AGENTS.md:1", text="use pip")
    assert guide.read_bytes().startswith(b"- use pip <!-- mem: id=")


def test_an_older_write_to_a_file_of_ours_is_undone_around_the_later_ones(home: Path, keeper: Keeper) -> None:
    keeper.add(Draft("kept", type="user"))
    first = keeper.add(Draft("one", type="user")).operation
    keeper.add(Draft("two", type="lesson"))
    undone = keeper.undo(first)
    text = (home / "MEMORY.md").read_text()
    assert ("- one" in text, "- two" in text, "version: 5\n" in text, "modified_by: mem undo" in text) == (
        False, True, True, True,
    )  # fmt: skip
    keeper.undo(undone.id)
    assert "- one" in (home / "MEMORY.md").read_text()


def test_why_follows_sources_and_supersession(note: Path, home: Path, keeper: Keeper) -> None:
    log = home / "sessions" / "w" / "s.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text('{"type":"message","id":"m1","role":"user","content":"no tea any more"}\n')
    new = keeper.add(Draft("likes milk", src=("sessions/w/s.jsonl:1", "gone.md:4"), supersedes=("aaa",))).entry_id
    newest = keeper.add(Draft("likes water", supersedes=(new,))).entry_id
    keeper.retire("aaaaaa")
    why = Why(Memory(keeper.home, keeper.cwd, keeper.environ)).of(newest)
    assert [(one.entry, one.note) for one in why.older] == [(new, "superseded"), ("aaaaaa", "retired")]
    middle = Why(Memory(keeper.home, keeper.cwd, keeper.environ)).of(new)
    assert [(one.text, one.note) for one in middle.sources] == [("no tea any more", ""), ("", "not there")]
    assert [one.entry for one in middle.newer] == [newest]
    assert [one.verb for one in middle.operations] == ["add"]


def test_an_edit_by_hand_is_in_the_log_and_can_be_undone(note: Path, keeper: Keeper, mem: Mem) -> None:
    keeper.add(Draft("one"))
    whole = note.read_bytes()
    note.write_bytes(whole.replace(b"a lesson", b"no lesson"))
    _, op_id, *said = mem("log", "-n", "1").out.split("\t")
    assert said[:3] == ["edit-by-hand", "editor", "done"]
    assert mem("undo", op_id).code == 0
    assert note.read_bytes() == whole


def test_undo_takes_back_the_last_write_of_mem_around_an_edit_by_hand(note: Path, mem: Mem) -> None:
    mem("add", "one", "--type", "lesson")
    note.write_bytes(note.read_bytes() + b"- by hand\n")
    assert mem("log").out.count("\n") == 2
    assert mem("undo").code == 0
    assert note.read_bytes() == TEXT + b"- by hand\n"
    assert mem("undo").code == 0
    assert note.read_bytes() == TEXT
    assert mem("undo").code == 2


def test_doctor_names_a_damaged_history(note: Path, home: Path, keeper: Keeper, mem: Mem) -> None:
    keeper.add(Draft("one"))
    image = next(path for path in (home / "state" / "objects").rglob("*") if path.is_file())
    image.write_bytes(b"broken")
    ran = mem("doctor", "--json")
    assert ran.code == 6
    assert '"check": "history"' in ran.out


STEPS = st.lists(
    st.tuples(st.sampled_from(["add", "edit", "retire", "restore", "confirm", "undo", "hand"]), st.integers(0, 50)),
    min_size=1,
    max_size=7,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_undoing_everything_gives_back_every_byte(
    steps: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    top = tmp_path_factory.mktemp("undo")
    note = top / ".harness" / "MEMORY.md"
    note.parent.mkdir(0o700)
    note.write_bytes(b"---\nversion: 3\nlast_modified: 2026-01-01T00:00:00Z\nmodified_by: mem add\n---\n" + TEXT)
    before = note.read_bytes()
    environ = {"HOME": str(top), "MEM_ENCODER": "none", "MEM_NOW": "2026-12-01T09:00:00Z"}
    keeper = Keeper(str(note.parent), str(top), environ)
    keeper.add(Draft("what hands do to a file that mem never wrote, nobody knows"))
    for verb, number in steps:
        act(keeper, note, verb, number)
    history.notice(keeper.home, [str(note)], keeper.now)
    while last := next((one for one in history.operations(keeper.home) if one.state == "done" and not one.of), None):
        keeper.undo(last.id)  # by name: without one, `undo` leaves out what hands did
    assert note.read_bytes() == before
    assert not list((note.parent / "archive").glob("*.md"))
    assert history.verify(keeper.home) == []


def act(keeper: Keeper, note: Path, verb: str, number: int) -> None:
    """One write of some kind; one that has nothing to work on does nothing."""
    living = [item.line for item in parse(note.read_bytes()).items if item.kind == "item"]
    ref = f".harness/MEMORY.md:{living[number % len(living)]}" if living else "none"
    acts = {
        "add": lambda: keeper.add(Draft(f"fact {number}", type="user" if number % 2 else "lesson")),
        "edit": lambda: keeper.edit(ref, text=f"changed {number}"),
        "retire": lambda: keeper.retire(ref),
        "restore": lambda: keeper.restore("aaaaaa"),
        "confirm": lambda: keeper.confirm(ref),
        "undo": keeper.undo,
        "hand": lambda: note.write_bytes(note.read_bytes() + b"- by hand %d\n" % number),
    }
    with suppress(MemError):
        acts[verb]()

"""What `init` finds on a machine, and that it never loses a byte of it."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memcli.errors import MemError
from memcli.init import find, make

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def lay(folder: Path, *names: str) -> None:
    """Empty files below `folder`."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def counts(**environ: str) -> dict[tuple[str, str], int]:
    """How many files of each kind each harness has."""
    found: dict[tuple[str, str], int] = {}
    for one in find(environ):
        found[one.harness, one.kind] = found.get((one.harness, one.kind), 0) + one.count
    return found


def test_transcripts_are_counted_and_their_litter_is_not(tmp_path: Path) -> None:
    lay(tmp_path / ".claude/projects/-a", "1.jsonl", "2.jsonl", "1.jsonl.lock", "1/subagents/agent-x.jsonl")
    lay(
        tmp_path / ".codex", "history.jsonl", "sessions/2026/11/30/rollout-1.jsonl", "archived_sessions/rollout-2.jsonl"
    )
    lay(tmp_path / ".openclaw/agents/main/sessions", "a.jsonl", "b.jsonl.deleted.1", "c.jsonl.reset.2", ".d.jsonl")
    assert counts(HOME=str(tmp_path)) == {
        ("claude-code", "transcripts"): 2,
        ("codex", "transcripts"): 2,
        ("openclaw", "transcripts"): 1,
    }


def test_the_harnesses_own_variables_move_their_folders(tmp_path: Path) -> None:
    lay(tmp_path / "c", "CLAUDE.md", "projects/x/memory/MEMORY.md")
    lay(tmp_path / "x", "AGENTS.md", "memories/MEMORY.md")
    got = counts(HOME=str(tmp_path), CLAUDE_CONFIG_DIR=str(tmp_path / "c"), CODEX_HOME=str(tmp_path / "x"))
    assert got == {("claude-code", "memory"): 2, ("codex", "memory"): 2}


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    lay(tmp_path / ".codex/sessions/2026", "rollout-1.jsonl")
    (tmp_path / ".codex/sessions/loop").symlink_to(tmp_path / ".codex/sessions")
    assert counts(HOME=str(tmp_path)) == {("codex", "transcripts"): 1}


def test_what_is_no_folder_is_passed_over(tmp_path: Path) -> None:
    lay(tmp_path, ".claude", ".codex/sessions")
    (tmp_path / ".openclaw").symlink_to(tmp_path / "nowhere")
    assert find({"HOME": str(tmp_path)}) == []


def test_a_new_home_is_complete_and_private_whatever_the_umask_env_10(home: Path) -> None:
    former = os.umask(0)
    try:
        made = make(str(home), NOON)
    finally:
        os.umask(former)
    assert made.names[0] == "/"
    assert not made.open_to_others
    modes = {path.stat().st_mode & 0o777 for path in [home, *home.iterdir()] if path.is_dir()}
    assert modes == {0o700}
    assert {path.stat().st_mode & 0o777 for path in home.iterdir() if path.is_file()} == {0o600}
    assert "last_modified: 2026-12-01T12:00:00Z\n" in (home / "MEMORY.md").read_text()


def test_twice_changes_nothing(home: Path) -> None:
    make(str(home), NOON)
    before = {path: (path.stat().st_mtime_ns, path.stat().st_mode) for path in home.rglob("*")}
    assert make(str(home), NOON).names == ()
    assert {path: (path.stat().st_mtime_ns, path.stat().st_mode) for path in home.rglob("*")} == before


def test_what_is_there_stays_and_what_lacks_is_made(home: Path) -> None:
    lay(home, "sessions/web/1.jsonl")
    (home / "MEMORY.md").write_bytes(b"- ours\r\n")
    (home / "config.toml").symlink_to("elsewhere.toml")
    names = make(str(home), NOON).names
    assert (home / "MEMORY.md").read_bytes() == b"- ours\r\n"
    assert os.readlink(home / "config.toml") == "elsewhere.toml"
    assert names == ("memory/", "projects/", "archive/", "state/", "cache/")


@pytest.mark.parametrize("name", ["", "memory"])
def test_a_file_in_the_way_is_named_and_kept(name: str, home: Path) -> None:
    taken = home / name if name else home
    taken.parent.mkdir(parents=True, exist_ok=True)
    taken.write_text("mine")
    with pytest.raises(MemError, match="is in the way"):
        make(str(home), NOON)
    assert taken.read_text() == "mine"

"""Which files are memory, for a home and a working directory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memcli.files import sources
from memcli.files.sources import Sources


def found(home: Path, cwd: Path, *extra: str) -> Sources:
    return sources.discover(str(home), str(cwd), os.environ, extra)


def names(seen: Sources, top: Path) -> list[str]:
    return [os.path.relpath(source.path, top) for source in seen.files]


def write(path: Path, text: str = "- x\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_home_and_project_are_read_outermost_first(home: Path, tmp_path: Path) -> None:
    for name in ("MEMORY.md", "memory/a/b.md", "sessions/web/1.jsonl"):
        write(home / name)
    project = tmp_path / "proj"
    for name in ("CLAUDE.md", "sub/AGENTS.md", "sub/.claude/rules/x.md", "sub/memory/day.md", "other/CLAUDE.md"):
        write(project / name)
    (project / ".git").mkdir()
    wanted = ["MEMORY.md", "memory/a/b.md", "sessions/web/1.jsonl"]
    assert names(found(home, project / "sub"), home) == [*wanted] + [
        f"../proj/{name}" for name in ("CLAUDE.md", "sub/AGENTS.md", "sub/.claude/rules/x.md", "sub/memory/day.md")
    ]


def test_files_of_editors_are_no_memory_index_07(home: Path, tmp_path: Path) -> None:
    for name in (".MEMORY.md.swp", "MEMORY.md~", "4913", ".#MEMORY.md", "x.tmp", ".goutputstream-AB", "kept.md"):
        write(home / "memory" / name)
    seen = found(home, tmp_path)
    assert names(seen, home) == ["memory/kept.md"]
    assert seen.problems == []


def test_only_live_session_logs_are_read_jsonl_14(home: Path, tmp_path: Path) -> None:
    for name in ("a.jsonl", "a.jsonl.lock", "b.jsonl.deleted.17", "c.jsonl.bak.1"):
        write(home / "sessions/w" / name, "{}\n")
    assert names(found(home, tmp_path), home) == ["sessions/w/a.jsonl"]


def test_dangling_and_looping_links_end_with_a_note_watcher_13(home: Path, tmp_path: Path) -> None:
    write(home / "memory/a.md")
    (home / "memory/gone.md").symlink_to("nowhere")
    (home / "memory/loop").symlink_to(".")
    (home / "memory/self.md").symlink_to("self.md")
    seen = found(home, tmp_path)
    assert names(seen, home) == ["memory/a.md"]
    assert sorted(os.path.basename(problem).partition(":")[0] for problem in seen.problems) == ["gone.md", "self.md"]


def test_two_names_of_one_file_count_once_paths_11(home: Path, tmp_path: Path) -> None:
    write(tmp_path / "p/AGENTS.md")
    (tmp_path / "p/CLAUDE.md").symlink_to("AGENTS.md")
    assert names(found(home, tmp_path / "p"), tmp_path) == ["p/CLAUDE.md"]


def test_a_guide_in_a_folder_that_anybody_writes_to_is_not_read(home: Path, tmp_path: Path) -> None:
    write(tmp_path / "open/CLAUDE.md")
    write(tmp_path / "open/mine/CLAUDE.md")
    (tmp_path / "open").chmod(0o777)
    assert names(found(home, tmp_path / "open/mine"), tmp_path) == ["open/mine/CLAUDE.md"]


def test_a_file_that_is_none_is_named(home: Path, tmp_path: Path) -> None:
    (home / "MEMORY.md").mkdir(parents=True)
    os.mkfifo(home / "memory.md")
    seen = found(home, tmp_path, str(home / "memory.md"))
    assert [problem.rpartition(": ")[2] for problem in seen.problems] == ["not a regular file"] * 2


@pytest.mark.parametrize(("one", "two"), [("a-b", "a_b"), ("项目", "计划"), ("a b", "a.b")])
def test_keys_of_different_projects_differ(tmp_path: Path, one: str, two: str) -> None:
    keys = []
    for name in (one, two):
        (tmp_path / name).mkdir()
        keys.append(sources.project_key(str(tmp_path / name)))
    assert keys[0] != keys[1]
    assert all(key.replace("-", "").isalnum() and key.isascii() for key in keys)


def test_worktrees_share_their_key(tmp_path: Path) -> None:
    main, linked = tmp_path / "main", tmp_path / "linked"
    write(main / ".git/worktrees/linked/commondir", "../..\n")
    write(linked / ".git", f"gitdir: {main}/.git/worktrees/linked\n")
    assert sources.project_key(str(linked)) == sources.project_key(str(main))


def test_memory_kept_for_a_project_elsewhere_is_read(home: Path, tmp_path: Path) -> None:
    project = tmp_path / "proj"
    (project / ".git").mkdir(parents=True)
    key = sources.project_key(str(project))
    write(home / "projects" / key / "MEMORY.md")
    slug = "".join(char if char.isalnum() else "-" for char in str(project))
    write(tmp_path / ".claude/projects" / slug / "memory/MEMORY.md")
    seen = found(home, project)
    assert [source.scope for source in seen.files] == ["project", "project"]


def test_names_print_whatever_their_bytes_encoding_06() -> None:
    assert sources.show(os.fsdecode(b"note-\xcf\xf0\n.md")) == "note-\\udccf\\udcf0\\n.md"

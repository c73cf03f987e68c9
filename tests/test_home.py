"""Where the home is: never below `./~`, never in the root of the disk."""

from __future__ import annotations

import pwd
from pathlib import Path
from types import SimpleNamespace

import pytest

from memcli.errors import MemError
from memcli.home import home, project_root, unset, user_home


@pytest.mark.parametrize("said", ["", "~", "relative", None])
def test_a_home_that_is_no_directory_gives_the_passwd_entry_env_01(
    said: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: SimpleNamespace(pw_dir="/home/ada"))
    environ = {} if said is None else {"HOME": said}
    assert user_home(environ) == "/home/ada"
    assert home(environ) == "/home/ada/.harness"


@pytest.mark.parametrize("entry", ["", "~"])
def test_without_any_home_the_error_says_what_to_set_env_01(entry: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: SimpleNamespace(pw_dir=entry))
    with pytest.raises(MemError, match="no home directory") as caught:
        home({"HOME": ""})
    assert "HARNESS_HOME" in caught.value.hint


def test_a_user_without_a_passwd_entry_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", absent)
    with pytest.raises(MemError):
        user_home({})


@pytest.mark.parametrize(
    ("said", "wanted"),
    [("/srv/memory", "/srv/memory"), ("~/memory", "/home/ada/memory"), ("~", "/home/ada"), ("/srv/../m/", "/m")],
)
def test_harness_home_wins_and_its_tilde_is_expanded(said: str, wanted: str) -> None:
    assert home({"HOME": "/home/ada", "HARNESS_HOME": said}).rstrip("/") == wanted


def test_a_relative_harness_home_starts_here(tmp_path: Path) -> None:
    assert home({"HARNESS_HOME": "memory"}) == str(tmp_path / "memory")


@pytest.mark.parametrize("mark", [".git", ".mem.toml"])
def test_a_project_is_found_from_below(mark: str, tmp_path: Path) -> None:
    deep = tmp_path / "shop" / "src"
    deep.mkdir(parents=True)
    assert project_root(str(deep)) is None
    (tmp_path / "shop" / mark).touch()  # a file in a linked worktree
    assert project_root(str(deep)) == str(tmp_path / "shop")


@pytest.mark.parametrize(
    ("toml", "nothing"),
    [
        (b"", True),
        (b"# k = 1\r\n\r\n[search]\r\n  # x\n", True),
        (b"[search]\nk = 1\n", False),
        (b"[search\n", False),
        (b"[search] k\n", False),
        (b"\xef\xbb\xbf# mem\n", False),
    ],
)
def test_a_file_that_sets_nothing_is_known_without_a_parser(toml: bytes, nothing: bool) -> None:
    assert unset(toml) is nothing

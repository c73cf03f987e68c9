"""What cannot be read or written costs one clear line, the right exit code, and nothing else: the rest is still searched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Mem, Ran, spawn

PARTLY = 3
# Runs `mem` without the rights that let root read and write everything, and with a limit on the size of files.
PRELUDE = """
import ctypes, os, resource, struct, sys
if os.getuid() == 0:
    ctypes.CDLL(None).capset(struct.pack("Ii", 0x20080522, 0), bytes(24))
limit = int(os.environ.pop("FSIZE", "0"))
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
from memcli.__main__ import main
main()
"""


@pytest.fixture(autouse=True)
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    """No encoder: what is tested here are files."""
    monkeypatch.setenv("MEM_ENCODER", "none")


@pytest.fixture
def made(home: Path) -> Path:
    """A home with one note and one log."""
    (home / "memory").mkdir(0o700, parents=True)
    (home / "sessions").mkdir(0o700)
    (home / "memory" / "n.md").write_text("- the aardvark\n")
    (home / "sessions" / "s.jsonl").write_text('{"type": "message", "role": "user", "content": "an aardvark said"}\n')
    return home


def weak(*args: str, cwd: Path, size: int = 0) -> Ran:
    """What `mem` does as somebody whom file modes bind; no file may grow past `size` bytes."""
    return spawn([sys.executable, "-P", "-c", PRELUDE, *args], folder=cwd, env={"FSIZE": str(size)})


def texts(ran: Ran) -> list[str]:
    """The texts of the hits."""
    return [line.split("\t")[2] for line in ran.out.splitlines()]


def test_a_file_that_may_not_be_read_is_named(made: Path, tmp_path: Path) -> None:
    (made / "MEMORY.md").write_text("- the aardvark's secret\n")
    (made / "MEMORY.md").chmod(0)
    for args in (["search"], ["search", "--explain", "-q"], ["search", "--json"]):  # full, full, then perhaps cold
        ran = weak(*args, "aardvark", cwd=tmp_path)
        assert (ran.code, len(ran.out.splitlines())) == (PARTLY, 2)
        assert ran.err.startswith(f"mem: {made}/MEMORY.md: permission denied\n") or "-q" in args
    assert weak("index", cwd=tmp_path).code == PARTLY
    doctor = weak("doctor", cwd=tmp_path)
    assert doctor.code == 1
    assert f"files\t{made}/MEMORY.md\tpermission denied\t" in doctor.out
    (made / "MEMORY.md").chmod(0o600)
    assert len(texts(weak("search", "aardvark", cwd=tmp_path))) == 3


def test_a_file_that_may_no_longer_be_read_is_not_served_from_the_index(made: Path, tmp_path: Path) -> None:
    assert len(texts(weak("search", "aardvark", cwd=tmp_path))) == 2
    (made / "memory" / "n.md").chmod(0)
    ran = weak("show", ".harness/memory/n.md:1", cwd=tmp_path)
    assert (ran.code, ran.out) == (1, "")
    assert "permission denied" in ran.err


def test_a_folder_that_may_not_be_read_is_named(made: Path, tmp_path: Path) -> None:
    (made / "memory").chmod(0)
    ran = weak("search", "aardvark", cwd=tmp_path)
    (made / "memory").chmod(0o700)
    assert (ran.code, texts(ran)) == (PARTLY, ["an aardvark said"])
    assert ran.err == f"mem: {made}/memory: permission denied\n"


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: os.mkfifo(path)], ids=["folder", "pipe"])
def test_what_is_no_file_is_named(make: object, made: Path, mem: Mem) -> None:
    assert callable(make)
    make(made / "MEMORY.md")
    for _ in range(2):
        ran = mem("search", "aardvark")
        assert (ran.code, len(ran.out.splitlines())) == (PARTLY, 2)
        assert ran.err == f"mem: {made}/MEMORY.md: not a regular file\n"


@pytest.mark.parametrize("torn", [False, True])
def test_a_line_of_a_hundred_megabytes_hides_nothing(torn: bool, made: Path, mem: Mem) -> None:
    with (made / "sessions" / "s.jsonl").open("a") as log:
        log.write('{"type": "message", "role": "tool", "content": "' + "zebra " * 17_000_000)
        log.write("\n" if torn else '"}\n')
        log.write('{"type": "message", "role": "user", "content": "after the zebra"}\n')
    ran = mem("search", "--json", "aardvark")
    assert (ran.code, ran.err) == (0, "")
    assert {"the aardvark", "an aardvark said"} <= {json.loads(line)["text"] for line in ran.out.splitlines()}
    lines = {json.loads(line)["line"] for line in mem("search", "--json", "zebra").out.splitlines()}
    assert (3 in lines, 2 in lines) == (True, not torn)


def test_a_note_too_large_is_named(made: Path, mem: Mem) -> None:
    with (made / "MEMORY.md").open("wb") as file:
        file.truncate(33 << 20)
    ran = mem("search", "aardvark")
    assert (ran.code, len(ran.out.splitlines()), ran.err) == (PARTLY, 2, f"mem: {made}/MEMORY.md: larger than 32 mb\n")


def test_a_read_only_home_is_searched_all_the_same(made: Path, tmp_path: Path) -> None:
    folders = [made, *(path for path in made.rglob("*") if path.is_dir())]
    for path in folders:
        path.chmod(0o500)
    ran = weak("search", "aardvark", cwd=tmp_path)
    listed = weak("list", cwd=tmp_path)
    status = weak("status", "--json", cwd=tmp_path)
    for path in folders:
        path.chmod(0o700)
    assert (ran.code, len(texts(ran))) == (0, 2)
    assert ran.err.count("\n") == 1
    assert f"mem: {made}: " in ran.err and "not kept" in ran.err
    assert (listed.code, len(listed.out.splitlines())) == (0, 1)
    assert (status.code, json.loads(status.out)["entries"]) == (0, 1)
    assert not (made / "cache").exists()


def test_a_read_only_home_with_an_index_uses_it(made: Path, tmp_path: Path) -> None:
    assert weak("index", cwd=tmp_path).code == 0
    folders = [made, *(path for path in made.rglob("*") if path.is_dir())]
    for path in folders:
        path.chmod(0o500)
    ran = weak("search", "aardvark", cwd=tmp_path)
    for path in folders:
        path.chmod(0o700)
    assert (ran.code, len(texts(ran))) == (0, 2)


def test_without_a_home_nothing_is_made(home: Path, tmp_path: Path, mem: Mem) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "CLAUDE.md").write_text("- the aardvark\n")
    ran = mem("search", "aardvark", env={"HOME": str(tmp_path / "nobody")})
    assert (ran.code, texts(ran)) == (0, ["the aardvark"])
    assert ran.err == f"mem: {home}: there is no home yet (mem init); what is found now is not kept\n"
    assert not home.exists()


def test_a_home_that_is_a_file_is_one_line(home: Path, mem: Mem) -> None:
    home.write_text("- the aardvark\n")
    ran = mem("search", "aardvark")
    assert (ran.code, ran.out) == (1, "")
    assert "bug" not in ran.err
    assert home.read_text() == "- the aardvark\n"


@pytest.mark.parametrize("size", [1, 4096, 65_536])
def test_a_full_disk_costs_the_index_and_no_answer(size: int, made: Path, tmp_path: Path) -> None:
    (made / "memory" / "many.md").write_text("".join(f"- the aardvark number {n} and more\n" for n in range(2000)))
    before = {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}
    ran = weak("search", "-k", "3", "aardvark", "1999", cwd=tmp_path, size=size)
    assert (ran.code, texts(ran)[0]) == (0, "the aardvark number 1999 and more")
    assert len(ran.err.splitlines()) == 1
    assert {path: path.read_bytes() for path in before} == before
    after = weak("search", "-k", "3", "aardvark", "1999", cwd=tmp_path)
    assert (after.code, texts(after)[0]) == (0, "the aardvark number 1999 and more")


@pytest.mark.parametrize("flags", [[], ["--explain", "-q"]], ids=["cold", "full"])
def test_a_full_disk_behind_stdout_is_one_line(flags: list[str], made: Path, mem: Mem, tmp_path: Path) -> None:
    assert mem("search", "aardvark").code == 0
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [sys.executable, "-P", "-m", "memcli", "search", *flags, "aardvark"],
            cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, timeout=30,
        )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (2, b"mem: No space left on device\n")


def test_a_working_directory_that_is_gone_is_one_line(made: Path, tmp_path: Path) -> None:
    script = f'mkdir gone && cd gone && rmdir ../gone && "{sys.executable}" -P -m memcli search aardvark'
    ran = spawn(["bash", "-c", script], folder=tmp_path)
    assert (ran.code, ran.out, ran.err) == (2, "", "mem: No such file or directory\n")


def test_a_setting_in_a_read_only_home_names_the_file(made: Path, tmp_path: Path) -> None:
    made.chmod(0o500)
    ran = weak("config", "search.k", "3", cwd=tmp_path)
    made.chmod(0o700)
    path = f"{made}/config.toml"
    assert ran == (2, "", f"mem: cannot write {path}: permission denied\nmem: try: ls -ld {made}\n")
    ran = weak("config", "search.k", "3", cwd=tmp_path, size=1)
    assert (ran.code, ran.err.splitlines()[0]) == (2, f"mem: cannot write {path}: file too large")
    assert sorted(os.listdir(made)) == ["memory", "sessions"]

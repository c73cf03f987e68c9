"""Writes that happen wholly or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from pathlib import Path

import pytest

from memcli.errors import MemError, StaleWrite, Unreadable
from memcli.files import atomic
from memcli.files.atomic import ABSENT, create_private, digest, private_dir, replace
from memcli.files.markdown import parse, splice


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "MEMORY.md"
    path.write_bytes(b"- old\n")
    return path


def names(path: Path) -> list[str]:
    return sorted(os.listdir(path.parent))


def test_a_digest_is_that_of_the_content(note: Path) -> None:
    assert digest(str(note)) == hashlib.sha256(b"- old\n").hexdigest()


def test_a_file_that_is_not_there_has_a_digest_too(tmp_path: Path) -> None:
    assert digest(str(tmp_path / "gone")) == ABSENT


def test_what_is_no_regular_file_has_no_digest(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable):
        digest(str(tmp_path / "pipe"))
    with pytest.raises(Unreadable):
        digest(str(tmp_path))


def test_a_write_gives_the_digest_it_leaves(note: Path) -> None:
    new = replace(str(note), b"- new\n", expected=digest(str(note)))
    assert (note.read_bytes(), digest(str(note)), names(note)) == (b"- new\n", new, ["MEMORY.md"])


def test_a_write_over_a_changed_file_is_refused(note: Path) -> None:
    seen = digest(str(note))
    note.write_bytes(b"- theirs\n")
    with pytest.raises(StaleWrite):
        replace(str(note), b"- new\n", expected=seen)
    assert (note.read_bytes(), names(note)) == (b"- theirs\n", ["MEMORY.md"])


def test_a_change_while_we_write_is_noticed(note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill = atomic.fill

    def slow(fd: int, data: bytes) -> None:
        fill(fd, data)
        note.write_bytes(b"- theirs\n")

    monkeypatch.setattr(atomic, "fill", slow)
    with pytest.raises(StaleWrite):
        replace(str(note), b"- new\n", expected=digest(str(note)))
    assert (note.read_bytes(), names(note)) == (b"- theirs\n", ["MEMORY.md"])


def test_a_new_file_is_made_but_never_over_another(tmp_path: Path) -> None:
    path = tmp_path / "new.md"
    replace(str(path), b"a", expected=ABSENT)
    with pytest.raises(StaleWrite):
        replace(str(path), b"b", expected=ABSENT)
    assert (path.read_bytes(), names(path)) == (b"a", ["new.md"])


def test_a_file_made_at_the_last_moment_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "new.md"
    compare = atomic._compare

    def late(real: str, name: str, expected: str) -> None:
        compare(real, name, expected)
        if len(names(path)) == 1:
            path.write_bytes(b"theirs")

    monkeypatch.setattr(atomic, "_compare", late)
    with pytest.raises(StaleWrite):
        replace(str(path), b"ours", expected=ABSENT)
    assert (path.read_bytes(), names(path)) == (b"theirs", ["new.md"])


@pytest.mark.parametrize(("folder", "file"), [(0o700, 0o600), (0o755, 0o644)])
def test_a_new_file_is_as_private_as_its_folder(tmp_path: Path, folder: int, file: int) -> None:
    before = os.umask(0o022)
    try:
        (tmp_path / "d").mkdir()
        (tmp_path / "d").chmod(folder)
        replace(str(tmp_path / "d/x"), b"", expected=ABSENT)
    finally:
        os.umask(before)
    assert mode(tmp_path / "d/x") == file


def test_mode_and_owner_stay(note: Path) -> None:
    note.chmod(0o640)
    # Only root may give a file away; anybody else keeps their own.
    owner = (4_321, 4_322) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
    os.chown(note, *owner)
    replace(str(note), b"- new\n", expected=digest(str(note)))
    status = note.stat()
    assert (mode(note), (status.st_uid, status.st_gid)) == (0o640, owner)


def test_an_owner_that_cannot_stay_is_a_refusal(note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(fd: int, user: int, group: int) -> None:
        raise PermissionError(errno.EPERM, "not permitted")

    status = note.stat()
    other = os.stat_result((status.st_mode, *status[1:4], 99_999, *status[5:]))
    monkeypatch.setattr(atomic, "writable", lambda path: other)
    monkeypatch.setattr(os, "fchown", refuse)
    with pytest.raises(MemError, match="owner"):
        replace(str(note), b"- new\n", expected=digest(str(note)))
    assert (note.read_bytes(), names(note)) == (b"- old\n", ["MEMORY.md"])


def test_a_chain_of_symlinks_is_followed_and_stays(note: Path) -> None:  # markdown pattern 30, paths-11
    (note.parent / "sub").mkdir()
    (note.parent / "sub/AGENTS.md").symlink_to("../MEMORY.md")
    link = note.parent / "CLAUDE.md"
    link.symlink_to("sub/AGENTS.md")
    replace(str(link), b"- new\n", expected=digest(str(link)))
    assert link.is_symlink() and note.read_bytes() == b"- new\n" and not note.is_symlink()


def test_a_symlink_to_nothing_makes_its_target(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    replace(str(tmp_path / "link"), b"a", expected=ABSENT)
    assert (tmp_path / "target").read_bytes() == b"a" and (tmp_path / "link").is_symlink()


def test_a_circle_of_symlinks_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(Unreadable, match="circle"):
        replace(str(tmp_path / "a"), b"", expected=ABSENT)


def test_a_read_only_file_is_refused_with_the_way_out(note: Path) -> None:
    note.chmod(0o444)
    with pytest.raises(MemError, match="read-only") as caught:
        replace(str(note), b"- new\n", expected=digest(str(note)))
    assert caught.value.hint == f"chmod u+w {note}"
    assert (note.read_bytes(), mode(note)) == (b"- old\n", 0o444)


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS])
def test_a_folder_that_takes_no_file_is_named(note: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    opened = os.open

    def refuse(path: str, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            raise OSError(code, os.strerror(code))
        return opened(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(MemError, match=os.strerror(code)):
        replace(str(note), b"- new\n", expected=digest(str(note)))
    assert note.read_bytes() == b"- old\n"


def test_a_full_disk_leaves_everything_as_it_was(note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int, data: memoryview) -> int:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="no space"):
        replace(str(note), b"- new\n", expected=digest(str(note)))
    assert (note.read_bytes(), names(note)) == (b"- old\n", ["MEMORY.md"])


def test_writes_that_take_less_than_asked_are_carried_on(note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:3]))
    replace(str(note), b"- a longer line\n", expected=digest(str(note)))
    assert note.read_bytes() == b"- a longer line\n"


def test_the_content_and_the_name_are_flushed(note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda fd: flushed.append(stat.S_ISDIR(os.fstat(fd).st_mode)))
    replace(str(note), b"- new\n", expected=digest(str(note)))
    assert flushed == [False, True]


@pytest.mark.parametrize("umask", [0o000, 0o277])
def test_private_things_are_private_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        create_private(str(tmp_path / "home/state/log"))
        private_dir(str(tmp_path / "home/cache"))
    finally:
        os.umask(before)
    modes = [mode(tmp_path / name) for name in ("home", "home/state", "home/cache", "home/state/log")]
    assert modes == [0o700, 0o700, 0o700, 0o600]


def test_private_things_that_exist_stay_as_they_are(note: Path) -> None:
    note.chmod(0o644)
    create_private(str(note))
    private_dir(str(note.parent))
    assert (mode(note), note.read_bytes()) == (0o644, b"- old\n")


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_an_edited_entry_is_the_only_change_in_the_file(note: Path, end: bytes) -> None:  # encoding-03, markdown-13
    lines = [b"\xef\xbb\xbf---", b"b: 1", b"a: 2", b"---", b"* x  ", b"- [x] **Port**: 8080", b"1) y", b"", b""]
    note.write_bytes(end.join(lines))
    data = note.read_bytes()
    [item] = [item for item in parse(data).items if item.checked]
    new = splice(data, item.start, item.end, b"- [x] **Port**: 9090" + end)
    replace(str(note), new, expected=digest(str(note)))
    assert note.read_bytes() == data.replace(b"8080", b"9090")

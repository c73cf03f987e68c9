"""Many writers: nobody's entry is lost, whatever the lock file looks like."""

from __future__ import annotations

import errno
import fcntl
import os
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from store.rig import NOW, change, ended, put, read, spawned, states, write

from memcli.errors import Busy, StaleWrite, Unreadable
from memcli.files.atomic import digest, replace
from memcli.store.history import Change, image, notice, operations, recover, undo, verify
from memcli.store.history.place import at

WRITERS = 8
ADDS = int(os.environ.get("MEM_ADDS", "25"))


def add(home: Path, path: Path, writer: int, count: int = ADDS) -> None:
    """Appends `count` entries, each as `mem add` does: read, think, write; and again when it was too late."""
    for number in range(count):
        line = b"- entry %d of writer %d\n" % (number, writer)
        while True:
            base = read(path) or b""
            try:
                write(home, Change(str(path), digest_of(base), base + line, base))
                break
            except StaleWrite:
                continue


def digest_of(data: bytes) -> str:
    from memcli.store.history.data import digested

    return digested(data)


def entries(text: bytes) -> Counter[bytes]:
    return Counter(line for line in text.splitlines() if line.startswith(b"- entry"))


def wanted() -> set[bytes]:
    return {b"- entry %d of writer %d" % (number, writer) for writer in range(WRITERS) for number in range(ADDS)}


def test_every_entry_of_eight_writers_is_there_once(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_bytes(b"# Memory\n\n")
    writers = [spawned(lambda number=number: add(home, path, number)) for number in range(WRITERS)]  # type: ignore[misc]
    assert [ended(writer) for writer in writers] == [0] * WRITERS
    assert entries(path.read_bytes()) == Counter(wanted())
    assert (verify(str(home)), len(states(home))) == ([], WRITERS * ADDS)


def rewriter(path: Path, until: float) -> int:
    """How often it saved: an editor that knows no lock, changes its own line and saves by rename, if nobody was faster."""
    saved = 0
    while time.time() < until:
        seen = digest(str(path))
        text = path.read_bytes()
        new = b"".join(b"# Edited %d times\n" % saved if line[:1] == b"#" else line for line in text.splitlines(True))
        time.sleep(0.005)
        try:
            replace(str(path), new, expected=seen)
            saved += 1
        except StaleWrite:
            continue
    return saved


def test_an_editor_that_rewrites_the_file_meanwhile_takes_nothing_unseen(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_bytes(b"# Memory\n\n")
    writers = [spawned(lambda number=number: add(home, path, number)) for number in range(WRITERS)]  # type: ignore[misc]
    saved = 0
    while any(not gone(pid) for pid in writers):
        saved += rewriter(path, time.time() + 0.1)
    notice(str(home), [str(path)], NOW)
    found = entries(path.read_bytes())
    # Nobody can keep an editor from saving over what was written since it looked; the log has what it took.
    taken = {
        line
        for step in by_hand(home)
        for line in entries(image(str(home), step[0])) - entries(image(str(home), step[1]))
    }
    assert saved > 3 and max(found.values()) == 1
    assert wanted() - set(found) <= taken
    assert verify(str(home)) == []


def gone(pid: int) -> bool:
    """Whether the child `pid` has ended well."""
    try:
        done, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return True
    assert status == 0
    return done == pid


def by_hand(home: Path) -> list[tuple[str, str]]:
    found = (item for item in operations(str(home)) if item.verb == "edit-by-hand")
    return [(step.before, step.after) for item in found for step in item.steps]


def test_a_save_in_place_is_waited_for(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    put(home, path, b"- one\n")
    mine = change(path, b"- one\n- mine\n")
    file = path.open("wb", buffering=0)
    late = threading.Timer(0.01, lambda: file.write(b"- one, edited\n"))
    late.start()
    with file:
        write(home, mine)
        late.join()
    assert path.read_bytes() == b"- one, edited\n- mine\n"


@pytest.mark.parametrize("content", [b"", b"garbage\0\xff", b"1\n", b"%d\nhost\n" % os.getpid()])
def test_what_the_lock_file_says_does_not_matter(home: Path, tmp_path: Path, content: bytes) -> None:
    put(home, tmp_path / "a.md", b"- one\n")
    (home / "state/write.lock").write_bytes(content)
    put(home, tmp_path / "a.md", b"- two\n")
    assert len(states(home)) == 2


def test_a_lock_that_is_held_is_busy(home: Path, tmp_path: Path) -> None:
    put(home, tmp_path / "a.md", b"- one\n")
    with at(str(home)).locked(0), pytest.raises(Busy, match="write"):
        recover(str(home), wait_s=0.05)


def test_a_planted_lock_is_not_followed(home: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (home / "state").mkdir(parents=True)
    (home / "state/write.lock").symlink_to(victim)
    with pytest.raises(Unreadable, match="no lock file"):
        put(home, tmp_path / "a.md", b"- one\n")
    assert (victim.read_bytes(), (tmp_path / "a.md").exists()) == (b"precious", False)


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS])
def test_where_there_are_no_locks_a_note_says_so(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse(fd: int, how: int) -> None:
        if how == fcntl.LOCK_UN and code != errno.ENOSYS:
            return
        raise OSError(code, os.strerror(code))

    path = tmp_path / "a.md"
    path.write_bytes(b"- one\n")
    monkeypatch.setattr(fcntl, "flock", refuse)
    made = put(home, path, b"- two\n")
    assert (read(path), made.state) == (b"- two\n", "done")
    assert any("without locks" in note for note in made.notes)
    stale = change(path, b"- 2\n")
    path.write_bytes(b"- II\n")
    with pytest.raises(StaleWrite):
        write(home, stale)


def test_where_a_lock_keeps_nobody_out_a_strangers_change_is_still_seen(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    put(home, path, b"- one\n")
    monkeypatch.setattr(fcntl, "flock", lambda fd, how: None)
    stale = change(path, b"- 1\n")
    path.write_bytes(b"- I\n")
    with pytest.raises(StaleWrite):
        write(home, stale)
    undo(str(home), None, actor="t", now=NOW)
    assert path.read_bytes() == b"- one\n"


def test_a_lock_is_never_held_by_nobody(home: Path, tmp_path: Path) -> None:
    def take() -> None:
        for _ in range(500):
            with at(str(home)).locked(5):
                pass

    assert [ended(pid) for pid in [spawned(take), spawned(take)]] == [0, 0]

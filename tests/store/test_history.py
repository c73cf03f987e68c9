"""What every write leaves behind, and the way back."""

from __future__ import annotations

import errno
import os
import resource
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from store.rig import NOW, change, litter, put, read, states, write

from memcli.errors import Damaged, MemError, StaleWrite, Unreadable, Usage
from memcli.files.atomic import ABSENT, digest
from memcli.store.history import Change, Line, apply, image, notice, operations, recover, trim, undo, verify
from memcli.store.history.data import digested


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "work/MEMORY.md"
    path.parent.mkdir()
    path.write_bytes(b"- one\n- two\n")
    return path


def back(home: Path, name: str | None = None) -> str:
    return undo(str(home), name, actor="tester", now=NOW).id


def test_an_operation_says_who_did_what_when(home: Path, note: Path) -> None:
    before = digest(str(note))
    made = put(home, note, b"- one\n- two\n- three\n")
    (found,) = operations(str(home), None)
    assert found == made
    assert (found.verb, found.actor, found.time, found.state) == ("add", "tester", "2026-12-01T09:00:00Z", "done")
    assert found.summary == (Line("add", "k7f3q2", "a line"),)
    assert (found.paths, found.steps[0].before) == ((str(note),), before)
    assert image(str(home), found.steps[0].after) == note.read_bytes()
    assert verify(str(home)) == [] and litter(home, note.parent) == []


def test_the_same_run_gives_the_same_ids(tmp_path: Path) -> None:
    made = [put(tmp_path / name, tmp_path / name / "MEMORY.md", b"- a\n").id for name in ("one", "two")]
    assert made[0] == made[1] and len(made[0]) == 8


def test_several_files_change_together_or_not_at_all(home: Path, note: Path) -> None:
    other = note.with_name("other.md")
    other.write_bytes(b"- three\n")
    made = write(home, change(note, b"- ONE\n"), change(other, None), change(note.with_name("new.md"), b"- new\n"))
    assert (read(note), read(other), read(note.with_name("new.md"))) == (b"- ONE\n", None, b"- new\n")
    back(home, made.id)
    assert (read(note), read(other), read(note.with_name("new.md"))) == (b"- one\n- two\n", b"- three\n", None)


def test_what_changes_nothing_leaves_no_trace(home: Path, note: Path) -> None:
    assert put(home, note, note.read_bytes()).id == ""
    assert put(home, note.with_name("gone.md"), None).id == ""
    assert states(home) == []


def test_undo_takes_back_the_last_and_can_be_undone(home: Path, note: Path) -> None:
    put(home, note, b"- one\n- two\n- three\n")
    put(home, note, b"- one\n- two\n- three\n- four\n")
    second = back(home)
    first = back(home)
    assert (read(note), states(home)) == (
        b"- one\n- two\n",
        [("undo", "done"), ("undo", "done"), ("add", "undone"), ("add", "undone")],
    )
    with pytest.raises(MemError, match="nothing to undo"):
        back(home)
    back(home, first)
    back(home, second)
    assert read(note) == b"- one\n- two\n- three\n- four\n"
    assert states(home)[-2:] == [("add", "done"), ("add", "done")]
    back(home)
    assert read(note) == b"- one\n- two\n- three\n"


def test_an_older_operation_goes_and_what_came_later_stays(home: Path, note: Path) -> None:
    made = put(home, note, b"- one\n- two\n- three\n")
    put(home, note, b"- one\n- two\n- three\n- four\n")
    assert undo(str(home), made.id[:5], actor="tester", now=NOW).of == made.id
    assert read(note) == b"- one\n- two\n- four\n"


def test_a_file_that_grew_since_it_was_made_keeps_the_rest(home: Path, note: Path) -> None:
    new = note.with_name("new.md")
    made = put(home, new, b"- one\n")
    put(home, new, b"- one\n- two\n")
    back(home, made.id)
    assert read(new) == b"- two\n"


def test_an_undo_that_contradicts_what_came_later_names_it(home: Path, note: Path) -> None:
    made = put(home, note, b"- ONE\n- two\n")
    later = put(home, note, b"- One!\n- two\n")
    with pytest.raises(StaleWrite, match="nothing was written") as caught:
        back(home, made.id)
    assert caught.value.hint == f"mem undo {later.id}"
    back(home, later.id)
    back(home, made.id)
    assert read(note) == b"- one\n- two\n"


def test_what_is_undone_already_names_the_undo(home: Path, note: Path) -> None:
    made = put(home, note, b"- ONE\n- two\n")
    by = back(home, made.id)
    with pytest.raises(MemError, match="undone already") as caught:
        back(home, made.id)
    assert caught.value.hint == f"mem undo {by}"


@pytest.mark.parametrize("name", ["zzzzzzzz", "a", ""])
def test_an_id_that_is_none_is_a_usage_error(home: Path, note: Path, name: str) -> None:
    put(home, note, b"")
    with pytest.raises(Usage, match="no operation"):
        back(home, name)


def test_a_file_that_moved_on_gets_both_changes(home: Path, note: Path) -> None:
    mine, yours = change(note, b"- one\n- two\n- mine\n"), change(note, b"- ONE\n- two\n- yours\n")
    write(home, yours)
    made = write(home, mine)
    assert read(note) == b"- ONE\n- two\n- yours\n- mine\n"
    assert "both changes are in it" in made.notes[0]
    assert verify(str(home)) == []


def test_a_contradiction_is_stale_and_writes_nothing(home: Path, note: Path) -> None:
    mine = change(note, b"- 1\n- two\n")
    other = change(note.with_name("new.md"), b"- new\n")
    note.write_bytes(b"- I\n- two\n")
    with pytest.raises(StaleWrite, match=r"MEMORY\.md changed meanwhile") as caught:
        write(home, other, mine)
    assert caught.value.hint == "run the command again"
    assert (read(note), read(note.with_name("new.md")), states(home)) == (b"- I\n- two\n", None, [])


def test_without_the_bytes_that_were_read_there_is_no_merge(home: Path, note: Path) -> None:
    mine = Change(str(note), digest(str(note)), b"- one\n- two\n- mine\n")
    note.write_bytes(b"- zero\n- one\n- two\n")
    with pytest.raises(StaleWrite):
        write(home, mine)
    assert read(note) == b"- zero\n- one\n- two\n"


def test_a_removal_of_what_moved_on_is_stale_and_so_is_a_change_of_what_is_gone(home: Path, note: Path) -> None:
    gone, changed = change(note, None), change(note, b"- 1\n")
    note.write_bytes(b"- I\n")
    with pytest.raises(StaleWrite):
        write(home, gone)
    note.unlink()
    with pytest.raises(StaleWrite, match="is gone"):
        write(home, changed)


def test_a_file_that_two_made_has_both(home: Path, note: Path) -> None:
    new = note.with_name("new.md")
    mine, yours = change(new, b"# Memory\n\n- mine\n"), change(new, b"# Memory\n\n- yours\n")
    write(home, yours)
    write(home, mine)
    assert read(new) == b"# Memory\n\n- yours\n- mine\n"


def test_another_merge_takes_its_place(home: Path, note: Path) -> None:
    mine = change(note, b"mine")
    note.write_bytes(b"yours")
    apply(
        str(home),
        [mine],
        verb="add",
        actor="t",
        summary=[],
        now=NOW,
        merge=lambda base, ours, theirs: b"|".join([base, ours, theirs]),
    )
    assert read(note) == b"- one\n- two\n|mine|yours"


def test_an_edit_by_hand_becomes_an_operation(home: Path, note: Path) -> None:
    put(home, note, b"- one\n")
    note.write_bytes(b"- one\n- by hand\n")
    (made,) = notice(str(home), [str(note), str(note.with_name("never.md"))], NOW)
    assert (made.verb, made.actor, made.state) == ("edit-by-hand", "editor", "done")
    assert notice(str(home), [str(note)], NOW) == []
    note.unlink()
    (gone,) = notice(str(home), [str(note)], NOW)
    assert gone.steps[0].after == ABSENT
    back(home, gone.id)
    back(home, made.id)
    assert (read(note), verify(str(home))) == (b"- one\n", [])


def test_a_write_notices_the_edit_before_it(home: Path, note: Path) -> None:
    put(home, note, b"- one\n")
    note.write_bytes(b"- one\n- by hand\n")
    put(home, note, b"- one\n- by hand\n- two\n")
    assert [verb for verb, _ in states(home)] == ["add", "edit-by-hand", "add"]


def test_two_names_of_one_file_have_one_history(home: Path, note: Path) -> None:
    link = note.with_name("CLAUDE.md")
    link.symlink_to(note)
    put(home, link, b"- one\n")
    put(home, note, b"- two\n")
    assert [verb for verb, _ in states(home)] == ["add", "add"]
    with pytest.raises(MemError, match="same file"):
        write(home, change(link, b"a"), change(note, b"b"))


def test_links_stay_links_and_modes_stay(home: Path, note: Path) -> None:
    chain = [note.with_name(name) for name in ("a", "b")]
    chain[0].symlink_to(note)
    chain[1].symlink_to("a")
    note.chmod(0o640)
    put(home, chain[1], b"- new\n")
    put(home, chain[1], None)
    assert not note.exists() and chain[1].is_symlink()
    back(home)
    assert (read(note), stat.S_IMODE(note.stat().st_mode)) == (b"- new\n", 0o640)
    assert chain[0].is_symlink() and chain[1].is_symlink()


@pytest.mark.parametrize("after", [b"- new\n", None])
def test_a_read_only_file_is_refused_with_the_reason(home: Path, note: Path, after: bytes | None) -> None:
    note.chmod(0o444)
    other = note.with_name("other.md")
    with pytest.raises(MemError, match="read-only") as caught:
        write(home, change(other, b"x"), change(note, after))
    assert caught.value.hint.startswith("chmod u+w")
    assert (read(note), other.exists(), states(home)) == (b"- one\n- two\n", False, [])


def test_a_directory_is_no_file(home: Path, tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        write(home, Change(str(tmp_path), ABSENT, b"x"))


def test_a_file_on_another_device(home: Path, tmp_path: Path) -> None:
    other = Path("/dev/shm") if os.path.isdir("/dev/shm") else tmp_path
    path = other / f"memcli-test-{os.getpid()}.md"
    try:
        put(home, path, b"- new\n")
        put(home, path, b"- newer\n")
        back(home)
        assert read(path) == b"- new\n"
        back(home)
        assert not path.exists()
    finally:
        path.unlink(missing_ok=True)


def test_a_name_that_is_no_utf8(home: Path, note: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(note.parent) + b"/\xff\xfe.md"))
    put(home, path, b"- new\n")
    (found,) = operations(str(home), None)
    assert (found.paths, notice(str(home), [str(path)], NOW)) == ((str(path),), [])
    back(home)
    assert not path.exists()


def test_what_lies_in_the_home_moves_with_it(home: Path, tmp_path: Path) -> None:
    put(home, home / "memory/topic.md", b"- one\n")
    put(home, home / "memory/topic.md", b"- two\n")
    home.rename(tmp_path / "moved")
    back(tmp_path / "moved")
    assert (tmp_path / "moved/memory/topic.md").read_bytes() == b"- one\n"


def test_all_that_is_kept_is_private(home: Path, note: Path) -> None:
    put(home, note, b"- new\n")
    for where, folders, names in os.walk(home):
        assert [n for n in folders if stat.S_IMODE(os.stat(f"{where}/{n}").st_mode) != 0o700] == []
        assert [n for n in names if stat.S_IMODE(os.stat(f"{where}/{n}").st_mode) != 0o600] == []


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize("at", range(7))
def test_a_full_disk_changes_nothing(
    home: Path, note: Path, monkeypatch: pytest.MonkeyPatch, at: int, code: int
) -> None:
    put(home, note, b"- before\n")
    real, calls = os.write, iter(range(100))

    def full(fd: int, data: bytes) -> int:
        if next(calls) == at:
            raise OSError(code, os.strerror(code))
        return real(fd, data)

    wanted = change(note, b"- after\n"), change(note.with_name("new.md"), b"- new\n")
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        try:
            said = write(home, *wanted).notes
        except MemError as error:
            said = (str(error),)
    assert any(os.strerror(code) in note for note in said) or next(calls) <= at
    done = states(home)[0][1] in ("done", "pending") and states(home)[1:] != []
    after = (b"- after\n", b"- new\n") if done else (b"- before\n", None)
    assert (read(note), read(note.with_name("new.md"))) == after
    recover(str(home))
    assert (verify(str(home)), litter(home, note.parent)) == ([], [])


def test_a_file_size_limit_changes_nothing(home: Path, note: Path) -> None:
    big = b"".join(b"- %d %s\n" % (n, os.urandom(40).hex().encode()) for n in range(2000))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(MemError, match="nothing was changed"):
            put(home, note, big)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (read(note), states(home), litter(home, note.parent)) == (b"- one\n- two\n", [], [])


def test_the_intent_is_on_disk_before_the_first_file_changes(
    home: Path, note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(home, note, b"- new\n")
    flushed: list[int] = []
    rename = os.replace
    monkeypatch.setattr(os, "fsync", lambda fd: flushed.append(os.fstat(fd).st_ino))

    def checked(source: str, target: str) -> None:
        if target == str(note):
            assert (home / "state/journal.jsonl").stat().st_ino in flushed
            assert next(operations(str(home))).state == "pending"
        rename(source, target)

    monkeypatch.setattr(os, "replace", checked)
    put(home, note, b"- newer\n")
    assert next(operations(str(home))).state == "done"


def test_short_writes_make_whole_files(home: Path, note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[:1]))
    put(home, note, b"- one\n- three\n")
    monkeypatch.undo()
    back(home)
    assert read(note) == b"- one\n- two\n"


def test_a_failure_at_the_second_file_takes_back_the_first(
    home: Path, note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = note.with_name("other.md")
    other.write_bytes(b"- three\n")
    real = os.replace

    def refuse(source: str, target: str) -> None:
        if target == str(other):
            raise OSError(errno.EIO, "Input/output error")
        real(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(MemError, match="Input/output error; nothing was changed"):
        write(home, change(note, b"- 1\n"), change(other, b"- 3\n"))
    assert (read(note), read(other), states(home)) == (b"- one\n- two\n", b"- three\n", [("add", "rolled back")])
    assert (recover(str(home)), verify(str(home)), notice(str(home), [str(note)], NOW)) == ([], [], [])


def test_a_strangers_write_in_between_is_merged(home: Path, note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memcli.store.history import journal

    real, calls = journal.begin, iter(range(9))

    def late(*args: object, **more: object) -> object:
        if next(calls) == 0:
            note.write_bytes(b"- stranger\n- one\n- two\n")
        return real(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(journal, "begin", late)
    put(home, note, b"- one\n- two\n- three\n")
    assert read(note) == b"- stranger\n- one\n- two\n- three\n"


def test_an_image_that_is_gone_or_corrupt_is_named(home: Path, note: Path) -> None:
    made = put(home, note, b"- new\n")
    first, second = (
        home / "state/objects" / step[:2] / step[2:] for step in (made.steps[0].before, made.steps[0].after)
    )
    first.write_bytes(b"garbage")
    second.unlink()
    assert [("corrupt" in line, "no image" in line) for line in verify(str(home))] == [(True, False), (False, True)]
    with pytest.raises(Damaged, match="corrupt"):
        back(home)
    assert read(note) == b"- new\n"
    with pytest.raises(Damaged, match="no image"):
        image(str(home), made.steps[0].after)
    put(home, note, b"- one\n- two\n")
    assert verify(str(home)) == []


def test_damaged_lines_hide_no_others(home: Path, note: Path) -> None:
    put(home, note, b"- new\n")
    with (home / "state/journal.jsonl").open("ab") as file:
        file.write(
            b'\x00\x00{"do":"intent","id":"tor\n{"do":"dance","id":7}\n{"do":"intent","id":7}\n{"do":"intent","id":"to'
        )
    put(home, note, b"- newer\n")
    assert [item.state for item in operations(str(home), None)] == ["done", "done"]
    found = verify(str(home))
    assert [line.split(": ", 1)[0].rpartition(":")[2] for line in found] == ["3", "4", "5"]
    back(home)
    back(home)
    assert read(note) == b"- one\n- two\n"


def test_a_long_journal_is_read_backwards(home: Path, note: Path) -> None:
    texts = [("add", f"e{number}", "x" * 30_000) for number in range(4)]
    for number, line in enumerate(texts):
        content = b"- %d\n" % number
        apply(str(home), [change(note, content)], verb="add", actor="t", summary=[line] * 9, now=NOW)
    assert [item.summary[0].entry for item in operations(str(home), None)] == ["e3", "e2", "e1", "e0"]
    assert [item.summary[0].entry for item in operations(str(home), 2)] == ["e3", "e2"]


def test_history_is_bounded_by_age(home: Path, note: Path) -> None:
    old = put(home, note, b"- old\n", NOW - timedelta(days=100))
    put(home, note, b"- young\n", NOW - timedelta(days=10))
    put(home, note, b"- new\n")
    assert trim(str(home), now=NOW) > 0
    assert trim(str(home), now=NOW) == 0
    assert [item.state for item in operations(str(home), None)] == ["done", "done", "expired"]
    assert verify(str(home)) == []
    with pytest.raises(MemError, match="too old"):
        back(home, old.id)
    back(home)
    back(home)
    assert read(note) == b"- old\n"


def test_history_is_bounded_by_size_but_for_the_last(home: Path, note: Path) -> None:
    for number in range(5):
        put(home, note, os.urandom(1000) + b"%d" % number)
    trim(str(home), now=NOW, max_bytes=3500)
    assert [item.state for item in operations(str(home), None)] == ["done", "done", "expired", "expired", "expired"]
    trim(str(home), now=NOW, max_bytes=0)
    assert [item.state for item in operations(str(home), None)] == ["done"] + ["expired"] * 4
    assert verify(str(home)) == []
    back(home)


def test_images_that_nothing_needs_go(home: Path, note: Path) -> None:
    from memcli.store.history import objects
    from memcli.store.history.place import at

    put(home, note, b"- new\n")
    objects.put(at(str(home)), b"orphan")
    assert trim(str(home), now=NOW) > 0
    assert verify(str(home)) == []
    with pytest.raises(Damaged):
        image(str(home), digested(b"orphan"))


def test_an_edit_of_what_has_long_been_quiet_can_be_undone(home: Path, note: Path) -> None:
    put(home, note, b"- old\n", NOW - timedelta(days=100))
    put(home, note.with_name("other.md"), b"- other\n")
    trim(str(home), now=NOW)
    note.write_bytes(b"- by hand\n")
    (made,) = notice(str(home), [str(note)], NOW)
    back(home, made.id)
    assert read(note) == b"- old\n"

"""`mem add`: one line more, once, whatever else happens to the file."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from conftest import Mem

from memcli.app import ids, keep
from memcli.app.keep import Keeper
from memcli.errors import MemError, Usage
from memcli.files.markdown import parse
from memcli.remember.safety import Refused
from memcli.store import history
from memcli.store.draft import Draft


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed process leaves what it wrote to the kernel; nobody waits for the disk here."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    monkeypatch.setenv("MEM_ENCODER", "none")


@pytest.fixture
def keeper(home: Path, tmp_path: Path) -> Keeper:
    return Keeper(str(home), str(tmp_path), dict(os.environ))


def filled(path: Path, data: bytes) -> Path:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def changed(before: bytes, after: bytes) -> tuple[int, int]:
    """How many lines are only in `after`, and how many only in `before`."""
    old, new = Counter(before.splitlines(keepends=True)), Counter(after.splitlines(keepends=True))
    return (new - old).total(), (old - new).total()


def test_concurrency_01_twenty_adds_at_once_are_twenty_entries(home: Path, tmp_path: Path) -> None:
    note = filled(home / "MEMORY.md", b"# Memory\n\n- one\n")
    lines = [[sys.executable, "-P", "-m", "memcli", "add", f"fact number {n}"] for n in range(20)]
    running = [subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE) for line in lines]
    ids = {one.communicate()[0].decode().strip() for one in running}
    assert [one.returncode for one in running] == [0] * 20
    items = parse(note.read_bytes()).items
    assert sorted(item.text for item in items) == sorted(["one", *(f"fact number {n}" for n in range(20))])
    assert {item.meta.id for item in items} - {None} == ids
    assert len(list(history.operations(str(home)))) == 20
    assert history.verify(str(home)) == []


def test_the_same_text_at_once_is_one_entry(home: Path, tmp_path: Path) -> None:
    note = filled(home / "MEMORY.md", b"- one\n")
    lines = [[sys.executable, "-P", "-m", "memcli", "add", text] for text in ("the very same", "The very  same") * 3]
    running = [subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE) for line in lines]
    assert len({one.communicate()[0] for one in running}) == 1
    assert len(parse(note.read_bytes()).items) == 2


def test_a_file_that_moves_on_gets_the_entry_where_it_belongs_now(
    home: Path, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = filled(home / "MEMORY.md", b"- one\n")
    before = keep.history.recover

    def late(*args: object, **more: object) -> list[str]:
        # The plan is made of what was read; by the time of the write the file is another one.
        monkeypatch.setattr(keep, "content", lambda path: b"- one\n")
        note.write_bytes(b"# Lessons\n\n- a lesson\n\n# Other\n\n- x\n")
        return before(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(keep.history, "recover", late)
    keeper.add(Draft("another lesson", type="lesson"))
    assert note.read_bytes().startswith(b"# Lessons\n\n- a lesson\n- another lesson <!-- mem: id=")


def test_dedup_10_an_entry_added_by_another_process_is_known(home: Path, mem: Mem) -> None:
    first, second = mem("add", "only once"), mem("add", "Only  once")
    assert (first.code, second.code, first.out) == (0, 0, second.out)
    assert "already there" in second.err
    assert (home / "MEMORY.md").read_text().count("once") == 1
    assert len(list(history.operations(str(home)))) == 1


def test_bloat_01_who_writes_past_what_is_loaded_is_told(home: Path, keeper: Keeper) -> None:
    filled(home / "MEMORY.md", b"".join(b"- fact %d\n" % n for n in range(199)))
    notes = [keeper.add(Draft(f"more {n}")).notes for n in range(3)]
    assert notes[0] == ()
    assert "has 201 lines" in notes[1][0]
    assert "202 lines" in notes[2][0]
    assert "first 200 lines or 25 KB of it, nothing from line 201 on" in notes[2][0]


def test_encoding_02_one_crlf_among_lf_changes_no_other_line(home: Path, keeper: Keeper) -> None:
    before = b"".join(b"- line %d\n" % n for n in range(99)) + b"- the odd one\r\n"
    note = filled(home / "MEMORY.md", before)
    keeper.add(Draft("new"))
    assert changed(before, note.read_bytes()) == (1, 0)
    assert note.read_bytes().endswith(b"-->\n")


def test_encoding_03_a_crlf_file_stays_one(tmp_path: Path, keeper: Keeper) -> None:
    before = "# 规则\r\n\r\n- 用 pnpm\r\n".encode()
    note = filled(tmp_path / "CLAUDE.md", before)
    keeper.add(Draft("用 uv"), to="CLAUDE.md")
    assert changed(before, note.read_bytes()) == (1, 0)
    assert note.read_bytes().count(b"\r\n") == note.read_bytes().count(b"\n") == 4


@pytest.mark.parametrize("lang", [{"LC_ALL": "C", "PYTHONUTF8": "0"}, {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0"}])
def test_encoding_05_text_is_utf8_in_every_locale(home: Path, mem: Mem, lang: dict[str, str]) -> None:
    assert mem("add", "周报改为周四发", "--section", "工作", env=lang).code == 0
    assert mem("add", "-", stdin="部署在周二", env=lang).code == 0
    text = (home / "MEMORY.md").read_text("utf-8")
    assert "## 工作\n" in text
    assert "周报改为周四发" in text
    assert "部署在周二" in text


def test_encoding_06_a_file_whose_name_is_not_utf8_is_written_too(tmp_path: Path, home: Path, mem: Mem) -> None:
    name = os.fsdecode(b"note-\xcf\xf0.md")
    ran = mem("add", "kept", "--to", name, "--json")
    assert ran.code == 0
    assert "- kept <!--" in (tmp_path / name).read_text()
    assert "note-" in mem("log").out or "kept" in mem("log").out
    assert mem("undo").code == 0
    assert not (tmp_path / name).exists()


def test_fssafe_01_a_chain_of_symlinks_stays_and_its_end_changes(home: Path, tmp_path: Path, keeper: Keeper) -> None:
    target = filled(tmp_path / "dotfiles" / "M.md", b"- one\n")
    target.chmod(0o640)
    home.mkdir(0o700)
    (tmp_path / "link.md").symlink_to(target)
    (home / "MEMORY.md").symlink_to(tmp_path / "link.md")
    keeper.add(Draft("two"))
    assert (home / "MEMORY.md").is_symlink()
    assert (tmp_path / "link.md").is_symlink()
    assert b"- two <!--" in target.read_bytes()
    assert target.stat().st_mode & 0o777 == 0o640


def test_fssafe_06_what_may_not_be_written_is_one_line(home: Path, keeper: Keeper, mem: Mem) -> None:
    note = filled(home / "MEMORY.md", b"- one\n")
    note.chmod(0o444)
    with pytest.raises(MemError, match=r"MEMORY\.md"):
        keeper.add(Draft("two"))
    ran = mem("add", "three")
    assert (ran.code, ran.out) == (2, "")
    assert note.read_bytes() == b"- one\n"


def test_concurrency_04_a_garbled_lock_file_holds_nobody_up(home: Path, keeper: Keeper) -> None:
    filled(home / "state" / "write.lock", b"\0garbled 1 1")
    assert keeper.add(Draft("one")).operation


def test_concurrency_05_the_number_of_a_living_process_in_a_lock_file_says_nothing(home: Path, keeper: Keeper) -> None:
    filled(home / "state" / "write.lock", b"%d\n" % os.getpid())
    assert keeper.add(Draft("one")).operation


def test_secret_01_and_03_what_is_secret_is_in_no_file(home: Path, keeper: Keeper) -> None:
    token = "ghp_" + "a1B2" * 9
    with pytest.raises(Refused, match="github token"):
        keeper.add(Draft(f"export X_TOKEN={token} and AKIA{'Q7R2' * 4}"))
    with pytest.raises(Refused):
        keeper.add(Draft("fine", tags=(token,)))
    kept = keeper.add(Draft(f"export X_TOKEN={token}"), redact=True)
    assert kept.operation
    found = [path for path in home.rglob("*") if path.is_file() and token.encode() in path.read_bytes()]
    assert found == []
    assert token not in str(list(history.operations(str(home))))


@pytest.mark.parametrize(
    "text",
    [
        "No API key in the build",
        "apiKey: import.meta.env.KEY",
        "The API key is stored in vault",
        "fixed in 3f786850e387550fdab836ed7e6dc881de23001b, id 123e4567-e89b-12d3-a456-426614174000",
    ],
)
def test_secret_04_text_about_secrets_is_kept_word_for_word(home: Path, keeper: Keeper, text: str) -> None:
    keeper.add(Draft(text), redact=True)
    assert f"- {text} <!--" in (home / "MEMORY.md").read_text()


def test_secret_04_a_redacted_text_is_known_again(home: Path, keeper: Keeper) -> None:
    text = "the key is ghp_" + "a1B2" * 9
    first, second = (keeper.add(Draft(text), redact=True) for _ in range(2))
    assert (first.entry_id, bool(second.operation)) == (second.entry_id, False)


def test_inject_03_a_quoted_example_is_kept(home: Path, keeper: Keeper) -> None:
    text = "Attackers write `ignore all previous instructions` in issues."
    assert keeper.add(Draft(text)).operation
    assert "instruction-like" not in (home / "MEMORY.md").read_text()


def test_inject_06_emoji_and_hebrew_keep_their_bytes(home: Path, keeper: Keeper) -> None:
    text = "family \U0001f468\u200d\U0001f469\u200d\U0001f467, \u05e9\u05dc\u05d5\u05dd\u200f (v2)"
    keeper.add(Draft(text))
    assert text in (home / "MEMORY.md").read_text("utf-8")


def test_time_02_every_time_has_an_offset_or_is_a_day(home: Path, mem: Mem) -> None:
    for zone in ("Asia/Shanghai", "America/New_York"):
        assert mem("add", f"in {zone}", "--expires", "2027-03-01T10:00:00+02:00", env={"TZ": zone}).code == 0
    text = (home / "MEMORY.md").read_text()
    assert text.count("created=2026-12-01 expires=2027-03-01T08:00:00Z") == 2


def test_time_07_days_are_counted_in_utc_over_a_clock_change(home: Path, mem: Mem) -> None:
    env = {"TZ": "Europe/Berlin", "MEM_NOW": "2026-03-28T01:30:00Z"}
    assert mem("add", "spring", "--expires", "1d", env=env).code == 0
    assert "expires=2026-03-29 " in (home / "MEMORY.md").read_text()


def test_an_id_that_the_index_or_the_file_knows_is_not_given_again(home: Path, keeper: Keeper) -> None:
    first = keeper.add(Draft("one"), to=str(home / "memory" / "a.md")).entry_id
    assert keeper.look().catalog.rows("select count(*) from doc where eid = ?", (first,)) == [(1,)]
    taken = ids.Taken(str(home), b"- two <!-- mem: id=abcdef -->\n")
    assert [eid in taken for eid in (first, "abcdef", "fedcba")] == [True, True, False]


def test_no_scope_leads_out_of_a_project(home: Path, keeper: Keeper) -> None:
    with pytest.raises(Usage, match="in no project"):
        keeper.add(Draft("x"), scope="project")

"""The catalog follows the files: whatever was edited, it is what a rebuild would be."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memcli.files import sources
from memcli.index import catalog as catalogs
from memcli.index import manifest, sync
from memcli.index.catalog import Catalog

Rows = list[tuple[object, ...]]


def synced(home: Path, path: str) -> tuple[Catalog, sync.Report]:
    opened, _ = catalogs.open_writer(path)
    return opened, sync.run(opened, look(home), [str(home)])


def look(home: Path) -> sources.Sources:
    return sources.discover(str(home), str(home.parent), os.environ)


def content(opened: Catalog) -> Rows:
    """What a search can see, without the ids."""
    columns = "unit, line, last, eid, type, until, tags, doc.text"
    found: Rows = []
    for unit, table in catalogs.FTS.items():
        found += opened.rows(
            f"select path, {columns}, {table}.text, {table}.context from doc join {table} on {table}.rowid = doc.id "
            "join file on file.id = doc.file where unit = ? order by path, line, doc.id",
            (unit,),
        )
    return found + sorted(opened.rows("select count(*), count(distinct digest) from chunk"))


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


TEXT = st.lists(
    st.sampled_from(
        [
            "- use pnpm",
            "- port: 8080 #net",
            "## Lessons",
            "部署在周四",
            "",
            "- x <!-- mem: id=abc expires=2026-01-01 -->",
        ]
    )
)
NAMES = st.sampled_from(["MEMORY.md", "memory/a.md", "memory/b/c.md"])
EDITS = st.lists(st.tuples(NAMES, st.one_of(st.none(), TEXT)), min_size=1, max_size=8)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EDITS)
def test_after_any_edits_the_catalog_is_what_a_rebuild_gives(
    tmp_path: Path, edits: list[tuple[str, list[str] | None]]
) -> None:
    home, kept = tmp_path / ".harness", str(tmp_path / "kept.sqlite")
    shutil.rmtree(home, ignore_errors=True)
    catalogs.remove(kept)
    for name, lines in edits:
        if lines is None:
            (home / name).unlink(missing_ok=True)
        else:
            write(home / name, "\n".join(lines))
        opened, _ = synced(home, kept)
        opened.close()
    opened, report = synced(home, kept)
    assert report.changed == 0
    assert content(opened) == content(synced(home, catalogs.MEMORY)[0])
    assert opened.integrity() == "ok"
    opened.close()


def test_what_has_not_changed_is_not_read_again(home: Path) -> None:
    write(home / "MEMORY.md", "- a\n")
    os.utime(home / "MEMORY.md", (1, 1))
    opened, first = synced(home, str(home / "c.sqlite"))
    assert (first.changed, first.docs) == (1, 1)
    assert sync.run(opened, look(home), []).changed == 0


def test_an_edit_that_keeps_size_and_time_is_seen_time_04(home: Path) -> None:
    note = home / "MEMORY.md"
    write(note, "- port 8080\n")
    before = note.stat()
    opened, _ = synced(home, str(home / "c.sqlite"))
    write(note, "- port 8081\n")
    os.utime(note, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not manifest.compare(opened, look(home)).fresh
    sync.run(opened, look(home), [])
    assert [row[0] for row in opened.rows("select text from doc")] == ["port 8081"]


def test_a_file_that_is_gone_takes_its_entries_along(home: Path) -> None:
    write(home / "memory/a.md", "- ghosttok77 lives\n")
    opened, _ = synced(home, str(home / "c.sqlite"))
    (home / "memory/a.md").unlink()
    report = sync.run(opened, look(home), [])
    assert report.gone == 1
    assert opened.search("entry", '"ghosttok77"', 5) == []
    assert opened.rows("select count(*) from chunk") == [(0,)]


def test_edits_leave_nothing_behind_index_03(home: Path) -> None:
    for number in range(60):
        write(home / "MEMORY.md", f"- the value is {number}\n")
        opened, _ = synced(home, str(home / "c.sqlite"))
        opened.close()
    opened, _ = synced(home, str(home / "c.sqlite"))
    assert opened.rows(
        "select (select count(*) from doc), (select count(*) from chunk), (select count(*) from file)"
    ) == [(1, 1, 1)]
    fresh, _ = synced(home, str(home / "d.sqlite"))
    opened.close(), fresh.close()
    assert (home / "c.sqlite").stat().st_size < 2 * (home / "d.sqlite").stat().st_size


def test_a_superseded_entry_ends_when_its_successor_begins(home: Path) -> None:
    write(home / "MEMORY.md", "- new <!-- mem: id=b created=2026-05-01 supersedes=a -->\n- old <!-- mem: id=a -->\n")
    opened, _ = synced(home, str(home / "c.sqlite"))
    assert dict(opened.rows("select eid, until from doc")) == {"a": "2026-05-01T00:00:00Z", "b": ""}
    write(home / "MEMORY.md", "- old <!-- mem: id=a -->\n")
    sync.run(opened, look(home), [])
    assert opened.rows("select eid, until from doc") == [("a", "")]


def test_one_unreadable_file_is_named_and_the_rest_is_indexed(home: Path) -> None:
    write(home / "memory/a.md", "- a\n")
    write(home / "memory/b.md", "- b\n")
    seen = look(home)
    (home / "memory/a.md").unlink()
    opened, _ = catalogs.open_writer(str(home / "c.sqlite"))
    report = sync.run(opened, seen, [])
    assert report.failed == [f"{home}/memory/a.md: no such file or directory"]
    assert opened.rows("select text from doc") == [("b",)]


def test_imports_are_sources_and_their_edits_are_seen_paths_03(home: Path, tmp_path: Path) -> None:
    (home).mkdir()
    write(tmp_path / "CLAUDE.md", "See @rules/style.md\n")
    write(tmp_path / "rules/style.md", "- four spaces\n")
    time.sleep(2 * sync.RACY_NS / 1e9)
    opened, _ = synced(home, str(home / "c.sqlite"))
    assert manifest.compare(opened, look(home)).fresh
    write(tmp_path / "rules/style.md", "- two spaces\n")
    assert not manifest.compare(opened, look(home)).fresh
    sync.run(opened, look(home), [str(tmp_path)])
    assert ("two spaces",) in opened.rows("select text from doc")
    write(tmp_path / "CLAUDE.md", "Nothing is imported.\n")
    sync.run(opened, look(home), [str(tmp_path)])
    assert opened.rows("select text from doc") == [("Nothing is imported.",)]


@pytest.mark.parametrize("damage", [b"junk" * 100, b""])
def test_a_damaged_catalog_is_no_catalog(tmp_path: Path, damage: bytes) -> None:
    path = str(tmp_path / "c.sqlite")
    catalogs.open_writer(path)[0].close()
    Path(path).write_bytes(damage)
    opened, why = catalogs.open_writer(path)
    assert why
    assert opened.rows("select count(*) from doc") == [(0,)]

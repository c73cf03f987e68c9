"""One entry taken out, archived, and brought back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings

from memcli.errors import StaleWrite, Usage
from memcli.files.markdown import parse
from memcli.store import wording
from memcli.store.archive import archive, put_back, revive
from memcli.store.find import spot
from memcli.store.retire import Removal, Retired, retire
from tests.files.samples import ALL, SAMPLES
from tests.store.documents import DOCUMENTS, ID, NOW, contents, found

ENTRY = "- a <!-- mem: id=k7f3q2 tags=x,y conf=0.8 created=2026-11-02 v=2 mood=calm -->\n"


def take(data: str | bytes, number: int = 0, **fields: Any) -> Removal:
    source = data.encode() if isinstance(data, str) else data
    document = parse(source)
    return retire(source, spot(document, document.items[number], ID), now=NOW, **fields)


@pytest.mark.parametrize(
    ("data", "number", "left"),
    [
        ("- a\n- b\n- c\n", 1, "- a\n- c\n"),
        ("- a\n\n- b\n\n- c\n", 1, "- a\n\n- c\n"),
        ("- a\n\n- b\n", 1, "- a\n"),
        ("- a\n- b", 1, "- a\n"),
        ("- a\n- b", 0, "- b"),
        ("- a", 0, ""),
        ("## H\n\n- a\n\n## I\n", 0, "## H\n\n## I\n"),
        ("## H\n- a\n\n## I\n", 0, "## H\n\n## I\n"),
        ("- a\r\n\r\n- b\r\n\r\n- c\r\n", 1, "- a\r\n\r\n- c\r\n"),
        ("- a\n  - nested\n\n  more\n- b\n", 0, "- b\n"),
        ("para\n- a\n---\n", 1, "para\n\n---\n"),
        ("\ufeff- a\n- b\n", 0, "\ufeff- b\n"),
        ("- a\n1) b\n  # H\n", 1, "- a\n<!-- -->\n  # H\n"),
        ("- a\n\n\n\n", 0, "\n\n\n"),
    ],
)
def test_only_the_entry_and_the_blank_line_it_needed_go(data: str, number: int, left: str) -> None:
    assert take(data, number).edit.data.decode() == left


def test_what_is_gone_comes_with_the_plan() -> None:
    made = take(f"# M\n\n## Lessons\n\n{ENTRY}", path="memory/a.md", reason="stale")
    assert made.removed == ENTRY.encode()
    assert (made.edit.entry_id, made.edit.line, made.edit.summary) == ("k7f3q2", 5, "retire k7f3q2: a")
    record = made.record
    assert (record.text, record.path, record.line, record.headings) == ("a", "memory/a.md", 5, ("M", "Lessons"))
    assert (record.reason, record.meta.id, record.meta.type) == ("stale", "k7f3q2", "lesson")


def test_of_equal_twins_only_the_one_named_goes() -> None:  # markdown pattern 27
    assert take(SAMPLES["27-twice"], 2).edit.data.decode() == "- same bullet\n- other\n"
    assert take(SAMPLES["27-twice"], 0).edit.data.decode() == "- other\n- same bullet\n"


@pytest.mark.parametrize("data", ["para\n", "> q\n", "| a |\n|---|\n| b |\n", "---\nname: n\n---\n"])
def test_only_list_items_are_retired(data: str) -> None:
    with pytest.raises(Usage, match="no list item"):
        take(data)


def test_an_entry_that_is_gone_is_not_retired() -> None:
    with pytest.raises(StaleWrite):
        retire(b"- b\n", spot(parse(b"- a\n"), parse(b"- a\n").items[0], ID), now=NOW)
    with pytest.raises(ValueError, match="name its id"):
        retire(b"- b\n", spot(parse(b"- b\n"), parse(b"- b\n").items[0]), now=NOW)


def test_a_file_of_ours_counts_its_version() -> None:
    data = "---\nversion: 9\nmodified_by: mem add\n---\n- a\n- b\n"
    assert take(data, ours=True).edit.data.decode() == "---\nversion: 10\nmodified_by: mem retire\n---\n- b\n"


@settings(max_examples=200, deadline=None)
@given(DOCUMENTS)
def test_every_entry_of_any_file_can_go_and_come_back(data: bytes) -> None:
    goes_and_comes(data)


@pytest.mark.parametrize("key", [key for key in ALL if key != "26-long"])
def test_every_entry_of_every_sample_can_go_and_come_back(key: str) -> None:
    goes_and_comes(ALL[key])


def goes_and_comes(data: bytes) -> None:
    document = parse(data)
    before = contents(data)
    for number, item in enumerate(document.items):
        if item.kind != "item":
            continue
        made = take(data, number, path="a b.md", reason="old, \u2028and > gone")
        left = made.edit.data
        assert contents(left) == [*before[:number], *before[number + 1 :]]
        assert data[item.start : item.end] == made.removed
        kept = archive(b"", [made.record], now=NOW)
        record, empty = revive(kept, made.record.meta.id or "")
        assert (record.meta, record.path, record.reason) == (made.record.meta, "a b.md", "old, \u2028and > gone")
        assert (record.text, record.checked, record.line) == (wording.tame(item.text), item.checked, item.line)
        assert empty == b"# Archive 2026-12\n"
        back = found(put_back(left, record, now=NOW))
        assert (wording.tame(back.text), back.checked) == (wording.tame(item.text), item.checked)


def test_an_archive_is_a_page_that_a_person_can_read() -> None:
    records = [
        take(f"## Lessons\n\n{ENTRY}- [x] b\n  - c\n", n, path="MEMORY.md", reason="stale").record for n in (0, 1)
    ]
    first = archive(b"", records[:1], now=NOW)
    assert archive(first, records[1:], now=NOW).decode() == (
        "# Archive 2026-12\n\n"
        "- a <!-- mem: id=k7f3q2 type=lesson tags=x,y conf=0.8 created=2026-11-02 v=2 mood=calm "
        "retired=2026-12-01T09:30:15Z reason=stale from=MEMORY.md:3 heading=Lessons -->\n"
        "- [x] b <!-- mem: id=k7f3q2 type=lesson retired=2026-12-01T09:30:15Z reason=stale from=MEMORY.md:4 "
        "heading=Lessons -->\n  - c\n"
    )
    assert archive(b"", records, now=NOW) == archive(first, records[1:], now=NOW)
    assert archive(first, [], now=NOW) == first


@pytest.mark.parametrize("data", [b"my own notes", b"# X\r\n\r\ntext\r\n", b"- a", b"```\nopen\n", b"\xef\xbb\xbf"])
def test_an_archive_that_a_person_changed_is_only_added_to(data: bytes) -> None:
    new = archive(data, [take(ENTRY).record], now=NOW)
    assert new.startswith(data.rstrip(b"\r\n"))
    assert contents(new)[:-1] == contents(data)
    assert revive(new, "k7f3q2")[0].text == "a"


def test_of_several_retired_entries_the_last_is_revived() -> None:
    records = [Retired("one", take(ENTRY).record.meta), Retired("two", take(ENTRY).record.meta)]
    record, rest = revive(archive(b"", records, now=NOW), "k7f3q2")
    assert record.text == "two"
    assert revive(rest, "k7f3q2")[0].text == "one"
    with pytest.raises(Usage, match="no entry"):
        revive(rest, "aaaaaa")


def test_a_revived_entry_returns_to_its_section() -> None:
    data = "# M\n\n## A\n\n- x\n\n## Lessons\n\n- y\n\n- z\n\n" + ENTRY
    record = take(data, 3).record
    left = data.removesuffix("\n" + ENTRY).encode()
    edit = put_back(left, record, now=NOW)
    assert edit.data.decode() == data
    assert put_back(edit.data, record, now=NOW).data == edit.data
    bare = put_back(b"# M\n\n## A\n\n- x\n", record, now=datetime(2027, 1, 1, tzinfo=UTC))
    assert bare.data.decode() == f"# M\n\n## A\n\n- x\n\n## Lessons\n\n{ENTRY}"

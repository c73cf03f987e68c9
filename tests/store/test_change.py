"""One entry changed in place; everything else keeps its bytes."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.errors import StaleWrite, Usage
from memcli.files.markdown import parse
from memcli.store import wording
from memcli.store.change import change, confirm
from memcli.store.draft import Edit
from memcli.store.find import Spot, locate, spot
from memcli.store.pair import key, keyed
from tests.files.samples import ALL, SAMPLES
from tests.store.documents import DOCUMENTS, NOW, TEXTS, contents, found

ID = "b03ka1"
NEW = " <!-- mem: id=b03ka1 updated=2026-12-01T09:30:15Z v=2 -->"


def edit(data: str | bytes, number: int = 0, **fields: Any) -> Edit:
    """The entry with that number changed; `b03ka1` is its id when it has none."""
    source = data.encode() if isinstance(data, str) else data
    document = parse(source)
    return change(source, spot(document, document.items[number], ID), now=NOW, **fields)


@pytest.mark.parametrize(
    ("old", "text", "new"),
    [
        ("- a\n", "b", f"- b{NEW}\n"),
        ("- a", "b", f"- b{NEW}"),
        ("- a  \r\n- c\r\n", "b", f"- b{NEW}  \r\n- c\r\n"),
        ("  *   a\n", "b", f"  *   b{NEW}\n"),
        ("3) a\n", "b", f"3) b{NEW}\n"),
        ("- [x] **Port**: 8080\n", "**Port**: 9090", f"- [x] **Port**: 9090{NEW}\n"),  # markdown-13
        ("- [x] **Port**: 8080\n", "Port: 9090", f"- [x] **Port**: 9090{NEW}\n"),
        ("- **Port:** 8080\n", "port: 9090", f"- **Port:** 9090{NEW}\n"),
        ("- Port：8080\n", "Port: 9090", f"- Port：9090{NEW}\n"),
        ("- **Port**: 8080\n", "Host: x", f"- Host: x{NEW}\n"),
        ("- a\n  b\nlazy\n- c\n", "one\ntwo", f"- one\n  two{NEW}\n- c\n"),
        ("- a\n  - nested\n\n  ```\n  x\n  ```\n", "b", f"- b{NEW}\n  - nested\n\n  ```\n  x\n  ```\n"),
        ("- a\n\n  more\n", "b", f"- b{NEW}\n\n  more\n"),
        ("- a\n  - nested\n- c\n", "b\n- other", f"- b{NEW}\n  - other\n- c\n"),
        ("- a\n", "```\ncode\n```", f"- ```\n  code\n  ```\n {NEW}\n"),
        ("- ```\n  x\n  ```\n  tail\n", "b", f"- b{NEW}\n"),
        ("- **a**\n  * b\n", "**c**", f"- **c**{NEW}\n  * b\n"),
        ("- a\n  # c\ntext\n", "- b", f"- - b{NEW}\n\ntext\n"),
        ("<x>\n\t\t+ a\n", "b\n- c", f"<x>\n\t\t+ b{NEW}\n          - c\n"),
        ("- [ ] a\n", "[x] a", f"- [x] a{NEW}\n"),
        ("- [X] a\n", "[ ] b", f"- [ ] b{NEW}\n"),
        ("- [ ] a\n", "[x] [x] b", f"- [x] [x] b{NEW}\n"),
        ("- a\n", "[ ] b", f"-{NEW} [ ] b\n"),
        ("- a <!-- mine -->\n", "b", f"- b{NEW}\n"),
    ],
)
def test_new_words_take_the_place_of_the_old(old: str, text: str, new: str) -> None:
    assert edit(old, text=text).data.decode() == new


def test_a_value_alone_keeps_its_key() -> None:  # markdown-13
    assert edit("- [X] **Port**: 8080\n", value="9090").data.decode() == f"- [X] **Port**: 9090{NEW}\n"
    with pytest.raises(Usage, match="key: value"):
        edit("- see https://x.example/a\n", value="9090")


FULL = (
    "- ship <!-- mem: id=k7f3q2 type=project tags=a,b conf=0.8 created=2026-11-02 updated=2026-11-30 expires=2027-03-01 "
    "v=2 src=s.jsonl:8 mood=calm -->\n"
)


def test_metadata_is_changed_within_its_comment() -> None:
    new = edit(FULL, tags=("c",), conf=0.9, expires="never", type="lesson").data.decode()
    assert new == (
        "- ship <!-- mem: id=k7f3q2 type=lesson tags=c conf=0.9 created=2026-11-02 updated=2026-12-01T09:30:15Z v=3 "
        "src=s.jsonl:8 mood=calm -->\n"
    )


def test_a_comment_below_nested_items_stays_there() -> None:
    old = "- a\n  - b\n  <!-- mem: id=k7f3q2 v=1 -->\n- c\n"
    line = "  <!-- mem: id=k7f3q2 updated=2026-12-01T09:30:15Z v=2 -->"
    assert edit(old, text="x").data.decode() == f"- x\n  - b\n{line}\n- c\n"


def test_a_type_that_the_heading_says_is_not_written() -> None:
    data = "## Lessons\n\n- a <!-- mem: id=k7f3q2 type=user -->\n"
    assert "type=" not in edit(data, type="lesson").data.decode()
    assert "type=error" in edit(data, type="error").data.decode()


@pytest.mark.parametrize(
    "fields",
    [{}, {"text": "ship"}, {"conf": 0.8}, {"tags": ["a", "b"]}, {"type": "project"}, {"text": "ship", "conf": 0.8}],
)
def test_what_changes_nothing_changes_no_byte(fields: dict[str, Any]) -> None:
    made = edit(FULL, **fields)
    assert (made.data.decode(), made.summary) == (FULL, "nothing to change: ship")


def test_a_value_that_meant_nothing_goes_when_a_new_one_comes() -> None:
    new = edit("- a <!-- mem: id=k7f3q2 conf=high x=1 -->\n", conf=0.5).data.decode()
    assert new == "- a <!-- mem: id=k7f3q2 conf=0.5 updated=2026-12-01T09:30:15Z v=2 x=1 -->\n"


@pytest.mark.parametrize("fields", [{"conf": 2.0}, {"type": "wish"}, {"text": " "}])
def test_what_cannot_be_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(Usage):
        edit(FULL, **fields)


@pytest.mark.parametrize("data", ["para\n", "> quote\n", "| a |\n|---|\n| b |\n", "```\nx\n```\n"])
def test_only_list_items_are_changed(data: str) -> None:
    with pytest.raises(Usage, match="no list item"):
        edit(data, text="b")
    with pytest.raises(Usage, match="no list item"):
        confirm(data.encode(), spot(parse(data.encode()), parse(data.encode()).items[0], ID), now=NOW)


def test_the_id_of_an_entry_without_one_has_to_be_named() -> None:
    with pytest.raises(ValueError, match="name its id"):
        change(b"- a\n", spot(parse(b"- a\n"), parse(b"- a\n").items[0]), text="b", now=NOW)


def test_of_equal_twins_only_the_one_named_is_changed() -> None:  # markdown pattern 27
    assert edit(SAMPLES["27-twice"], 2, text="x").data.decode() == f"- same bullet\n- other\n- x{NEW}\n"


def test_an_entry_is_found_by_its_id_or_where_it_moved() -> None:
    document = parse(b"- new line\n- a\n- b <!-- mem: id=k7f3q2 -->\n- c\n- c\n")
    assert locate(document, "k7f3q2").line == 3
    assert locate(document, spot(parse(b"- a\n"), parse(b"- a\n").items[0])).line == 2
    assert locate(document, spot(document, document.items[4])).line == 5
    assert locate(document, spot(document, document.items[3])).line == 4


@pytest.mark.parametrize(
    ("data", "ref", "error"),
    [
        (b"- a\n", "k7f3q2", Usage),
        (b"- a <!-- mem: id=k7f3q2 -->\n- b <!-- mem: id=k7f3q2 -->\n", "k7f3q2", Usage),
        (b"- a\n", Spot(1, "0" * 64), StaleWrite),
        (b"- b\n- a\n- a\n", spot(parse(b"- a\n"), parse(b"- a\n").items[0]), StaleWrite),
    ],
)
def test_an_entry_that_is_not_clearly_meant_is_left_alone(data: bytes, ref: str | Spot, error: type[Exception]) -> None:
    with pytest.raises(error):
        change(data, ref, text="b", now=NOW)


@pytest.mark.parametrize(("conf", "surer"), [("0.8", 0.9), ("0.0", 0.5), ("0.99", 0.99), ("0.5", 0.75), ("1.0", 1.0)])
def test_a_confirmed_entry_is_surer(conf: str, surer: float) -> None:
    [item] = parse(confirm(f"- a <!-- mem: id=k7f3q2 conf={conf} v=3 -->\n".encode(), "k7f3q2", now=NOW).data).items
    assert (item.meta.conf, item.meta.v, item.meta.updated) == (surer, 3, NOW)


def test_confirming_what_a_person_wrote_dates_it() -> None:
    data = b"- a\n"
    made = confirm(data, spot(parse(data), parse(data).items[0], ID), now=NOW)
    assert made.data == b"- a <!-- mem: id=b03ka1 updated=2026-12-01T09:30:15Z -->\n"


def test_confirming_again_and_again_reaches_no_certainty() -> None:
    data = b"- a <!-- mem: id=k7f3q2 conf=0.1 -->\n"
    for _ in range(12):
        data = confirm(data, "k7f3q2", now=NOW).data
    assert parse(data).items[0].meta.conf == 0.99


def test_a_file_of_ours_counts_its_version() -> None:
    data = b"---\nversion: 9\nmodified_by: mem add\n---\n- a <!-- mem: id=k7f3q2 -->\n"
    assert change(data, "k7f3q2", text="b", now=NOW, ours=True).data.startswith(
        b"---\nversion: 10\nmodified_by: mem edit\n---\n- b"
    )
    assert change(data, "k7f3q2", text="b", now=NOW).data.startswith(b"---\nversion: 9\nmodified_by: mem add\n---\n- b")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("**Port**: 1", "port"),
        ("**Port:** 1", "port"),
        ("Port：1", "port"),
        ("**编辑器**：Helix", "编辑器"),
        ("`PORT`: 1", "port"),
        ("Ｐort: 1", "port"),
        ("https://x.example", ""),
        ("at 12:30", ""),
        ("12:30 tea", ""),
        ("[a](b): c", ""),
        ("Port:", ""),
    ],
)
def test_the_key_of_an_entry(text: str, wanted: str) -> None:
    assert key(text) == wanted


def test_the_entry_with_a_key_is_found() -> None:
    document = parse("- **Editor**: Helix\n- **编辑器**：Helix\n- x\n".encode())
    assert [item.line if (item := keyed(document, name)) else 0 for name in ("editor", "编辑器", "x", "")] == [
        1,
        2,
        0,
        0,
    ]


def everywhere(data: bytes, **fields: Any) -> None:
    """Each list item of a document can be changed, and nothing else changes with it."""
    document = parse(data)
    before = contents(data)
    for number, item in enumerate(document.items):
        if item.kind != "item":
            continue
        made = change(data, spot(document, item, ID), now=NOW, **fields)
        after = contents(made.data)
        assert (*before[:number], *before[number + 1 :]) == (*after[:number], *after[number + 1 :])
        assert made.data[: item.start] == data[: item.start]
        assert made.data.endswith(data[item.end :])
        new = found(made)
        assert (new.checked, new.meta.id) == (item.checked, item.meta.id or ID)
        if "text" in fields:
            assert wording.tame(new.text).startswith(wording.tame(fields["text"]))
        else:
            assert wording.tame(new.text) == wording.tame(item.text)


@pytest.mark.parametrize("key", [key for key in ALL if key != "26-long"])
def test_every_entry_of_every_sample_can_be_changed(key: str) -> None:
    everywhere(ALL[key], text="another text")
    everywhere(ALL[key], tags=("t",))


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS, TEXTS)
def test_every_entry_can_be_given_any_text(data: bytes, text: str) -> None:
    document = parse(data)
    for item in document.items:
        if item.kind != "item":
            continue
        if item.checked is not None and re.fullmatch(r"\[[ xX]\]", wording.clean(text)):
            continue  # a state and no text
        made = change(data, spot(document, item, ID), text=text, now=NOW)
        assert len(parse(made.data).items) == len(document.items)
        assert made.data[: item.start] == data[: item.start]


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS, st.sampled_from([{"tags": ("t",)}, {"conf": 0.5}, {"expires": datetime(2027, 1, 1, tzinfo=UTC)}]))
def test_metadata_of_every_entry_can_be_changed(data: bytes, fields: dict[str, Any]) -> None:
    everywhere(data, **fields)

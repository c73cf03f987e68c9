"""Files as people and tools leave them; the ids are those of the patterns and the cases."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memcli.files.markdown import Document, Problem, parse, splice
from tests.files.samples import ALL, SAMPLES

ITEM, PROSE, ROW, CODE, FILE = "item", "prose", "row", "code", "file"


def read(source: str | bytes) -> Document:
    return parse(source.encode() if isinstance(source, str) else source)


def texts(source: str | bytes) -> list[tuple[str, str]]:
    return [(item.kind, item.text) for item in read(source).items]


def paths(source: str) -> list[tuple[str, ...]]:
    return [item.headings for item in read(source).items]


EXPECTED: dict[str, list[tuple[str, str]]] = {
    "01-plain": [(ITEM, "use pnpm"), (ITEM, "port is 8080")],
    "05-key-value": [(ITEM, "**Port**: 8080"), (ITEM, "**Port:** 8080"), (ITEM, "Port：8080"), (ITEM, "Port: 8080")],
    "06-first-word": [
        (ITEM, "`make x` builds"),
        (ITEM, "✅ done"),
        (ITEM, "[Title](topic.md) - hook"),
        (ITEM, "**bold** move"),
    ],
    "07-checkbox": [(ITEM, "a"), (ITEM, "b"), (ITEM, "c"), (ITEM, "[y] d"), (ITEM, "[x](u.md) e")],
    "08-lazy": [(ITEM, "first line\nsecond line\nlazy third")],
    "09-second-paragraph": [(ITEM, "head\n\nmore of the same item"), (ITEM, "next")],
    "10-nested": [(ITEM, "a\n  * b\n      + c"), (ITEM, "d\n- e")],
    "11-ordered": [(ITEM, "c"), (ITEM, "d"), (ITEM, "x")],
    "12-fences": [
        (ITEM, "item\n\n```\n- in\n```"),
        (CODE, "- no entry\n# no heading\n~~~\n---"),
        (CODE, "```\n- x"),
        (ITEM, "y"),
    ],
    "13-unclosed": [(ITEM, "a"), (CODE, "- still code")],
    "14-indented": [(PROSE, "para"), (CODE, "code line\n- no item"), (ITEM, "a\n  - nested")],
    "15-table": [(PROSE, "leading"), (ROW, "| a\\|b | 1 |"), (ROW, "| 值 | `x` |"), (ITEM, "a")],
    "16-quote": [(PROSE, "- quoted rule\n- second"), (ITEM, "a")],
    "17-comments": [(ITEM, "a"), (ITEM, "auto"), (ITEM, "b")],
    "18-rules": [(PROSE, "Just text"), (PROSE, "more"), (ITEM, "a")],
    "19-front": [(ITEM, "a")],
    "20-setext": [(ITEM, "a"), (ITEM, "b")],
    "22-wikilinks": [(ITEM, "[[topic]] - one line"), (ITEM, "[Topic](topic.md) — one line")],
    "23-cjk": [(ITEM, "部署前先跑make test再合并")],
    "24-unicode": [(ITEM, line[2:]) for line in SAMPLES["24-unicode"].splitlines()],
    "25-ends": [(ITEM, "a"), (ITEM, "b"), (ITEM, "c"), (ITEM, "d e")],
    "26-long": [(ITEM, ("word " * 500).strip()), *[(ITEM, "x")] * 430],
    "27-twice": [(ITEM, "same bullet"), (ITEM, "other"), (ITEM, "same bullet")],
    "28-paragraph": [(PROSE, "We ship on Tuesdays. Never on Fridays.")],
    "29-xml": [(ITEM, "a"), (PROSE, "Never push.")],
    "30-conflict": [(ITEM, "a"), (ITEM, "b"), (ITEM, "o"), (ITEM, "c"), (ITEM, "d")],
    "30-empty": [],
    "markdown-02": [(CODE, "- in\n```\n- in"), (ITEM, "a"), (ITEM, "b")],
    "markdown-04": [(ITEM, "step\n\n```bash\n# c\n```"), (ITEM, "next")],
    "frontmatter-02": [(FILE, "fix: the thing"), (ITEM, "a")],
    "frontmatter-08": [(PROSE, "Just text")],
}


@pytest.mark.parametrize("key", EXPECTED)
def test_every_pattern_has_the_entries_a_reader_sees(key: str) -> None:
    assert texts(SAMPLES[key]) == EXPECTED[key]


@pytest.mark.parametrize("key", EXPECTED)
def test_every_pattern_reads_the_same_with_crlf(key: str) -> None:
    crlf = SAMPLES[key].replace("\r\n", "\n").replace("\n", "\r\n")
    assert texts(crlf) == EXPECTED[key]


def test_headings_need_no_first_level_and_no_unbroken_ladder() -> None:  # markdown pattern 2
    assert paths(SAMPLES["02-skipped-level"]) == [("Rules", "Deep"), ("Next",)]


def test_equal_headings_are_two_headings() -> None:  # markdown pattern 3
    document = read(SAMPLES["03-equal-headings"])
    assert [(heading.text, heading.line) for heading in document.headings] == [("Notes", 1), ("Notes", 4)]


def test_a_daily_log_keeps_its_times_as_headings() -> None:  # markdown pattern 4
    day = "2026-02-03 (Tue)"
    assert paths(SAMPLES["04-daily"]) == [(day, "14:30 - fix"), (day, "下午"), (day, "下午", "~14:30 CET deploy")]


def test_a_checkbox_is_a_state_and_no_text() -> None:  # markdown pattern 7
    assert [item.checked for item in read(SAMPLES["07-checkbox"]).items] == [False, True, True, None, None]


def test_setext_headings_are_headings() -> None:  # markdown pattern 20
    assert paths(SAMPLES["20-setext"]) == [("Title",), ("Title", "Sub")]


def test_a_note_of_several_lines_over_dashes_is_found_too() -> None:  # markdown pattern 18
    document = read("one\ntwo\n---\n- a\n")
    assert [(item.kind, item.text, item.line, item.last) for item in document.items] == [
        ("prose", "one\ntwo", 1, 2),
        ("item", "a", 4, 4),
    ]
    assert [(heading.text, heading.level) for heading in document.headings] == [("one two", 2)]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# C#", "C#"),
        ("## C# ##", "C#"),
        ("#", ""),
        ("#\tTab", "Tab"),
        ("###### six", "six"),
        ("# a <!-- mem: id=aaaaaa -->", "a"),
    ],
)
def test_a_heading_keeps_the_signs_that_are_its_own(line: str, title: str) -> None:  # markdown-02
    assert [heading.text for heading in read(line).headings] == [title]


@pytest.mark.parametrize("line", ["####### seven", "#tag", "\\# x", "    # code"])
def test_what_looks_like_a_heading_is_none(line: str) -> None:
    assert read(line).headings == ()


def test_a_comment_in_a_fence_is_no_section() -> None:  # markdown-01
    document = read("# Real\n\n```sh\n# not a heading\n```\n\nprose\n")
    assert [heading.text for heading in document.headings] == ["Real"]
    assert [item.headings for item in document.items] == [("Real",), ("Real",)]


def test_a_row_knows_its_header_and_its_line() -> None:  # markdown-08
    rows = [item for item in read(SAMPLES["15-table"]).items if item.kind == "row"]
    assert [(row.line, row.context) for row in rows] == [(4, "| 键 | v |"), (5, "| 键 | v |")]


def test_a_table_without_rows_is_found_by_its_header() -> None:
    assert texts("| a | b |\n|---|---|\n") == [("row", "| a | b |")]


def test_a_span_is_whole_lines_without_the_blank_ones_below() -> None:
    data = b"# H\n\n- a\n  b\n\n\n- c"
    spans = [(data[item.start : item.end], item.line, item.last) for item in parse(data).items]
    assert spans == [(b"- a\n  b\n", 3, 4), (b"- c", 7, 7)]


def test_the_comment_of_an_entry_is_its_metadata_and_no_text() -> None:
    [item] = read("- ship on Tuesdays <!-- mem: id=k7f3q2 type=project tags=a,b conf=0.8 -->\n").items
    assert item.text == "ship on Tuesdays"
    assert (item.meta.id, item.meta.type, item.meta.tags, item.meta.conf) == ("k7f3q2", "project", ("a", "b"), 0.8)


def test_a_comment_on_a_line_of_its_own_belongs_to_the_item_it_is_indented_under() -> None:
    [item] = read("- a\n  b\n  <!-- mem: id=k7f3q2 -->\n").items
    assert (item.text, item.meta.id) == ("a\nb", "k7f3q2")


def test_a_comment_shown_as_code_is_text() -> None:
    [item] = read("- write `<!-- mem: id=k7f3q2 -->` after it\n").items
    assert (item.text, item.meta.id) == ("write `<!-- mem: id=k7f3q2 -->` after it", None)


def test_a_lone_backtick_hides_no_metadata() -> None:
    [item] = read("- it`s <!-- mem: id=aaaaaa -->\n  - that`s <!-- mem: id=bbbbbb -->\n").items
    assert (item.text, item.meta.id) == ("it`s\n- that`s", "aaaaaa")


def test_text_behind_a_comment_is_found() -> None:
    assert texts("<!-- a\n- b --> tail\n- c\n") == [("prose", "tail"), ("item", "c")]


def test_an_unclosed_comment_hides_the_rest_and_is_named() -> None:
    document = read("- a\n<!-- b\n\n- c\n")
    assert [item.text for item in document.items] == ["a"]
    assert (document.problems, document.closer) == ((Problem(2, "unclosed comment"),), b"-->")


def test_an_unclosed_fence_is_named_with_what_would_close_it() -> None:  # markdown-11
    document = read("- a\n\n````sh\nls\n```\n")
    assert (document.problems, document.closer) == ((Problem(3, "unclosed fence"),), b"````")


def test_a_fence_that_its_item_ends_hides_nothing() -> None:
    document = read("- a\n  ```\n  ls\n- b\n")
    assert (len(document.items), document.closer) == (2, b"")


@pytest.mark.parametrize("fence", ["```x`y", "~~", "``"])
def test_what_is_no_fence_hides_nothing(fence: str) -> None:
    assert ("item", "a") in texts(f"{fence}\n- a\n")


def test_conflict_markers_are_named_and_never_found() -> None:  # markdown pattern 30
    document = read(
        "text\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n\n```\n<<<<<<< x\ncode\n>>>>>>> y\n```\n"
    )
    assert [item.text for item in document.items] == ["text", "ours", "theirs", "code"]
    assert document.problems == (Problem(2, "conflict marker"), Problem(9, "conflict marker"))


@pytest.mark.parametrize("source", ["Title\n=======\n- a\n", ">>>>>> six deep\n", "a <<<<<<< b\n"])
def test_what_looks_like_a_conflict_is_none(source: str) -> None:
    assert read(source).problems == ()


def test_tags_in_xml_style_hold_markdown() -> None:  # markdown pattern 29
    source = "<rules>\n    - deep\n  - less\n</rules>\ntail\n<br>more\n"
    assert texts(source) == [("item", "deep"), ("item", "less"), ("prose", "tail\n<br>more")]


def test_preformatted_html_is_code() -> None:
    assert texts("<pre>\n- a\n\n# b\n</pre>\n- c\n") == [("code", "<pre>\n- a\n\n# b\n</pre>"), ("item", "c")]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"a\nb\0\n", Problem(2, "NUL byte")),
        (b"a\n\xff\n", Problem(2, "not UTF-8")),
        ("a\nsafe\u202eelif\n".encode(), Problem(2, "hidden character U+202E")),
        ("a\u200bb\n\n\u200b".encode(), Problem(1, "hidden character U+200B")),
        ("x\n\U000e0041\n".encode(), Problem(2, "hidden character U+E0041")),
    ],
)
def test_what_a_person_cannot_see_is_named(data: bytes, problem: Problem) -> None:
    assert parse(data).problems == (problem,)


@pytest.mark.parametrize(
    "text", ["👩‍👩‍👧", "❤️", "می‌خواهم", "\u200fשלום", "🏴\U000e0067\U000e0062\U000e007f", "\ufeff- a"]
)
def test_honest_invisible_characters_are_no_problem(text: str) -> None:  # markdown pattern 24
    assert read(text).problems == ()


@pytest.mark.parametrize(
    ("data", "newline", "final"),
    [
        (b"", b"\n", True),
        (b"a", b"\n", False),
        (b"a\r\nb", b"\r\n", False),
        (b"a\r\nb\r\n", b"\r\n", True),
        (b"a\n" * 99 + b"b\r\n", b"\n", True),  # encoding-02
        (b"a\r\n" * 99 + b"b\n", b"\r\n", True),
    ],
)
def test_the_line_end_is_that_of_most_lines(data: bytes, newline: bytes, final: bool) -> None:  # encoding-03
    document = parse(data)
    assert (document.newline, document.final_newline) == (newline, final)


def test_a_byte_order_mark_belongs_to_no_entry() -> None:
    [item] = parse(b"\xef\xbb\xbf- a\n").items
    assert (item.start, item.text) == (3, "a")


def test_equal_bullets_are_two_spans() -> None:  # markdown pattern 27
    data = SAMPLES["27-twice"].encode()
    last = parse(data).items[-1]
    assert splice(data, last.start, last.end, b"") == b"- same bullet\n- other\n"


def test_a_span_outside_of_the_file_is_refused() -> None:
    with pytest.raises(ValueError, match="no span"):
        splice(b"abc", 2, 4, b"")


def check(data: bytes) -> None:
    """The laws of a document."""
    document = parse(data)
    assert document.render() == data
    at = 0
    for item in document.items:
        assert at <= item.start < item.end <= len(data)
        assert item.start == 0 or data[item.start - 1 : item.start] == b"\n" or data[: item.start] == b"\xef\xbb\xbf"
        assert item.end == len(data) or data[item.end - 1 : item.end] == b"\n"
        assert item.line == data.count(b"\n", 0, item.start) + 1
        assert item.last == data.count(b"\n", 0, item.end - 1) + 1
        assert item.text.strip() and "\0" not in item.text and "mem: id=" not in item.text
        at = item.end


@pytest.mark.parametrize("key", ALL)
def test_every_sample_keeps_the_laws(key: str) -> None:
    check(ALL[key])


PIECES = st.sampled_from(
    [line.encode() for text in SAMPLES.values() for line in text.split("\n")[:12]]
    + [
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\r",
        b"\t",
        b"   ",
        b"---",
        b"```",
        b"<!--",
        b"-->",
        b"- ",
        b"> ",
        b"<pre>",
    ]
)
LINES = st.lists(st.tuples(PIECES, st.sampled_from([b"\n", b"\r\n", b"\n\n", b" ", b""])), max_size=14).map(
    lambda pairs: b"".join(part for pair in pairs for part in pair)
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(LINES, st.binary(max_size=60)))
@example(b"-\n\n-")
@example(b"---\n---")
@example(b"~~~\n\t\n~~~\n")
@example(b"\t \x00\n")
def test_any_bytes_keep_the_laws(data: bytes) -> None:
    check(data)


@settings(max_examples=300, deadline=None)
@given(LINES, st.data())
def test_an_edit_leaves_every_byte_outside_of_its_span(data: bytes, draw: st.DataObject) -> None:
    items = parse(data).items
    if not items:
        return
    item = draw.draw(st.sampled_from(items))
    new = splice(data, item.start, item.end, b"- new\n")
    assert (new[: item.start], new[item.start + 6 :]) == (data[: item.start], data[item.end :])


@settings(max_examples=300, deadline=None)
@given(LINES)
def test_removing_an_entry_leaves_the_texts_of_those_far_from_it(data: bytes) -> None:
    """Plain bullets under a heading of their own: whatever stands above cannot reach them."""
    tail = b"\n\n# Own\n\n- one\n- two\n- three\n"
    document = parse(data)
    if document.closer or not document.final_newline or b"---" in data:
        return
    whole = data + tail
    *_, one, two, three = parse(whole).items
    left = [item.text for item in parse(splice(whole, two.start, two.end, b"")).items[-2:]]
    assert left == [one.text, three.text] == ["one", "three"]


def test_a_large_file_takes_less_than_twenty_times_its_size() -> None:
    block = (
        "## Section {0}\n\n- a bullet that says something about {0}\n- another one\n  with a second line\n\nprose\n\n"
    )
    data = "".join(block.format(number) for number in range(4_000)).encode()
    tracemalloc.start()
    document = parse(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(document.items) == 12_000
    assert peak < 20 * len(data)


def test_a_list_too_deep_to_follow_ends_where_the_next_item_begins() -> None:
    assert texts(b"- " * 30 + b"a\n- next\n") == [(ITEM, "- " * 29 + "a"), (ITEM, "next")]

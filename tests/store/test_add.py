"""One entry more, in files as people write them; the ids are those of the patterns and the cases."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memcli.errors import Unreadable, Usage
from memcli.files.identity import derived_id
from memcli.files.markdown import Problem, parse
from memcli.store import wording
from memcli.store.add import add
from memcli.store.draft import Draft
from tests.files.samples import ALL, SAMPLES
from tests.store.documents import DOCUMENTS, DRAFTS, ID, NOW, TEXTS, added, content, contents, found, write

NOTE = f" <!-- mem: id={ID} created=2026-12-01 v=1 -->"

# What each pattern becomes with an entry of no type: the line before the new one, the new one, what else is added.
WHERE: dict[str, tuple[str, str]] = {
    "01-plain": ("- port is 8080", "- new"),
    "02-skipped-level": ("- b", "- new"),
    "03-equal-headings": ("- b", "- new"),
    "04-daily": ("- z", "- new"),
    "05-key-value": ("- Port: 8080", "- new"),
    "06-first-word": ("- **bold** move", "- new"),
    "07-checkbox": ("- [x](u.md) e", "- new"),
    "08-lazy": ("lazy third", "- new"),
    "09-second-paragraph": ("- next", "- new"),
    "10-nested": ("   - e", "2. new"),
    "11-ordered": ("1) x", "2) new"),
    "12-fences": ("- y", "- new"),
    "13-unclosed": ("- a", "- new"),
    "14-indented": ("    - nested", "- new"),
    "15-table": ("- a", "- new"),
    "16-quote": ("- a", "- new"),
    "17-comments": ("- b", "- new"),
    "18-rules": ("- a", "- new"),
    "19-front": ("- a", "- new"),
    "20-setext": ("- b", "- new"),
    "21-imports": ("", "- new"),
    "22-wikilinks": ("- [Topic](topic.md) — one line", "- new"),
    "23-cjk": ("- 部署前先跑make test再合并", "- new"),
    "24-unicode": ("- no\u00a0break", "- new"),
    "25-ends": ("- d\0e", "- new"),
    "26-long": ("- x", "- new"),
    "27-twice": ("- same bullet", "- new"),
    "28-paragraph": ("", "- new"),
    "29-xml": ("", "- new"),
    "30-conflict": ("- d", "- new"),
    "markdown-02": ("- b", "- new"),
    "markdown-04": ("- next", "- new"),
    "frontmatter-02": ("- a", "- new"),
    "frontmatter-08": ("", "- new"),
}


@pytest.mark.parametrize("key", WHERE)
def test_every_pattern_gets_one_line_where_a_person_would_write_it(key: str) -> None:
    above, line = WHERE[key]
    edit = write(SAMPLES[key])
    lines = edit.data.decode().split("\n")
    assert lines[edit.line - 2] == above
    assert lines[edit.line - 1] == line + NOTE
    assert [row for row in added(SAMPLES[key].encode(), edit.data) if row] == [line + NOTE]


@pytest.mark.parametrize("key", WHERE)
def test_every_pattern_gets_the_same_with_crlf(key: str) -> None:  # encoding-03
    crlf = SAMPLES[key].replace("\r\n", "\n").replace("\n", "\r\n")
    new = write(crlf).data.decode()
    assert new.count("\n") == new.count("\r\n")
    assert new.replace("\r\n", "\n") == write(SAMPLES[key].replace("\r\n", "\n")).data.decode()


@pytest.mark.parametrize("key", ALL)
@pytest.mark.parametrize("kind", [None, "user", "error"])
def test_every_sample_takes_an_entry_of_any_type(key: str, kind: str | None) -> None:
    data = ALL[key]
    edit = add(data, Draft("new", type=kind), now=NOW, new_id=lambda: ID)
    added(data, edit.data)
    assert (found(edit).text, found(edit).meta.id) == ("new", ID)


@settings(max_examples=400, deadline=None)
@given(DOCUMENTS, DRAFTS)
@example(b"- a\n\n```sh\n- still code", Draft("new", section="X"))
@example(b"- [ ] a\n", Draft("[x] b"))
@example(b"", Draft("```\ncode"))
@example(b"# H\n<pre>\nx", Draft("new"))
def test_an_entry_more_changes_no_other(data: bytes, draft: Draft) -> None:
    text = wording.clean(draft.text)
    edit = add(data, draft, now=NOW, new_id=lambda: ID)
    if edit.data == data:
        assert wording.folded(found(edit).text) == wording.folded(text)
        return
    added(data, edit.data)
    new = found(edit)
    items = parse(edit.data).items
    others = [content(item) for item in items if item.start != new.start]
    assert (new.kind, new.text, new.meta.id, new.checked) == ("item", text, ID, None)
    before = contents(data)
    if parse(data).closer == b"</pre>" and others != before:  # its end is shown with what it ends
        assert others[:-1] == before[:-1]
    else:
        assert others == before
    again = add(edit.data, draft, now=NOW, new_id=lambda: "other2")
    assert (again.data, again.entry_id) == (edit.data, ID)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_stay(data: bytes) -> None:
    try:
        edit = write(data)
    except Unreadable:
        raise AssertionError(data) from None
    new = found(edit)
    assert new.text == "new"
    assert all(line in edit.data for line in data.split(b"\n"))


@settings(max_examples=300, deadline=None)
@given(TEXTS)
@example("[x] done")
@example("- a\n- b")
@example("```sh\nmake\n```")
@example("```sh\nmake")
@example("1. one\n2. two")
@example("# Head\n\nbody")
@example("a <!-- mem: id=forged --> b")
@example("`<!-- mem: id=shown -->`")
@example("---")
@example("a\n===")
def test_any_text_reads_back_as_one_entry(text: str) -> None:
    edit = write("- a\n- z\n", text)
    if edit.data == b"- a\n- z\n":
        assert wording.folded(text) in ("a", "z")
        return
    first, last, new = parse(edit.data).items
    assert (first.text, last.text) == ("a", "z")
    assert (new.text, new.meta.id) == (wording.clean(text), ID)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one\ntwo", ["- one", "  two" + NOTE]),
        ("one\n\ntwo", ["- one" + NOTE, "", "  two"]),
        ("- one\n- two", ["- - one" + NOTE, "  - two"]),
        ("run\n```sh\nls\n```", ["- run" + NOTE, "  ```sh", "  ls", "  ```"]),
        ("```sh\nls\n```", ["- ```sh", "  ls", "  ```", " " + NOTE]),
        ("[ ] milk", ["-" + NOTE + " [ ] milk"]),
        ("a <!-- b --> c", ["- a &lt;!-- b --> c" + NOTE]),
        ("  one  \r\n  two  ", ["- one", "    two" + NOTE]),
    ],
)
def test_a_text_with_marks_is_indented_below_its_own(text: str, lines: list[str]) -> None:
    assert write("- a\n", text).data.decode() == "- a\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("text", ["", "  \n\t\n", "\0"])
def test_no_text_is_no_entry(text: str) -> None:
    with pytest.raises(Usage, match="no text"):
        write("- a\n", text)


def test_the_comment_says_what_is_not_said_already() -> None:
    edit = write(
        "## Lessons\n\n- a\n",
        type="lesson",
        tags=("#x", "y z", "x"),
        conf=0.8,
        expires=datetime(2027, 3, 1, tzinfo=UTC),
        supersedes=("b03ka1",),
        src=("sessions/web/4f1c.jsonl:88",),
    )
    assert edit.data.decode().split("\n")[3] == (
        "- new <!-- mem: id=k7f3q2 tags=x,y%20z conf=0.8 created=2026-12-01 expires=2027-03-01 v=1 "
        "src=sessions/web/4f1c.jsonl:88 supersedes=b03ka1 -->"
    )


def test_a_type_that_the_file_has_is_not_said_again() -> None:
    edit = write("---\nname: n\ntype: feedback\n---\n- a\n", type="feedback")
    assert edit.data.decode().endswith("- a\n- new" + NOTE + "\n")


@pytest.mark.parametrize(("kind", "conf"), [("wish", 1.0), ("user", 1.5), ("user", -0.1)])
def test_what_there_is_not_is_refused(kind: str, conf: float) -> None:
    with pytest.raises(Usage):
        write("- a\n", type=kind, conf=conf)


@pytest.mark.parametrize(
    "heading",
    [
        "## Preferences",
        "## 偏好",
        "# User preferences:",
        "### *My Preferences*",
        "Preferences\n-----",
        "## ⚙️ PREFERENCES ##",
    ],
)
def test_a_heading_in_any_language_or_spelling_is_reused(heading: str) -> None:  # lang-05
    data = f"{heading}\n\n- a\n\n## Other\n\n- b\n"
    edit = write(data, type="user")
    assert added(data.encode(), edit.data) == ["- new" + NOTE]
    assert found(edit).headings == parse(edit.data).items[0].headings


@pytest.mark.parametrize("section", ["Preferences", "preference", "偏好", "用户偏好"])
def test_a_section_is_found_by_any_of_its_names(section: str) -> None:
    data = "## 偏好\n\n- a\n\n## 其他\n\n- b\n"
    assert added(data.encode(), write(data, section=section).data) == ["- new" + NOTE]


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("## New ##", "## New"),
        ("C#", "## C#"),
        ("a\nb", "## a b"),
        ("x <!-- y -->", "## x &lt;!-- y -->"),
        ("- x", "## - x"),
    ],
)
def test_a_section_is_named_as_a_heading_can_say_it(section: str, line: str) -> None:
    data = "## C\n\n- a\n"
    assert write(data, section=section).data.decode() == f"{data}\n{line}\n\n- new{NOTE}\n"


def test_a_section_of_no_name_is_none() -> None:
    assert write("- a\n", section=" ").data == write("- a\n").data


def test_a_section_by_its_very_name_goes_before_one_that_means_the_same() -> None:
    data = "## 偏好\n\n- a\n\n## Preferences\n\n- b\n\n## X\n"
    assert found(write(data, section="偏好")).headings == ("偏好",)
    assert found(write(data, section="Preferences")).headings == ("Preferences",)


def test_a_section_below_another_is_found_by_its_path() -> None:
    data = "# A\n\n## N\n\n- a\n\n# B\n\n## N\n\n- b\n"
    assert found(write(data, section="A > N")).headings == ("A", "N")
    assert found(write(data, section="N")).headings == ("B", "N")
    assert found(write(data, section="A > New")).headings == ("A", "New")


@pytest.mark.parametrize(
    ("data", "kind", "heading"),
    [
        ("# 记忆\n\n## 项目\n\n- a\n", "user", "## 偏好"),
        ("# Memory\n\n## Projects\n\n- a\n", "lesson", "## Lessons"),
        ("# A\n- a\n# B\n- b\n", "user", "# Preferences"),
        ("### Deep\n\n- a\n\n### Other\n\n- b\n", "user", "### Preferences"),
        ("", "decision", "## Decisions"),
    ],
)
def test_a_missing_heading_is_made_in_the_language_and_level_of_the_file(data: str, kind: str, heading: str) -> None:
    edit = write(data, type=kind)
    assert [line for line in added(data.encode(), edit.data) if line.startswith("#")] == [heading]
    assert found(edit).headings[-1] == heading.lstrip("# ")


def test_a_new_heading_stands_where_similar_ones_stand() -> None:
    data = "# Memory\n\n## User\n\n- a\n\n## Feedback\n\n- b\n\n### Deep\n\n- c\n\n## Zoo\n\n- d\n"
    new = write(data, type="lesson").data.decode()
    assert new == data.replace("## Zoo", f"## Lessons\n\n- new{NOTE}\n\n## Zoo")


def test_a_new_heading_is_underlined_where_all_are() -> None:
    data = "Memory\n======\n\nRules\n-----\n\n- a\n"
    assert write(data, section="偏好").data.decode() == data + f"\n偏好\n----\n\n- new{NOTE}\n"


def test_headings_without_blank_lines_stay_so() -> None:
    data = "## User\n- a\n## Zoo\n- b\n"
    assert write(data, section="New").data.decode() == f"## User\n- a\n\n## New\n- new{NOTE}\n\n## Zoo\n- b\n"


def test_an_empty_section_is_filled_in_the_style_of_the_file() -> None:
    assert (
        write("## User\n\n## Zoo\n\n- b\n", type="user").data.decode() == f"## User\n\n- new{NOTE}\n\n## Zoo\n\n- b\n"
    )
    assert write("## User\n## Zoo\n- b\n", type="user").data.decode() == f"## User\n- new{NOTE}\n## Zoo\n- b\n"


@pytest.mark.parametrize(
    ("title", "kind"),
    [("Code style", "user"), ("Error handling", "error"), ("Build status", "project"), ("Building docs", "reference")],
)
def test_a_heading_on_another_matter_is_left_alone(title: str, kind: str) -> None:
    assert found(write(f"## {title}\n\n- a\n\n## B\n\n- b\n", type=kind)).headings[-1] != title


def test_the_title_of_a_file_is_no_section() -> None:
    edit = write("# Project\n\n## Setup\n\n- a\n", type="reference")
    assert found(edit).headings == ("Project", "References")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ("* a\n* b\n", "* new"),
        ("  + a\n", "  + new"),
        ("-   a\n", "-   new"),
        ("3. c\n4. d\n", "5. new"),
        ("1. c\n1. d\n", "1. new"),
        ("09) c\n", "10) new"),
        ("- a\n\n1. b\n\n## H\n\ntext\n", "- new"),
    ],
)
def test_the_marker_is_that_of_the_list(data: str, line: str) -> None:  # markdown-05
    assert [row for row in added(data.encode(), write(data).data) if row] == [line + NOTE]


def test_a_loose_list_stays_loose_and_a_tight_one_tight() -> None:
    assert write("- a\n\n- b\n").data.decode() == f"- a\n\n- b\n\n- new{NOTE}\n"
    assert write("- a\n- b\n\n# H\n\n- c\n\n- d\n", section="H").data.decode().endswith(f"- d\n\n- new{NOTE}\n")
    assert write("- a\n\n  more\n- b\n").data.decode() == f"- a\n\n  more\n- b\n- new{NOTE}\n"


def test_the_last_line_stays_when_it_has_no_end() -> None:  # markdown-10
    assert write("- last").data == f"- last\n- new{NOTE}".encode()
    assert write("- a\r\n- last").data == f"- a\r\n- last\r\n- new{NOTE}".encode()


def test_blank_lines_at_the_end_stay_there() -> None:  # frontmatter-05
    assert write("- a\n\n\n").data.decode() == f"- a\n- new{NOTE}\n\n\n"


def test_one_crlf_among_many_lines_changes_none() -> None:  # encoding-02
    data = b"- a\n" * 99 + b"- b\r\n"
    assert write(data).data == data + f"- new{NOTE}\n".encode()


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_front_matter_keeps_its_bytes(bom: bytes, end: bytes) -> None:  # frontmatter-11
    data = bom + b"---\nzeta: 1\nalpha: [a,  b] # c\nno: x\n---\n- a\n".replace(b"\n", end)
    assert write(data).data == data + f"- new{NOTE}".encode() + end


@pytest.mark.parametrize("data", ["---\nname: n\n---\n", "---\nname: n\n---", "\ufeff", "\ufeff---\nname: n\n---\n"])
def test_a_file_without_a_body_gets_one(data: str) -> None:
    edit = write(data)
    assert edit.data.startswith(data.encode())
    assert found(edit).text == "new"


def test_broken_front_matter_stays_and_is_named() -> None:  # frontmatter-02
    edit = write(SAMPLES["frontmatter-02"])
    assert edit.data.decode() == SAMPLES["frontmatter-02"] + f"- new{NOTE}\n"
    assert [note.line for note in edit.notes] == [2]


def test_an_unclosed_fence_is_closed_before_the_entry() -> None:  # markdown-11
    edit = write("# H\n\n````sh\n- still code\n")
    assert edit.data.decode() == f"# H\n\n````sh\n- still code\n````\n\n- new{NOTE}\n"
    assert edit.notes == (
        Problem(3, "unclosed fence"),
        Problem(7, "the open block above was closed for the new entry"),
    )


def test_a_section_ends_before_its_rule() -> None:  # markdown-14
    data = "## A\n\ntext\n\n---\n\n## B\n\n- b\n"
    assert write(data, section="A").data.decode() == data.replace("\n---", f"\n- new{NOTE}\n\n---")
    assert [heading.text for heading in parse(write(data, section="A").data).headings] == ["A", "B"]


def test_a_paragraph_and_a_list_stand_apart() -> None:  # markdown pattern 28
    assert write("## Deploy\nOn Tuesdays.\n").data.decode() == f"## Deploy\nOn Tuesdays.\n\n- new{NOTE}\n"
    assert write("- a\n\npara\n").data.decode() == f"- a\n- new{NOTE}\n\npara\n"


@pytest.mark.parametrize(
    "block",
    [
        "<rules>\n- in\n</rules>\n",
        "<!-- tool:start -->\n- in\n<!-- tool:end -->\n",
        "<<<<<<< a\n- in\n=======\n- on\n>>>>>>> b\n",
    ],
)
def test_a_block_that_holds_together_gets_nothing_in_it(block: str) -> None:  # markdown patterns 17, 29, 30
    assert write(block).data.decode() == f"{block}\n- new{NOTE}\n"
    assert write(f"- a\n\n{block}").data.decode() == f"- a\n- new{NOTE}\n\n{block}"


def test_a_heading_in_a_tag_gets_its_entries_there() -> None:
    data = "<rules>\n\n## User\n\n- a\n\n</rules>\n\n## B\n"
    assert write(data, type="user").data.decode() == data.replace("- a\n", f"- a\n- new{NOTE}\n")


def test_what_is_there_already_changes_no_byte() -> None:  # dedup-10
    data = "## A\n\n- Use  pnpm <!-- mem: id=b03ka1 -->\n\n## User\n\n- b\n"
    edit = write(data, "use ｐｎｐｍ", type="user", tags=("t",))
    assert (edit.data, edit.entry_id, edit.line) == (data.encode(), "b03ka1", 3)
    assert edit.notes[0] == Problem(3, "already there")
    assert edit.summary == "already there: use ｐｎｐｍ"


def test_what_is_there_without_an_id_is_named_by_the_derived_one() -> None:
    data = b"- a\n- b\n"
    edit = add(data, Draft("B"), now=NOW, new_id=lambda: ID, place="home/MEMORY.md")
    assert (edit.data, edit.entry_id) == (data, derived_id("home/MEMORY.md", "b", 1))
    assert add(data, Draft("B"), now=NOW, new_id=lambda: ID).entry_id == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use tabs", "don't use tabs"),  # dedup-01
        ("we chose SQLite over Postgres for X", "we chose fastembed over OpenAI for Y"),  # dedup-03
        ("port 8080", "port 8081"),  # dedup-04
        ("v1.2", "v1.3"),
        ("loves X", "hates X"),  # dedup-06
        ("用制表符", "不用制表符"),
        ("C", "C#"),
        ("a.b", "a b"),
    ],
)
def test_near_is_not_equal(one: str, other: str) -> None:
    assert [item.text for item in parse(write(f"- {one}\n", other).data).items] == [one, other]


@pytest.mark.parametrize(
    "over",
    [
        "- new <!-- mem: id=aaaaaa expires=2026-11-01 -->\n",
        "- new <!-- mem: id=aaaaaa -->\n- x <!-- mem: id=bbbbbb supersedes=aaaaaa -->\n",
    ],
)
def test_what_has_ended_may_be_said_again(over: str) -> None:
    assert write(over).data.decode() == f"{over}- new{NOTE}\n"


def test_a_nested_item_is_no_entry_that_is_there() -> None:
    assert write("- a\n  - new\n").data.decode() == f"- a\n  - new\n- new{NOTE}\n"


OURS = "---\nversion: 14 # edits\nlast_modified: 2026-11-29T18:20:00Z\nmodified_by: mem edit\n---\n# Memory\n\n- a\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_file_that_mem_made_counts_its_version(end: str) -> None:
    edit = add(OURS.replace("\n", end).encode(), Draft("new"), now=NOW, new_id=lambda: ID, ours=True)
    assert edit.data.decode().replace(end, "\n") == (
        "---\nversion: 15 # edits\nlast_modified: 2026-12-01T09:30:15Z\nmodified_by: mem add\n---\n"
        f"# Memory\n\n- a\n- new{NOTE}\n"
    )
    assert found(edit).text == "new"


@pytest.mark.parametrize(
    "front",
    [
        "version: 3\nlast_modified: x\n",
        "version: 3\nmodified_by: vim\n",
        "a: b: c\nmodified_by: mem add\n",
        "modified_by: memory\n",
    ],
)
def test_front_matter_of_others_is_never_touched(front: str) -> None:
    data = f"---\n{front}---\n- a\n"
    edit = add(data.encode(), Draft("new"), now=NOW, new_id=lambda: ID, ours=True)
    assert edit.data.decode() == f"{data}- new{NOTE}\n"


def test_a_file_of_ours_is_left_alone_when_it_is_said_not_to_be() -> None:
    assert write(OURS).data.decode() == f"{OURS}- new{NOTE}\n"

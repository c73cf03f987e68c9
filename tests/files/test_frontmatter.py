"""Front matter as people write it; nothing is ever written back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.files.frontmatter import _PLAIN, MAX_BYTES, Front, _load, read
from memcli.files.markdown import parse


def front(text: str) -> Front:
    found = read(text.encode())
    assert found is not None
    return found


def test_values_are_what_is_written() -> None:  # frontmatter-10
    found = front("---\nno: x\nversion: 1.10\ncode: 012\ntime: 12:30\nday: 2026-02-03\nyes: no\nempty:\n---\n")
    written = {
        "no": "x",
        "version": "1.10",
        "code": "012",
        "time": "12:30",
        "day": "2026-02-03",
        "yes": "no",
        "empty": "",
    }
    assert found.values == written


def test_keys_keep_their_order() -> None:  # frontmatter-04
    assert list(front("---\nzeta: 1\nalpha: 2\nmid: 3\n---\n").values) == ["zeta", "alpha", "mid"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_a_byte_order_mark_change_nothing(end: str, mark: str) -> None:  # frontmatter-11
    data = (mark + "---\nname: n\nnote: |\n  a\n  b\n---\n- x\n".replace("\n", end)).encode()
    found = read(data)
    assert found is not None
    assert found.values == {"name": "n", "note": "a\nb\n"}
    assert (found.start, data[found.end :].strip(), found.lines) == (len(mark.encode()), b"- x", 6)


def test_dashes_in_a_block_scalar_do_not_end_it() -> None:  # frontmatter-07
    found = front("---\nnote: |\n  a\n  ---\n  b\nlast: 1\n---\nbody\n")
    assert found.values == {"note": "a\n---\nb\n", "last": "1"}


def test_broken_yaml_is_named_by_its_line_and_read_as_far_as_it_goes() -> None:  # frontmatter-02
    found = front("---\nname: n\ndescription: fix: the thing\nmetadata:\n  type: feedback\n---\n- a\n")
    assert found.get("description") == "fix: the thing"
    assert found.get("metadata", "type") == "feedback"
    assert [(problem.line, "mapping values" in problem.what) for problem in found.problems] == [(3, True)]


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nJust text\n",  # frontmatter-08
        "---\n\nJust text\n\n---\nmore\n",
        "---\n- a\n- b\n---\n",
        "---\n# Title\n---\n",
        "---\n\nNote: first this. Then: that.\n\n---\n",
        "--- x\na: 1\n---\n",
        "----\na: 1\n---\n",
        "\n---\na: 1\n---\n",
        " ---\na: 1\n---\n",
        "",
    ],
)
def test_a_first_line_of_dashes_may_be_a_rule(text: str) -> None:
    assert read(text.encode()) is None


@pytest.mark.parametrize("text", ["---\n---\n", "---\n\n---", "--- \n---\t\nbody"])
def test_an_empty_block_is_a_block(text: str) -> None:
    assert (front(text).values, front(text).problems) == ({}, ())


def test_a_key_given_twice_is_named() -> None:
    found = front("---\na: 1\nb: 2\na: 3\n---\n")
    assert found.values == {"a": "3", "b": "2"}
    assert [(problem.line, problem.what) for problem in found.problems] == [(4, "front matter has a twice")]


@pytest.mark.parametrize("value", ["[" * 5_000, "!!python/name:os.system x", "&a [*a]", "\0", "*nobody", "? [x]\n: y"])
def test_hostile_yaml_does_no_harm(value: str) -> None:
    assert "name" in front(f"---\nname: n\nx: {value}\n---\n").values


def test_a_huge_block_is_read_line_by_line() -> None:
    found = front("---\nname: n\n" + "k: v\n" * (MAX_BYTES // 5) + "---\n")
    assert (found.get("name"), found.problems[0].line) == ("n", 1)


def test_a_topic_file_is_an_entry_of_its_own() -> None:
    text = (
        "---\nname: Deploys\ndescription: we ship\ntype: feedback\ntags: [a, '#b']\nmodified: 2026-02-03\n---\nBody\n"
    )
    topic, body = parse(text.encode()).items
    assert (topic.kind, topic.text, topic.line, topic.last) == ("file", "Deploys: we ship", 1, 7)
    assert (topic.meta.type, topic.meta.tags) == ("feedback", ("a", "b"))
    assert topic.meta.updated == datetime(2026, 2, 3, tzinfo=UTC)
    assert (body.kind, body.line) == ("prose", 8)


def test_the_type_may_be_nested() -> None:
    [topic] = parse(b"---\nname: n\nmetadata:\n  node_type: memory\n  type: user\n---\n").items
    assert topic.meta.type == "user"


@pytest.mark.parametrize("text", ["---\ntype: x\n---\n", "---\ntags: {a: 1}\nname:\n---\n"])
def test_front_matter_without_a_name_is_no_entry(text: str) -> None:
    assert parse(text.encode()).items == ()


LINES = st.sampled_from(
    ["a: 1", "b:", "  c: d", "- x", "# n", "---", "...", "x: y: z", "t: |", "", "{", "'q': 'r'", "\tz: 1"]
)


@settings(deadline=None)
@given(st.lists(LINES).map(lambda lines: "\n".join(["---", *lines]).encode()))
def test_no_block_raises_or_reaches_into_the_body(data: bytes) -> None:
    found = read(data)
    if found is not None:
        assert data[: found.end].splitlines()[-1].strip() == b"---"
        assert found.lines == len(data[: found.end].splitlines())


@given(st.from_regex(_PLAIN, fullmatch=True).filter(bool))
def test_a_plain_block_means_what_yaml_says(text: str) -> None:
    assert _load(text) == (yaml.load(text, Loader=yaml.BaseLoader), None)


@pytest.mark.parametrize("value", ["a: b", "a:", "a #b", "a  b", "~", "- a", "[a]", '"a"', "|", "a ", "", "&a", "a\tb"])
def test_what_yaml_may_read_otherwise_is_not_plain(value: str) -> None:
    assert _PLAIN.fullmatch("version: 3\nmodified_by: mem add\nlast_modified: 2026-12-01T09:00:00Z\n")
    assert not _PLAIN.fullmatch(f"key: {value}\n")

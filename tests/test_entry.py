"""The metadata comment, hashtags and code."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memcli.entry import TYPES, Meta, blank_code, hashtags, parse_comment, render_comment

FULL = (
    "<!-- mem: id=k7f3q2 type=project tags=deploy,release conf=0.8 created=2026-11-02 updated=2026-11-30T09:12:00Z"
    " expires=2027-03-01 v=2 src=sessions/web/4f1c.jsonl:88,MEMORY.md:3 supersedes=b03ka1 -->"
)


def parsed(inside: str) -> Meta:
    meta = parse_comment(f"<!-- mem: {inside} -->")
    assert meta is not None
    return meta


def test_every_key_is_read() -> None:
    assert parse_comment(FULL) == Meta(
        id="k7f3q2",
        type="project",
        tags=("deploy", "release"),
        conf=0.8,
        created=datetime(2026, 11, 2, tzinfo=UTC),
        updated=datetime(2026, 11, 30, 9, 12, tzinfo=UTC),
        expires=datetime(2027, 3, 1, tzinfo=UTC),
        v=2,
        src=("sessions/web/4f1c.jsonl:88", "MEMORY.md:3"),
        supersedes=("b03ka1",),
    )


def test_a_comment_renders_as_it_was_written() -> None:
    meta = parse_comment(FULL)
    assert meta is not None and render_comment(meta) == FULL


@pytest.mark.parametrize(
    "text", ["<!-- mem:start -->", "<!-- note -->", "mem: id=a", "<!-- mem: id=a", "<!--memo: a-->"]
)
def test_any_other_comment_is_none_of_ours(text: str) -> None:
    assert parse_comment(text) is None


@pytest.mark.parametrize("text", ["<!-- mem: -->", "<!--mem: -->", "<!-- mem:\n-->"])
def test_an_empty_comment_says_nothing(text: str) -> None:
    assert parse_comment(text) == Meta()


@pytest.mark.parametrize(
    "word",
    [
        "conf=high",
        "conf=1.5",
        "conf=nan",
        "type=opinion",
        "created=yesterday",
        "updated=2026-13-01",
        "v=two",
        "v=-1",
        "v=0",
        "v=" + "9" * 5_000,
        "v=８",
        "pinned=yes",
        "id=",
    ],
)
def test_what_means_nothing_is_kept_as_it_is(word: str) -> None:
    key, _, value = word.partition("=")
    meta = parsed(f"{word} importance=3")
    assert meta == Meta(extra=((key, value), ("importance", "3")))


def test_the_first_of_two_equal_keys_counts_and_both_stay() -> None:
    meta = parsed("id=aaaaaa id=bbbbbb")
    assert (meta.id, meta.extra) == ("aaaaaa", (("id", "bbbbbb"),))
    assert render_comment(meta) == "<!-- mem: id=aaaaaa id=bbbbbb -->"


def test_words_without_a_value_stay() -> None:
    assert render_comment(parsed("pinned id=aaaaaa")) == "<!-- mem: id=aaaaaa pinned -->"


@pytest.mark.parametrize("value", ["100%", "a%2Fb", "%zz", "x=y", "部署", "50%25", "%2C", "%252525%20", "%20"])
def test_a_foreign_value_keeps_its_bytes(value: str) -> None:
    assert render_comment(parsed(f"url={value}")) == f"<!-- mem: url={value} -->"


def test_no_value_can_end_the_comment_or_open_a_code_span() -> None:
    comment = render_comment(Meta(src=("my notes/a,b.md:3", "x --> `y"), extra=(("note", "two words"),)))
    assert comment == "<!-- mem: src=my%20notes/a%2Cb.md:3,x%20--%3E%20%60y note=two%20words -->"
    assert comment.count("-->") == 1


WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
LISTS = st.lists(WORDS, max_size=3).map(tuple)
MOMENTS = st.none() | st.datetimes(datetime(1000, 1, 1), timezones=st.just(UTC))
KEYS = st.text("abcxyz_-%", min_size=1).filter(lambda key: key not in Meta.__slots__)
METAS = st.builds(
    Meta,
    id=st.none() | WORDS,
    type=st.none() | st.sampled_from(TYPES),
    tags=LISTS,
    conf=st.none() | st.floats(0, 1),
    created=MOMENTS,
    updated=MOMENTS,
    expires=MOMENTS,
    v=st.none() | st.integers(1, 999_999_999),
    src=LISTS,
    supersedes=LISTS,
    extra=st.lists(st.tuples(KEYS, st.text(max_size=8)), max_size=3).map(tuple),
)


@settings(deadline=None)
@given(METAS)
def test_reading_is_the_inverse_of_rendering(meta: Meta) -> None:
    assert parse_comment(render_comment(meta)) == meta


@settings(deadline=None)
@example("<!-- mem: = =x -->")
@given(st.text().map(lambda text: f"<!-- mem: {text} -->"))
def test_any_comment_is_read_and_settles(text: str) -> None:
    meta = parse_comment(text)
    assert meta is not None
    assert parse_comment(render_comment(meta)) == meta


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("ship on #Tuesday, #deploy/web.", ("Tuesday", "deploy/web")),
        ("修复 #部署 #测试。", ("部署", "测试")),
        ("#first\n#second-part", ("first", "second-part")),
        ("#a #a #b", ("a", "b")),
        ("see #123 and # heading\n## Another", ()),
        ("C# and page.html#anchor and https://x.io/#frag and [t](#part) &#x27;", ()),
        ("`#no` and ``a ` #no`` but #yes", ("yes",)),
        ("```\n#no\n```\n#yes", ("yes",)),
        ("an open ` tick #yes", ("yes",)),
    ],
)
def test_hashtags_are_words_behind_a_sign(text: str, tags: tuple[str, ...]) -> None:
    assert hashtags(text) == tags


@pytest.mark.parametrize(
    ("text", "blank"),
    [
        ("a `b` c", "a     c"),
        ("a ``b ` c`` d", "a           d"),
        ("a `b", "a `b"),
        ("a `b\n\nc` d", "a `b\n\nc` d"),
        ("it`s\n  - that`s", "it`s\n  - that`s"),
        ("a\n~~~\nb\n~~\n~~~~\nc", "a\n   \n \n  \n    \nc"),
        ("- x\n  ```sh\n  `y\n", "- x\n       \n    \n"),
    ],
)
def test_code_becomes_blanks_in_its_place(text: str, blank: str) -> None:
    assert blank_code(text) == blank


@settings(deadline=None)
@given(st.text("`~ab \n-"))
def test_blanking_moves_nothing(text: str) -> None:
    blank = blank_code(text)
    assert len(blank) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, blank, strict=True))

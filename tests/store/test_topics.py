"""Names of topic files, and files that grew too long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.files.markdown import Problem, parse
from memcli.store.limits import over, spare
from memcli.store.topics import filename, pick
from tests.store.documents import NOW


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Site Roadmap", "site-roadmap.md"),
        ("Enable/Disable", "enable-disable.md"),  # paths-09
        ("rule:x", "rule-x.md"),
        ("CON", "con-topic.md"),
        ("lpt1", "lpt1-topic.md"),
        ("../../etc/passwd", "etc-passwd.md"),
        ('*?<>|"\\', "topic-3a4c6d.md"),
        ("C++ and C#", "cplusplus-and-csharp.md"),
        ("部署 说明", "部署-说明.md"),
        ("हिन्दी", "हिन्दी.md"),
        ("Ｆｕｌｌ", "full.md"),
        ("a.b_c", "a-b-c.md"),
    ],
)
def test_a_title_gives_a_safe_name(title: str, name: str) -> None:
    assert filename(title) == name


@given(st.text(max_size=400))
def test_any_title_gives_a_name_inside_the_folder(title: str) -> None:
    name = filename(title)
    assert len(name.encode()) <= 110
    assert not set(name) & set('/\\:*?"<>|\0\n ')
    assert name[0] not in ".-"
    assert name.endswith(".md")


def test_long_titles_with_one_beginning_are_two_files() -> None:
    assert filename("x" * 300 + "a") != filename("x" * 300 + "b")
    assert filename("字" * 300).startswith("字字")


def test_titles_that_differ_in_case_are_one_topic() -> None:
    assert filename("A") == filename("a") == "a.md"


@pytest.mark.parametrize(
    "there", ["site-roadmap.md", "site_roadmap.md", "Site Roadmap.md", "SiteRoadmap.md", "SITE.ROADMAP.MD"]
)
def test_a_topic_that_is_there_under_another_spelling_is_kept(there: str) -> None:  # index-13
    assert pick("Site Roadmap", ["a.md", there, "site-roadmap.txt"]) == there


def test_a_topic_that_is_not_there_gets_a_new_name() -> None:
    assert pick("C#", ["c.md", "cplusplus.md"]) == "csharp.md"
    assert pick("..", ["a.md"]) == filename("..")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", None),
        (b"a\n" * 200, None),
        (b"a\n" * 199 + b"a", None),
        (b"a\n" * 202, Problem(201, "202 lines, but only 200 lines are loaded: what follows is never read")),
        (
            b"a" * 99 + b"\n" + b"b" * 2000,
            Problem(2, "2,100 bytes, but only 1,000 bytes are loaded: what follows is never read"),
        ),
    ],
)
def test_a_file_over_a_limit_is_named(data: bytes, problem: Problem | None) -> None:  # bloat-01
    assert over(data, lines=200, size=1_000) == problem


def test_what_has_ended_could_go_first() -> None:  # bloat-05
    data = (
        "- sure\n"
        "- guess <!-- mem: id=aaaaaa conf=0.4 -->\n"
        "- newer guess <!-- mem: id=bbbbbb conf=0.4 created=2020-01-01 -->\n"
        "- old <!-- mem: id=cccccc -->\n"
        "- new <!-- mem: id=dddddd supersedes=cccccc -->\n"
        "- gone <!-- mem: id=eeeeee expires=2026-01-01 -->\n"
        "- will go <!-- mem: id=ffffff expires=2027-01-01 -->\n"
    )
    assert [item.text for item in spare(parse(data.encode()), NOW)] == ["gone", "old", "guess", "newer guess"]

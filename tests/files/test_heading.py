"""What headings say of the entries below them."""

from __future__ import annotations

import pytest

from memcli.entry import TYPES
from memcli.files.heading import NAMES, heading_type, name, named_type, names, title


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (("Preferences",), "user"),  # no "references"
        (("User preferences:",), "user"),
        (("References",), "reference"),
        (("偏好",), "user"),
        (("Lessons", "Deploy"), "lesson"),
        (("Project", "Known bugs"), "error"),
        (("Quadratic forms",), ""),  # no "adr"
        (("Debugging",), ""),
        ((), ""),
    ],
)
def test_a_path_of_headings_tells_the_type(path: tuple[str, ...], kind: str) -> None:
    assert named_type(path) == kind
    assert heading_type(path, "project") == (kind or "project")
    assert heading_type(path, "user") == (kind or "user")


@pytest.mark.parametrize(
    "heading",
    [
        "Lessons learned",
        "**Lessons Learned**",
        "📚 lessons  learned:",
        "Ｌｅｓｓｏｎｓ learned ##",
        "LESSONS LEARNED：",
    ],
)
def test_a_name_has_many_spellings(heading: str) -> None:
    assert name(heading) == "lessons learned"
    assert names(heading)[0] == "lessons learned"
    assert "教训" in names(heading)


def test_every_type_has_a_title_in_both_languages_that_tells_it() -> None:
    for kind in TYPES:
        for han in (False, True):
            told = named_type((title(kind, han=han),))
            assert told == ("" if kind == "summary" else kind)
    assert (title("", han=False), title("", han=True)) == ("Notes", "笔记")


def test_a_sign_that_belongs_to_a_name_stays() -> None:
    assert (name("C#"), name("C ##"), name("C")) == ("c#", "c", "c")


def test_a_name_means_one_thing() -> None:
    every = [one for _, same in NAMES for one in same]
    assert len(every) == len(set(every))
    assert [one for one in every if name(one) != one] == []

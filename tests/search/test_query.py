"""Filters: what may come back, and what is told when it may not."""

from __future__ import annotations

import pytest
from test_rank import hit

from memcli.errors import Usage
from memcli.search import ask
from memcli.search.query import Query, refusal

NOW = "2026-12-01T00:00:00Z"


def why(query: Query, **fields: object) -> str:
    return refusal(hit(**fields).doc, query, NOW, {1: "user"})  # type: ignore[arg-type]


def test_an_entry_that_nothing_excludes_may_come_back() -> None:
    assert why(Query("q")) == ""


@pytest.mark.parametrize(
    ("query", "fields", "wanted"),
    [
        (Query("q"), {"file": 2}, "its file is not read here"),
        (Query("q"), {"until": "2026-11-01T00:00:00Z", "expires": "2026-11-01T00:00:00Z"}, "expired on 2026-11-01"),
        (Query("q"), {"until": "2026-11-01T00:00:00Z"}, "superseded by a newer entry"),
        (Query("q", as_of="2026-10-01T00:00:00Z"), {"born": "2026-11-01T00:00:00Z"}, "newer than --as-of"),
        (Query("q", units=("turn",), as_of=NOW), {"unit": "turn", "born": NOW}, "newer than --as-of"),
        (Query("q", units=("turn",)), {}, "it is of unit entry"),
        (Query("q", types=("user",)), {}, "it is of type project"),
        (Query("q", tags=("a", "b")), {"tags": "a,c"}, "it lacks a tag asked for"),
        (Query("q", scopes=("project",)), {}, "it is of scope user"),
        (Query("q", conf=0.5), {"conf": 0.4}, "its confidence is 0.4"),
        (
            Query("q", since="2026-11-01T00:00:00Z"),
            {"touched": "2026-10-01T00:00:00Z"},
            "it is outside of --since and --until",
        ),
        (Query("q", until="2026-11-01T00:00:00Z"), {"touched": ""}, "it is outside of --since and --until"),
    ],
)
def test_a_filter_names_its_reason(query: Query, fields: dict[str, object], wanted: str) -> None:
    assert why(query, **fields) == wanted


def test_as_of_brings_back_what_has_expired_since() -> None:
    assert (
        why(Query("q", as_of="2026-10-01T00:00:00Z"), until="2026-11-01T00:00:00Z", born="2026-09-01T00:00:00Z") == ""
    )


@pytest.mark.parametrize(
    ("unit", "source", "wanted"),
    [
        ("", "", ("entry", "turn")),
        ("", "memory", ("entry",)),
        ("", "sessions", ("turn",)),
        ("session", "sessions", ("session",)),
    ],
)
def test_unit_and_source_name_what_is_searched(unit: str, source: str, wanted: tuple[str, ...]) -> None:
    assert ask.units(unit, source) == wanted


@pytest.mark.parametrize(
    "wrong",
    [{"mode": "fast"}, {"unit": "page"}, {"source": "x"}, {"limit": 0}, {"since": "soon"}, {"scopes": ("all",)}],
)
def test_a_wrong_option_is_named_with_what_to_type(wrong: dict[str, object]) -> None:
    with pytest.raises(Usage) as caught:
        ask.Options(**({"limit": 10, "mode": "words"} | wrong))  # type: ignore[arg-type]
    assert caught.value.hint or "one of" in str(caught.value)

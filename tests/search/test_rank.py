"""Ranking, on hits made by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.search import rank
from memcli.search.query import Doc, Hit

IDS = count(1)


def hit(
    text: str = "text", *, lexical: float = 0.0, cosine: float | None = None, unit: str = "entry", **fields: object
) -> Hit:
    """A hit whose doc has `fields`, the rest empty."""
    row = {
        "id": next(IDS), "file": 1, "unit": unit, "line": 1, "last": 1, "start": 0, "stop": 1, "eid": "e", "type": "project",
        "conf": 1.0, "born": "", "touched": "", "expires": "", "until": "", "role": "", "name": "", "heading": "", "tags": "",
        "supersedes": "", "text": text,
    } | fields  # fmt: skip
    made = Hit(Doc(tuple(row.values())))
    made.lexical, made.cosine = lexical, cosine
    return made


def test_fusion_is_half_words_half_meaning() -> None:
    words, meaning, both = hit(lexical=4.0, cosine=0.8), hit(lexical=0.0, cosine=0.9), hit(lexical=2.0, cosine=0.85)
    rank.fuse([words, meaning, both], 0.5)
    rank.total([words, meaning, both])
    assert [h.score for h in (words, meaning, both)] == [0.5, 0.5, 0.5]


def test_a_hit_without_a_vector_is_not_counted_out() -> None:
    seen, unseen = hit(lexical=1.0, cosine=0.8), hit(lexical=4.0)
    rank.fuse([seen, unseen, hit(cosine=0.9)], 0.5)
    assert unseen.parts == {"words": 0.5, "vectors": 0.25}


def test_a_reply_counts_less_than_what_a_person_said() -> None:
    person, reply = hit(unit="turn", lexical=1.0, role="user"), hit(unit="turn", lexical=1.0, role="assistant", id=1000)
    rank.fuse([person, reply], 0.0)
    assert reply.parts["words"] < person.parts["words"]


def test_a_turn_gains_from_a_neighbour_that_is_near() -> None:
    turn, beside, far = (hit(unit="turn", cosine=c, id=i) for i, c in ((2001, 0.7), (2002, 0.9), (3000, 0.7)))
    rank.fuse([turn, beside, far], 1.0)
    assert turn.parts["vectors"] == pytest.approx(rank.NEIGHBOUR)
    assert far.parts["vectors"] == 0.0


def test_equal_scores_come_newest_first() -> None:
    old, new, undated = hit(touched="2026-01-01T00:00:00Z"), hit(touched="2026-11-01T00:00:00Z"), hit()
    assert rank.order([undated, old, new]) == [new, old, undated]


OLD, NEW = "2026-01-01T00:00:00Z", "2026-11-01T00:00:00Z"


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("Deploys go out on Tuesday.", "Deploys go out on Thursday only.", ["deploys"]),
        ("**Port**: 8080", "**Port**: 9090", ["port"]),
        ("The capital is Rome. Ask Ann.", "Note first. The capital is Milan.", ["capital"]),
        ("数据库用的是 MySQL", "数据库用的是 PostgreSQL", ["数据"]),
    ],
)
def test_a_newer_value_passes_an_older_one(older: str, newer: str, question: list[str]) -> None:
    one, two = hit(older, touched=OLD), hit(newer, touched=NEW)
    one.score, two.score = 1.0, 0.8
    ordered = rank.newest([one, two], question, 20)
    assert ordered == [two, one]
    assert ordered[0].score >= ordered[1].score


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        ("The capital of France is Paris.", "The capital of Italy is Rome.", ["capital", "france"]),
        ("Use tabs in Makefiles.", "Reviews wait for Dana.", ["tabs"]),
    ],
)
def test_a_newer_entry_on_something_else_stays_behind(older: str, newer: str, question: list[str]) -> None:
    one, two = hit(older, touched=OLD), hit(newer, touched=NEW)
    one.score, two.score = 1.0, 0.8
    assert rank.newest([one, two], question, 20) == [one, two]


def test_entries_of_the_same_words_come_back_once() -> None:
    first, again, turn = hit("Use  tabs"), hit("use tabs"), hit("use tabs", unit="turn")
    assert rank.collapse([first, again, turn]) == [first, turn]


def test_an_entry_far_below_the_best_is_left_out_and_a_turn_is_not() -> None:
    best, low, turn = hit(), hit(), hit(unit="turn")
    best.score, low.score, turn.score = 1.0, 0.3, 0.3
    assert rank.relevant([best, low, turn], 0.4) == [best, turn]


def test_priors_prefer_sure_and_recent_entries() -> None:
    now = rank.seconds("2026-12-01T00:00:00Z")
    sure, unsure = hit(touched="2026-12-01T00:00:00Z"), hit(conf=0.2, touched="2026-11-01T00:00:00Z")
    rule = hit(type="feedback", touched="2020-01-01T00:00:00Z")
    rank.priors([sure, unsure, rule], now, 30 * 86400.0, {1: "project"})
    assert sure.parts == {"confidence": 0.0, "recency": rank.RECENCY, "scope": rank.SCOPE}
    assert unsure.parts["confidence"] == pytest.approx(-0.04)
    assert unsure.parts["recency"] == pytest.approx(rank.RECENCY / 2)
    assert rule.parts["recency"] == rank.RECENCY


@given(st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)))
def test_seconds_are_those_of_the_standard_library(moment: datetime) -> None:
    aware = moment.replace(microsecond=0, tzinfo=UTC)
    assert rank.seconds(aware.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")) == aware.timestamp()

"""The measures of a ranking, against values worked out by hand and the laws that any of them keeps."""

from __future__ import annotations

from math import isclose, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.bench.metrics import ndcg, percentile, recall, reciprocal

RANKED = ["a", "x", "b", "y", "z", "c"]
GOLD = {"a", "b", "c", "d"}

rankings = st.lists(st.integers(0, 30), unique=True, max_size=25)
golds = st.frozensets(st.integers(0, 30), min_size=1, max_size=25)


@pytest.mark.parametrize(("k", "share"), [(1, 0.25), (2, 0.25), (3, 0.5), (5, 0.5), (6, 0.75), (20, 0.75)])
def test_recall_is_the_share_of_gold_in_the_first_k(k: int, share: float) -> None:
    assert recall(RANKED, GOLD, k) == share


def test_reciprocal_is_of_the_first_gold_place() -> None:
    assert reciprocal(["x", "y", "b", "a"], GOLD) == 1 / 3
    assert reciprocal(["x"], GOLD) == reciprocal([], GOLD) == 0.0


def test_ndcg_discounts_by_the_logarithm_of_the_rank() -> None:
    gained = 1 / log2(2) + 1 / log2(4) + 1 / log2(7)
    ideal = 1 / log2(2) + 1 / log2(3) + 1 / log2(4) + 1 / log2(5)
    assert isclose(ndcg(RANKED, GOLD), gained / ideal)
    assert isclose(ndcg(["x", "a"], {"a"}), 1 / log2(3))


def test_ndcg_stops_at_k_on_both_sides() -> None:
    many = set(range(30))
    assert ndcg(list(range(10)), many) == 1.0
    assert ndcg([*"0123456789", "a"], {"a"}) == 0.0


@given(rankings, golds, st.integers(1, 30))
def test_measures_lie_between_none_and_all(ranked: list[int], gold: frozenset[int], k: int) -> None:
    for value in (recall(ranked, gold, k), reciprocal(ranked, gold), ndcg(ranked, gold, k)):
        assert 0.0 <= value <= 1.0
    assert recall(ranked, gold, k) <= recall(ranked, gold, k + 1)


@given(golds, rankings)
def test_gold_before_all_else_is_perfect(gold: frozenset[int], others: list[int]) -> None:
    ranked = [*gold, *(place for place in others if place not in gold)]
    assert isclose(ndcg(ranked, gold), 1.0)
    assert reciprocal(ranked, gold) == recall(ranked, gold, len(gold)) == 1.0


@given(rankings, golds)
def test_a_gold_place_moved_up_never_costs(ranked: list[int], gold: frozenset[int]) -> None:
    better = sorted(ranked, key=lambda place: place not in gold)
    assert ndcg(better, gold) >= ndcg(ranked, gold) - 1e-12
    assert reciprocal(better, gold) >= reciprocal(ranked, gold)


@pytest.mark.parametrize(
    ("share", "value"), [(0.5, 20.0), (0.75, 30.0), (0.76, 40.0), (0.99, 40.0), (1.0, 40.0), (0.01, 10.0)]
)
def test_percentile_is_a_value_that_occurred(share: float, value: float) -> None:
    assert percentile([40.0, 10.0, 30.0, 20.0], share) == value


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0.001, 1.0))
def test_percentile_is_reached_by_its_share(values: list[float], share: float) -> None:
    found = percentile(values, share)
    assert sum(value <= found for value in values) >= share * len(values) - 1e-9
    assert found in values

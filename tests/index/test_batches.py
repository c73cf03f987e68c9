"""Grouping by length, and unit rows."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from memcli.index.encode.batches import by_length, unit


@given(some.lists(some.integers(0, 300)), some.integers(1, 1000))
def test_groups_hold_each_text_once_and_stay_in_bounds(lengths: list[int], most: int) -> None:
    groups = list(by_length(lengths, most))
    assert sorted(at for group in groups for at in group) == list(range(len(lengths)))
    assert all(len(group) == 1 or len(group) * max(lengths[at] for at in group) <= most for group in groups)


def test_rows_without_direction_become_unit_rows() -> None:
    rows = unit(np.array([[3, 4], [0, 0], [np.nan, 1], [np.inf, 0]], np.float32))
    assert np.allclose(rows, [[0.6, 0.8], [1, 0], [1, 0], [1, 0]])

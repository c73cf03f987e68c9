"""Which texts go together through a model, and unit rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from memcli.index.encode.protocol import Rows


def by_length(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Positions in `lengths`, longest first, in groups that cost at most `most` when each is padded to the longest."""
    order = sorted(range(len(lengths)), key=lambda at: -lengths[at])
    start = 0
    while start < len(order):
        count = max(1, most // max(1, lengths[order[start]]))
        yield order[start : start + count]
        start += count


def unit(rows: Rows) -> Rows:
    """`rows`, each of length 1; a row without direction, or with what is no number, points along the first axis."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    lost = ~np.isfinite(norms[:, 0]) | (norms[:, 0] < 1e-9)
    found: Rows = np.divide(rows, norms, where=~lost[:, None], out=np.zeros_like(rows))
    found[lost, :1] = 1
    return found

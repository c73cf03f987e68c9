"""What a ranking is worth. Pure: places in rank order, each once, against the set of places that answer the question.

A place is anything that can be compared; `gold` is never empty. Every measure lies in 0 to 1, and 1 is the best.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from math import ceil, log2


def recall(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """The share of `gold` that stands in the first `k`."""
    return sum(place in gold for place in ranked[:k]) / len(gold)


def reciprocal(ranked: Sequence[Hashable], gold: Collection[Hashable]) -> float:
    """1 / the rank of the first of `gold`, 0 when none is there; its mean over questions is the MRR."""
    return next((1 / rank for rank, place in enumerate(ranked, 1) if place in gold), 0.0)


def ndcg(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int = 10) -> float:
    """Normalised discounted cumulative gain of the first `k`: gain 1 a gold place, discount log2(rank + 1)."""
    gained = sum(_discount(rank) for rank, place in enumerate(ranked[:k], 1) if place in gold)
    return gained / sum(map(_discount, range(1, min(k, len(gold)) + 1)))


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of `values` that at least `share` of them (0 < share <= 1) do not exceed: nearest rank."""
    return sorted(values)[max(1, ceil(share * len(values))) - 1]


def _discount(rank: int) -> float:
    return 1 / log2(rank + 1)

"""From answered questions to the rows of a table: means by category, and the total of each set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from memcli.bench.metrics import ndcg, percentile, recall, reciprocal
from memcli.bench.run import Asked, Outcome

TOTAL = "total"
MEASURES: dict[str, Callable[[Asked], float]] = {
    "recall@5": lambda asked: recall(asked.ranked, asked.case.gold, 5),
    "recall@10": lambda asked: recall(asked.ranked, asked.case.gold, 10),
    "recall@20": lambda asked: recall(asked.ranked, asked.case.gold, 20),
    "mrr": lambda asked: reciprocal(asked.ranked, asked.case.gold),
    "ndcg@10": lambda asked: ndcg(asked.ranked, asked.case.gold),
}
SHARES = {"p50_ms": 0.5, "p95_ms": 0.95, "p99_ms": 0.99}
COLUMNS = ("set", "category", "n", *MEASURES, *SHARES, "index_s")

Row = dict[str, str | int | float | None]


def rows(outcome: Outcome) -> Iterator[Row]:
    """A row a category, then one for the whole set, set after set; `index_s` is of the whole fixture.

    Sets are never added up: recall of sessions and recall of turns have no common mean.
    """
    for label in sorted({asked.case.label for asked in outcome.asked}):
        every = [asked for asked in outcome.asked if asked.case.label == label]
        categories = sorted({asked.case.category for asked in every})
        for category in categories if len(categories) > 1 else ():
            yield _row(label, category, [asked for asked in every if asked.case.category == category])
        yield _row(label, TOTAL, every) | {"index_s": round(outcome.index_s, 3)}


def _row(label: str, category: str, asked: Sequence[Asked]) -> Row:
    """`n` and the measures are of the questions that have an answer; the times are of all."""
    scored = [one for one in asked if one.case.gold]
    times = [one.ms for one in asked]
    row: Row = {"set": label, "category": category, "n": len(scored)}
    for name, measure in MEASURES.items():
        row[name] = round(sum(map(measure, scored)) / len(scored), 4) if scored else None
    return row | {name: round(percentile(times, share), 2) for name, share in SHARES.items()} | {"index_s": None}

"""`mem list`: which entries or turns there are, by the same filters as a search and in the order of the files."""

from __future__ import annotations

from collections.abc import Iterator

from memcli.app.memory import Memory
from memcli.index.catalog import DOC
from memcli.search.listed import Listed, over
from memcli.search.query import Doc, Query, refusal

LIVING, EXPIRED, ALL = "living", "expired", "all"


def listed(memory: Memory, query: Query, state: str = LIVING) -> Iterator[Listed]:
    """What passes the filters of `query`, by path, then by line.

    Args:
        query: its text and limit mean nothing here.
        state: LIVING, EXPIRED (also what a newer entry supersedes) or ALL.
    """
    engine, paths = memory.engine("words"), memory.paths()
    moment = query.as_of or engine.now
    marks = ",".join("?" * len(query.units))
    for file in sorted(engine.scopes, key=lambda file: paths[file]):
        rows = engine.catalog.rows(
            f"select {DOC} from doc where file = ? and unit in ({marks}) order by line, id", (file, *query.units)
        )
        for doc in map(Doc, rows):
            if _wanted(doc, state, moment) and not refusal(doc, query, engine.now, engine.scopes):
                yield Listed(doc, paths[file], engine.scopes[file])


def _wanted(doc: Doc, state: str, moment: str) -> bool:
    """Whether `doc` is in that state. What is wanted although it is over is not refused for it afterwards."""
    ended = bool(over(doc, moment))
    if state != LIVING:
        doc.until = ""
    return state == ALL or ended == (state == EXPIRED)

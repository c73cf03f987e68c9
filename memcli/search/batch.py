"""Many queries on one engine.

JSON Lines in (`id`, `query`, `as_of`?), JSON Lines out (`query_id, rank, path, line, id, score`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from memcli.errors import MemError, Usage
from memcli.search import show
from memcli.search.ask import Options, moment
from memcli.search.engine import Engine


def answers(
    engine: Engine, options: Options, lines: Iterable[bytes], paths: Mapping[int, str], home: str, explain: bool
) -> Iterator[str | MemError]:
    """The records of each query in turn; a line that is no query gives an error that names it, and the rest goes on."""
    place = show.place_for(home, "", True)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            ident, text, as_of = _asked(line)
        except Usage as error:
            yield Usage(f"line {number}: {error}")
            continue
        for rank, hit in enumerate(engine.search(options.query(text, as_of)), 1):
            yield show.record(hit, place(paths[hit.doc.file]), rank, ident, explain)


def _asked(line: bytes) -> tuple[str, str, str]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):  # nested past what any query is
        raise Usage("not JSON") from None
    if not isinstance(value, dict) or not isinstance(value.get("query"), str) or not isinstance(value.get("id"), str):
        raise Usage('not {"id": "…", "query": "…"}')
    as_of = value.get("as_of") or ""
    return value["id"], value["query"], moment(as_of if isinstance(as_of, str) else "?", "as_of")

"""Sessions ranked by all the evidence for them: the log as a whole, its best turn, and how many turns speak for it."""

from __future__ import annotations

from memcli.search.query import Doc, Hit, Query, refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memcli.search.engine import Engine

WHOLE, BEST, MORE = 0.4, 0.5, 0.1  # weights of the whole log's BM25, the best turn, and the next turns
NEXT = 4  # turns after the best that count, each for half of the one before
TURNS = 400  # turn candidates


def ranked(engine: Engine, query: Query) -> list[Hit]:
    """One hit a session, best first; `doc.line` is the line of its best turn."""
    as_turns = Query(query.text, limit=TURNS, mode=query.mode, units=("turn",), scopes=query.scopes, since=query.since,
                     until=query.until, as_of=query.as_of)  # fmt: skip
    turns: dict[int, list[Hit]] = {}
    for hit in engine.evidence(as_turns):
        turns.setdefault(hit.doc.file, []).append(hit)
    whole = (
        {}
        if query.mode == "vectors"
        else {hit.doc.file: hit for hit in engine.lexical(query, "session", max(TURNS, query.limit))}
    )
    heads = {hit.doc.file: hit for hit in whole.values()} | _heads(
        engine, query, [file for file in turns if file not in whole]
    )
    top = max((hit.lexical for hit in whole.values()), default=0.0) or 1.0
    best = max((hits[0].score for hits in turns.values()), default=0.0) or 1.0
    for file, hit in heads.items():
        mine = [turn.score / best for turn in turns.get(file, [])]
        hit.parts = {
            "whole": WHOLE * hit.lexical / top,
            "turn": BEST * mine[0] if mine else 0.0,
            "turns": MORE * sum(score * 0.5 ** (at + 1) for at, score in enumerate(mine[1 : 1 + NEXT])),
        }
        hit.score = round(sum(hit.parts.values()), 6)
        if mine:
            hit.doc.line, hit.doc.text = turns[file][0].doc.line, turns[file][0].doc.text
    return sorted(heads.values(), key=lambda hit: (-hit.score, hit.doc.id))


def _heads(engine: Engine, query: Query, files: list[int]) -> dict[int, Hit]:
    """The session docs of these files that the filters let through."""
    found = {}
    for at in range(0, len(files), 900):
        part = files[at : at + 900]
        marks = ",".join("?" * len(part))
        for (ident,) in engine.catalog.rows(f"select id from doc where unit = 'session' and file in ({marks})", part):
            doc = Doc(engine.catalog.docs([ident])[0])
            if not refusal(doc, query, engine.now, engine.scopes):
                found[doc.file] = Hit(doc)
    return found

"""A question and its filters. Vocabulary of the whole package:

entry: a list item, paragraph, table row or topic file of a memory file; turn: one message of a session log; session: a whole log.
"""

from __future__ import annotations

from memcli.files.sources import ARCHIVE

MODES = ("hybrid", "words", "vectors")
UNITS = ("entry", "turn", "session")
SOURCES = ("memory", "sessions")


class Query:
    """What is asked for. Times are RFC 3339 UTC or ""; tuples are empty where anything goes.

    Attributes:
        units: which units may come back, in the order of UNITS.
        as_of: the moment to answer for: sessions started strictly before it, entries alive then.
        limit: the most hits, `k`.
    """

    __slots__ = (
        "as_of", "conf", "limit", "mode", "scopes", "since", "tags", "text", "types", "units", "until",
    )  # fmt: skip

    def __init__(
        self,
        text: str,
        *,
        limit: int = 10,
        mode: str = "hybrid",
        units: tuple[str, ...] = ("entry", "turn"),
        types: tuple[str, ...] = (),
        tags: tuple[str, ...] = (),
        scopes: tuple[str, ...] = (),
        since: str = "",
        until: str = "",
        conf: float = 0.0,
        as_of: str = "",
    ) -> None:
        self.text, self.limit, self.mode, self.units = text, limit, mode, units
        self.types, self.tags, self.scopes, self.since, self.until, self.conf, self.as_of = (
            types, tags, scopes, since, until, conf, as_of,
        )  # fmt: skip


class Doc:
    """A row of the catalog's `doc` with its file's place; the columns of catalog.DOC."""

    __slots__ = (
        "born", "conf", "eid", "expires", "file", "heading", "id", "last", "line", "name", "role", "start", "stop",
        "supersedes", "tags", "text", "touched", "type", "unit", "until",
    )  # fmt: skip

    def __init__(self, row: tuple) -> None:  # type: ignore[type-arg]  # `Any` would import typing
        (
            self.id, self.file, self.unit, self.line, self.last, self.start, self.stop, self.eid, self.type, self.conf, self.born,
            self.touched, self.expires, self.until, self.role, self.name, self.heading, self.tags, self.supersedes, self.text,
        ) = row  # fmt: skip


class Hit:
    """A doc with its score and the parts the score is made of (name -> what it added)."""

    __slots__ = ("cosine", "doc", "lexical", "parts", "score")

    def __init__(self, doc: Doc) -> None:
        self.doc, self.score, self.lexical = doc, 0.0, 0.0
        self.cosine: float | None = None
        self.parts: dict[str, float] = {}


def refusal(doc: Doc, query: Query, now: str, scopes: dict[int, str]) -> str:
    """Why `doc` may not come back, in a few words, or "". `scopes`: file id -> scope of the files that are read here."""
    moment = query.as_of or now
    if doc.file not in scopes:
        return "its file is not read here"
    if doc.until and doc.until <= moment and scopes[doc.file] != ARCHIVE:
        return f"expired on {doc.until[:10]}" if doc.until == doc.expires else "superseded by a newer entry"
    if query.as_of and doc.born and (doc.born > moment if doc.unit == "entry" else doc.born >= moment):
        return "newer than --as-of"
    if doc.unit not in query.units:
        return f"it is of unit {doc.unit}"
    if query.types and doc.type not in query.types:
        return f"it is of type {doc.type}"
    if query.tags and not set(query.tags) <= set(doc.tags.split(",")):
        return "it lacks a tag asked for"
    if query.scopes and scopes[doc.file] not in query.scopes:
        return f"it is of scope {scopes[doc.file]}"
    if query.conf and doc.conf < query.conf:
        return f"its confidence is {doc.conf:g}"
    if (query.since and doc.touched < query.since) or (query.until and (not doc.touched or doc.touched > query.until)):
        return "it is outside of --since and --until"
    return ""

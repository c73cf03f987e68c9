"""What a source holds, as the catalog keeps it: one Doc an entry, a turn or a session. Reads bytes, writes nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from memcli import clock
from memcli.entry import TYPES, Meta, hashtags
from memcli.files import jsonl, markdown
from memcli.files.heading import heading_type
from memcli.files.identity import derived_id
from memcli.files.sources import LOG, Source
from memcli.text import terms

MAX_TEXT = 20_000  # characters of one entry or turn that are kept to be shown; past that it is a paste, not a memory
MAX_SEARCHED = 1_000_000  # characters of one that are searched by words; more would be a file's worth in one line
CONTEXT_TERMS = 120  # of each neighbour: a long one must not drown the turn's own words
TITLE = 300
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


@dataclass(frozen=True, slots=True)
class Doc:
    """A row of the catalog's `doc`. Times are RFC 3339 or ""; `line` and `last` count from 1; `start:stop` are bytes."""

    unit: str
    line: int
    last: int
    start: int
    stop: int
    eid: str
    type: str
    text: str
    conf: float = 1.0
    born: str = ""
    touched: str = ""
    expires: str = ""
    role: str = ""
    name: str = ""
    heading: str = ""
    tags: str = ""
    supersedes: str = ""
    words: str = ""  # the terms of the FTS column `text`
    context: str = ""  # the terms of the FTS column `context`


@dataclass(slots=True)
class Read:
    """What reading one source gave: its docs, its @import targets, and what was wrong with it (line, what)."""

    docs: list[Doc] = field(default_factory=list)
    imports: list[str] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)


def read(source: Source, data: bytes) -> Read:
    """The docs of a source whose bytes are `data`; a log's are streamed from its file instead."""
    return _log(source) if source.kind == LOG else _notes(source, data)


def spoken(doc: Doc) -> str:
    """What the encoder is given: date and speaker before a turn (LoCoMo falls by .02 without), heading before an entry."""
    if doc.unit == "turn":
        head = f"[{doc.born[:10]}] {doc.name or doc.role}: " if doc.born else f"{doc.name or doc.role}: "
        return head + doc.text
    return f"{doc.heading.split(' > ')[-1]}: {doc.text}" if doc.heading else doc.text


def _notes(source: Source, data: bytes) -> Read:
    document = markdown.parse(data)
    front = _front(document)
    day = _day(os.path.basename(source.path))
    found = Read(problems=[(problem.line, problem.what) for problem in document.problems])
    seen: dict[str, int] = {}
    for item in document.items:
        text = item.text[:MAX_TEXT]
        if text.strip():
            seen[text] = seen.get(text, 0) + 1
            found.docs.append(_entry(source, item, text, seen[text], front, day))
            found.problems += _cut_off(item.line, item.text)
    return found


def _cut_off(line: int, text: str) -> list[tuple[int, str]]:
    if len(text) <= MAX_SEARCHED:
        return []
    return [(line, f"only the first {MAX_SEARCHED:,} of {len(text):,} characters are searched")]


def _entry(source: Source, item: markdown.Item, text: str, nth: int, front: dict[str, str], day: str) -> Doc:
    meta: Meta = item.meta
    born = _time(meta.created) or day
    tags = dict.fromkeys((*meta.tags, *hashtags(text)))
    heading = " > ".join(item.headings)
    return Doc(
        unit="entry",
        line=item.line,
        last=item.last,
        start=item.start,
        stop=item.end,
        eid=meta.id or derived_id(place(source), text, nth),
        type=meta.type or front.get("type") or heading_type(item.headings, source.scope),
        text=text,
        conf=1.0 if meta.conf is None else meta.conf,
        born=born,
        touched=_time(meta.updated) or born,
        expires=_time(meta.expires),
        role=item.kind,
        name=front.get("name", ""),
        heading=heading,
        tags=",".join(tags),
        supersedes=",".join(meta.supersedes),
        words=" ".join((*terms(item.text[:MAX_SEARCHED]), *tags)),
        context=_above(f"{front.get('name', '')} {front.get('description', '')} {heading} {item.context}"),
    )


@lru_cache(64)  # the entries of a section stand together, under the same headings
def _above(text: str) -> str:
    return " ".join(terms(text))


def _front(document: markdown.Document) -> dict[str, str]:
    """What the front matter says of every entry; `type` may stand in `metadata`, where newer harnesses keep it."""
    front = document.front
    if front is None:
        return {}
    kind = front.get("type") or front.get("metadata", "type")
    return {"name": front.get("name"), "description": front.get("description"), "type": kind if kind in TYPES else ""}


def place(source: Source) -> str:
    """The path of a source from the name of its root on: the same wherever a home or a project is moved to."""
    below = source.path.startswith(source.root + "/")
    return os.path.basename(source.root) + source.path[len(source.root) :] if below else source.path


def _log(source: Source) -> Read:
    found = Read()
    head: dict[str, Any] = {}
    turns: list[Doc] = []
    seen = False
    for record in jsonl.records(source.real):
        seen = seen or record.problem != jsonl.TORN
        if record.problem and record.problem != jsonl.TORN:  # a log in use ends like that
            found.problems.append((record.line, record.problem))
        if record.value is None:
            continue
        kind = record.value.get("type")
        if kind == "session" and not head:
            head = record.value
        elif kind in ("message", "summary"):
            turn = _turn(record, head)
            if turn:
                turns.append(turn)
    found.docs = list(_with_neighbours(turns))
    if turns:
        found.docs.append(_session(source, head, turns))
    elif not head and seen:
        found.problems = [(1, "unrecognised format: no session, message or summary in any line")]
    return found


def _turn(record: jsonl.Record, head: dict[str, Any]) -> Doc | None:
    value = record.value or {}
    whole = said(value)
    text = whole[:MAX_TEXT]
    if not text.strip():
        return None
    moment = _moment(value.get("time") or value.get("timestamp")) or _moment(head.get("started"))
    role, name = _word(value.get("role")) or "summary", _word(value.get("name"))
    return Doc(
        unit="turn",
        line=record.line,
        last=record.line,
        start=record.start,
        stop=record.end,
        eid=_word(value.get("id")) or f"L{record.line}",
        type="summary" if value["type"] == "summary" else "turn",
        text=text,
        born=_time(moment),
        touched=_time(moment),
        expires="",
        role=role,
        name=name,
        heading=_word(head.get("workflow")),
        words=" ".join((*terms(name), *terms(whole[:MAX_SEARCHED]))),
        context=" ".join(_date_terms(moment)),
    )


def said(value: dict[str, Any]) -> str:
    """The text of a message or summary record, whatever shape its content has; a NUL is a space."""
    keys = ("user_input", "key_outputs", "decisions_made", "errors_encountered")
    parts = map(value.get, keys) if value["type"] == "summary" else (value.get("content"),)
    return "\n".join(line for part in parts for line in _lines(part)).replace("\0", " ")


def _lines(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        yield from _lines(part.get("text"))
    elif isinstance(part, list):
        for inner in part:
            yield from _lines(inner)


def _with_neighbours(turns: list[Doc]) -> Iterator[Doc]:
    for at, turn in enumerate(turns):
        near = [turns[i] for i in (at - 1, at + 1) if 0 <= i < len(turns)]
        yield replace(turn, context=" ".join([turn.context, *(_cut(other.words) for other in near)]))


def _session(source: Source, head: dict[str, Any], turns: list[Doc]) -> Doc:
    first = next((turn for turn in turns if turn.role == "user"), turns[0])
    born = _time(_moment(head.get("started"))) or turns[0].born
    return replace(
        first,
        unit="session",
        line=1,
        last=turns[-1].last,
        start=0,
        stop=turns[-1].stop,
        eid=_word(head.get("id")) or os.path.basename(source.path),
        type="session",
        text=first.text[:TITLE],
        born=born,
        touched=turns[-1].touched,
        words=" ".join(turn.words for turn in turns),
        context=" ".join(_date_terms(_moment(born))),
    )


def _cut(words: str) -> str:
    return " ".join(words.split(" ", CONTEXT_TERMS)[:CONTEXT_TERMS])


def _date_terms(moment: datetime | None) -> Iterable[str]:
    """A date as questions name it, in English and Chinese."""
    if moment is None:
        return ()
    month, day, year = moment.month, moment.day, moment.year
    return (
        f"{year}",
        MONTHS[month - 1].lower(),
        f"{day}",
        f"{moment:%A}".lower(),
        f"{year}年",
        f"{month}月",
        f"{day}日",
    )


def _moment(value: object) -> datetime | None:
    return clock.parse(value) if isinstance(value, str) else None


def _time(moment: datetime | None) -> str:
    return clock.render(moment) if moment else ""


def _day(name: str) -> str:
    """The day that a daily note's file name begins with, as a time, or ""."""
    return _time(clock.parse(name[:10])) if name[:4].isdigit() and name[4:5] == "-" else ""


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""

"""The checks that read the sources themselves, whatever the catalog says of them."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from glob import escape, glob
from urllib.parse import unquote

from memcli.app.memory import Memory
from memcli.doctor.finding import Finding, edit
from memcli.doctor.heirs import Claim, broken
from memcli.entry import blank_code
from memcli.files import imports, jsonl, markdown
from memcli.files.sources import GUIDE, LOG, Source, reason
from memcli.index import documents
from memcli.limits import INDEX, measure
from memcli.search.listed import parts

_LINK = re.compile(r"\]\(<?([^()<>\s]+)>?(?:\s[^()]*)?\)")
_BARE = re.compile(rb"\r(?!\n)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[#/]")
# A record that is still being written, and the one problem that is no fault of the file.
_NORMAL = {jsonl.TORN}

Ids = dict[str, list[tuple[str, int]]]


def found(memory: Memory) -> Iterator[Finding]:
    """What is wrong in the files that are read here."""
    sources = memory.sources()
    for problem in sources.problems:
        path, _, what = problem.rpartition(": ")
        yield Finding("files", path, 0, what, f"ls -ld {shlex.quote(path)}")
    ids: Ids = {}
    claims: list[Claim] = []
    known = _archived(memory)
    for source in sources.files:
        try:
            yield from _log(source) if source.kind == LOG else _notes(memory, source, ids)
            known |= _entries(source, claims)
        except OSError as error:
            yield Finding("files", source.path, 0, reason(error), f"ls -ld {shlex.quote(source.path)}")
    yield from _twice(ids)
    yield from broken(claims, known)


def _log(source: Source) -> Iterator[Finding]:
    for record in jsonl.records(source.real):
        if record.problem and record.problem not in _NORMAL:
            yield Finding("logs", source.path, record.line, record.problem, edit(source.path, record.line))


def _entries(source: Source, claims: list[Claim]) -> set[str]:
    """The ids of a memory file's entries, also those that are made of their text; adds what they supersede."""
    if source.kind == LOG:
        return set()
    with open(source.real, "rb") as file:
        docs = documents.read(source, file.read()).docs
    claims += [Claim(source.path, doc.line, doc.eid, tuple(parts(doc.supersedes))) for doc in docs if doc.supersedes]
    return {doc.eid for doc in docs}


def _archived(memory: Memory) -> set[str]:
    """The ids of retired entries: to supersede one of them is no fault."""
    found: set[str] = set()
    for path in glob(os.path.join(escape(memory.home), "archive", "*.md")):
        with suppress(OSError), open(path, "rb") as file:
            found |= {item.meta.id for item in markdown.parse(file.read()).items if item.meta.id}
    return found


def _notes(memory: Memory, source: Source, ids: Ids) -> Iterator[Finding]:
    with open(source.real, "rb") as file:
        data = file.read()
    document = markdown.parse(data)
    yield from _ends(source, data)
    for problem in document.problems:
        yield Finding("markdown", source.path, problem.line, problem.what, edit(source.path, problem.line))
    for item in document.items:
        if item.meta.id:
            ids.setdefault(item.meta.id, []).append((source.path, item.line))
        for what in (*_links(source, item), *_sources(memory, item)):
            yield Finding("links", source.path, item.line, what, edit(source.path, item.line))
    if os.path.basename(source.path) == INDEX:
        yield from _cut(source, data, document)
    if source.kind == GUIDE:
        for refusal in imports.follow(source.real, roots=[*memory.roots(), os.path.dirname(source.real)]).problems:
            yield Finding("links", refusal.path, refusal.line, refusal.what, edit(refusal.path, refusal.line))


def _ends(source: Source, data: bytes) -> Iterator[Finding]:
    """Line ends of an old Mac: Markdown knows LF and CR LF, and such a file is one long line to it."""
    bare = _BARE.search(data)
    if bare and len(_BARE.findall(data)) > data.count(b"\n"):
        line, mend = data.count(b"\n", 0, bare.start()) + 1, r"perl -i.bak -pe 's/\r\n?/\n/g' "
        what = "line ends are bare CR: its entries are not seen"
        yield Finding("markdown", source.path, line, what, mend + shlex.quote(source.path))


def _links(source: Source, item: markdown.Item) -> Iterator[str]:
    """Links to files that are not there."""
    if item.kind == "code" or "](" not in item.text:
        return
    for target in _LINK.findall(blank_code(item.text)):
        path = unquote(target.partition("#")[0])
        if not _SCHEME.match(target) and not os.path.exists(os.path.join(os.path.dirname(source.real), path)):
            yield f"a link to {path}, which is not there"


def _sources(memory: Memory, item: markdown.Item) -> Iterator[str]:
    """Origins (`src`) that are not there."""
    for place in item.meta.src:
        path = place.rpartition(":")[0] or place
        if not os.path.exists(os.path.join(memory.home, path)):
            yield f"its source {path} is not there"


def _cut(source: Source, data: bytes, document: markdown.Document) -> Iterator[Finding]:
    measured = measure(data)
    lost = [item.line for item in document.items if measured and item.last >= measured[1]]
    if lost:
        what = f"Claude Code loads nothing from line {measured[1] if measured else 0} on: {len(lost)} entries are lost to it"
        yield Finding("limits", source.path, lost[0], what, edit(source.path, lost[0]))


def _twice(ids: Ids) -> Iterator[Finding]:
    for ident, places in ids.items():
        for path, line in places[1:]:
            first = f"{places[0][0]}:{places[0][1]}"
            yield Finding("ids", path, line, f"id {ident} is taken by {first}", edit(path, line))

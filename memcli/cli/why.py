"""`mem why`: where an entry comes from."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memcli.cli import output
from memcli.cli.logged import cells, record
from memcli.cli.options import Json

if TYPE_CHECKING:
    from memcli.app.why import Origin, Reason


def command(
    ref: Annotated[str, typer.Argument(metavar="REF", help="An id, its beginning, or path:line.")],
    as_json: Json = False,
) -> None:
    """Say where an entry comes from: its sources, what it replaced, who wrote it when."""
    from memcli.app.memory import Memory
    from memcli.app.why import Why
    from memcli.home import home
    from memcli.search.show import place_for, printable

    memory = Memory(home(os.environ), os.getcwd(), os.environ)
    why = Why(memory)
    found = why.of(ref)
    place = place_for(memory.home, memory.cwd, False)
    if as_json:
        output.rows([_record(found, place)], (), as_json=True)
    else:
        clean = printable if sys.stdout.isatty() else str
        output.raw(clean(line) for line in _lines(found, place))
    for said in why.notes:
        output.note(said)


def _lines(found: Reason, place: Callable[[str], str]) -> Iterator[str]:
    """The entry; then a paragraph each of sources, of what it replaced or was replaced by, and of operations."""
    yield _said(found.entry, place)
    for title, origins in (("learned from", found.sources), ("replaces", found.older), ("replaced by", found.newer)):
        if origins:
            yield from ("", f"{title}:", *(f"  {_said(one, place)}" for one in origins))
    if found.operations:
        yield from ("", "written:")
        for one in found.operations:
            row = cells(one, place)
            yield "  " + "  ".join(row[name] for name in ("time", "id", "verb", "actor", "state"))
    if not found.sources:
        yield from ("", "learned from: a person, or nothing is noted")


def _said(one: Origin, place: Callable[[str], str]) -> str:
    where = f"{place(one.path)}:{one.line}" if one.line else place(one.path)
    return " ".join(part for part in (one.entry, where, f"({one.note})" if one.note else "", _flat(one.text)) if part)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _record(found: Reason, place: Callable[[str], str]) -> dict[str, Any]:
    def origin(one: Origin) -> dict[str, Any]:
        return {"id": one.entry, "path": place(one.path), "line": one.line, "text": one.text, "note": one.note}

    return {
        **origin(found.entry), "sources": list(map(origin, found.sources)), "replaces": list(map(origin, found.older)),
        "replaced_by": list(map(origin, found.newer)),
        "operations": [record(one, place) for one in found.operations],
    }  # fmt: skip

"""`mem show`: what is known about an entry, then the entry as its file has it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memcli.cli import output
from memcli.cli.options import Json
from memcli.errors import MemError

if TYPE_CHECKING:
    from memcli.app.memory import Memory
    from memcli.show import Shown

PARTLY = 3


def command(
    refs: Annotated[list[str], typer.Argument(metavar="REF...", help="An id, its beginning, or path:line.")],
    as_json: Json = False,
) -> None:
    """Print entries whole, as they stand in their files."""
    from memcli import show
    from memcli.app.memory import Memory
    from memcli.home import home

    memory = Memory(home(os.environ), os.getcwd(), os.environ)
    failed: list[MemError] = []
    done = 0
    for ref in refs:
        try:
            found = show.shown(memory, ref)
        except MemError as error:
            failed.append(error)
            continue
        _print(memory, found, as_json, first=not done)
        done += 1
    for said in [*memory.notes, *memory.report.failed]:
        output.note(said)
    for failure in failed:
        output.fail(str(failure), hint=failure.hint)
    if failed:
        raise typer.Exit(PARTLY if done else failed[0].exit_code)


def _print(memory: Memory, found: Shown, as_json: bool, *, first: bool) -> None:
    from memcli.search.show import place_for, printable

    place = place_for(memory.home, memory.cwd, False)(found.found.path)
    if as_json:
        output.rows([_record(found, place)], (), as_json=True)
        return
    clean = printable if output.terminal() else str
    blank = [] if first else [""]
    output.raw([*blank, *_head(found, place), ""])
    if found.turns:
        output.raw(clean(line) for line in _spoken(found))
    else:
        output.text(clean(found.raw))


def _head(found: Shown, place: str) -> Iterator[str]:
    """One line a fact that is known, `name: value`."""
    from memcli.search.show import printable

    doc = found.found.doc
    last = f"-{doc.last}" if doc.last != doc.line else ""
    facts = {
        "path": f"{place}:{doc.line}{last}", "id": doc.eid, "type": doc.type, "tags": doc.tags.replace(",", ", "),
        "confidence": f"{doc.conf:g}" if doc.unit == "entry" else "",
        "created": doc.born, "updated": doc.touched if doc.touched != doc.born else "",
        "expires": doc.expires, "heading": doc.heading, "supersedes": doc.supersedes.replace(",", ", "),
        "superseded by": ", ".join(found.heirs), "state": found.ended,
    }  # fmt: skip
    for name, value in facts.items():
        if value:
            yield f"{name}: {printable(' '.join(value.split()))}"


def _spoken(found: Shown) -> Iterator[str]:
    """The turns, the one that was asked for marked with `>`."""
    for turn in found.turns:
        yield f"{'>' if turn.asked else ' '} {turn.line} {turn.role} {turn.time}".rstrip()
        yield from ("    " + line for line in turn.text.split("\n"))


def _record(found: Shown, place: str) -> dict[str, Any]:
    doc = found.found.doc
    record = found.found.record(place) | {
        "last": doc.last, "supersedes": doc.supersedes.split(",") if doc.supersedes else [],
        "superseded_by": list(found.heirs), "state": found.ended or "living", "raw": found.raw,
    }  # fmt: skip
    return record | ({"turns": [asdict(turn) for turn in found.turns]} if found.turns else {})

"""`mem list`: entries in the order of their files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memcli.cli import output
from memcli.cli.options import Json, Kinds, Moment, Nul, Scopes, Source, Tags, split
from memcli.errors import Usage

if TYPE_CHECKING:
    from memcli.search.listed import Listed

NONE, PARTLY = 1, 3
COLUMNS = ("id", "type", "where", "text")
WIDEST = 300  # characters of a text in a column; --json has all of it


def command(
    source: Source = "",
    kinds: Kinds = None,
    tags: Tags = None,
    scopes: Scopes = None,
    since: Moment = "",
    until: Moment = "",
    min_conf: Annotated[float, typer.Option(help="The least confidence, 0 to 1.", show_default=False)] = 0.0,
    expired: Annotated[bool, typer.Option("--expired", help="Only what expired or was superseded.")] = False,
    every: Annotated[bool, typer.Option("--all", help="Living, expired and superseded.")] = False,
    nul: Nul = False,
    as_json: Json = False,
) -> None:
    """List entries in the order of their files."""
    from memcli import list as listing
    from memcli.app.memory import Memory
    from memcli.home import home
    from memcli.search import ask, show

    if expired and every:
        raise Usage("--expired and --all exclude each other", hint="mem list --all")
    if nul and as_json:
        raise Usage("-0 and --json exclude each other", hint="mem list --json")
    options = ask.Options(
        limit=1, mode="words", source=source or "memory", types=split(kinds), tags=split(tags), scopes=split(scopes),
        since=since, until=until, conf=min_conf,
    )  # fmt: skip
    memory = Memory(home(os.environ), os.getcwd(), os.environ)
    state = listing.ALL if every else listing.EXPIRED if expired else listing.LIVING
    found = listing.listed(memory, options.query(""), state)
    if nul:
        count = output.rows(({"path": path} for path in _paths(found)), (), nul=True)
    else:
        place = show.place_for(memory.home, memory.cwd, False)
        records = (one.record(place(one.path)) for one in found)
        shown = records if as_json else _cells(records)
        count = output.rows(shown, COLUMNS, as_json=as_json)
    for said in [*memory.notes, *memory.report.failed]:
        output.note(said)
    if not count:
        output.note("nothing found")
    if memory.report.failed or not count:
        raise typer.Exit(PARTLY if memory.report.failed else NONE)


def _paths(found: Iterable[Listed]) -> Iterator[str]:
    """Each file once."""
    before = ""
    for one in found:
        if one.path != before:
            yield one.path
        before = one.path


def _cells(records: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    from memcli.search.show import excerpt

    for record in records:
        where = f"{record['path']}:{record['line']}"
        yield {"id": record["id"], "type": record["type"], "where": where, "text": excerpt(record["text"], "", WIDEST)}

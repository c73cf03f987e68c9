"""`mem undo`: an operation taken back."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from memcli.cli import output, written
from memcli.cli.logged import cells, record
from memcli.cli.options import Json, Wait

COLUMNS = ("id", "summary")


def command(
    op_id: Annotated[
        str,
        typer.Argument(metavar="[ID]", help="An operation of `mem log`; the last one without it.", show_default=False),
    ] = "",
    wait_s: Wait = 10.0,
    as_json: Json = False,
) -> None:
    """Take back the last operation, or the one named; this can be undone too."""
    from memcli.search.show import place_for

    keeper = written.keeper(wait_s)
    done = keeper.undo(op_id or None)
    place = place_for(keeper.home, os.getcwd(), False)
    output.rows([record(done, place) if as_json else cells(done, place)], COLUMNS, as_json=as_json)
    for said in done.notes:
        output.note(said)
    output.note(f"to have it again: mem undo {done.id}")

"""`mem log`: what was written, by whom and when, the last first."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from memcli.cli import output
from memcli.cli.logged import cells, record
from memcli.cli.options import Json

NONE = 1
COLUMNS = ("time", "id", "verb", "actor", "state", "summary")


def command(
    limit: Annotated[
        int | None, typer.Option("-n", "--limit", min=1, help="Operations at most.", show_default=False)
    ] = None,
    entry: Annotated[str, typer.Option(metavar="ID", help="Only what touched this entry.", show_default=False)] = "",
    as_json: Json = False,
) -> None:
    """List what was written, the last first; edits by hand too."""
    from memcli.app.trace import Trace
    from memcli.home import home
    from memcli.search.show import place_for

    trace = Trace(home(os.environ), os.getcwd(), os.environ)
    found = trace.log(limit, entry)
    place = place_for(trace.home, trace.cwd, False)
    count = output.rows(
        (record(one, place) if as_json else cells(one, place) for one in found), COLUMNS, as_json=as_json
    )
    for said in trace.notes:
        output.note(said)
    if not count:
        output.note("nothing has been written yet" if not entry else f"nothing touched {entry}")
        raise typer.Exit(NONE)

"""`mem bench`: recall, rank and latency on questions whose answers are known."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from memcli.cli import output
from memcli.cli.options import Json

PARTLY = 3


def command(
    folder: Annotated[str, typer.Argument(metavar="DIR", help="A folder with queries.jsonl and corpora/.")],
    limit: Annotated[
        int | None,
        typer.Option("-k", "--limit", help="Hits a query; default: meta.json's k, or 50.", show_default=False),
    ] = None,
    mode: Annotated[str, typer.Option(help="hybrid, words or vectors.", show_default=False)] = "",
    as_json: Json = False,
) -> None:
    """Measure recall and latency on questions with known answers."""
    from memcli import config
    from memcli.bench import fixture as fixtures
    from memcli.bench import report, run
    from memcli.home import home
    from memcli.search.ask import Options

    settings = config.load(home(os.environ))
    fixture = fixtures.load(folder)
    asked = Options(limit=fixture.depth if limit is None else limit, mode=mode or settings.search.mode)
    outcome = run.run(fixture, settings, os.environ, mode=asked.mode, depth=asked.limit, progress=output.progress)
    output.rows(list(report.rows(outcome)), report.COLUMNS, as_json=as_json)
    for said in [*outcome.notes, *fixture.problems, *outcome.failed]:
        output.note(said)
    if fixture.problems or outcome.failed:
        raise typer.Exit(PARTLY)

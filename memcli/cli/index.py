"""`mem index`: words first, then vectors."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from memcli.cli import output
from memcli.cli.options import Json

PARTLY = 3


def command(
    paths: Annotated[
        list[str] | None, typer.Argument(help="Files and folders to search from now on as well.", show_default=False)
    ] = None,
    words: Annotated[bool, typer.Option("--words", help="Words only; leave the vectors for later.")] = False,
    as_json: Json = False,
) -> None:
    """Bring the index up to date: words first, then vectors, newest first."""
    from memcli.app.memory import Memory
    from memcli.home import home

    memory = Memory(home(os.environ), os.getcwd(), os.environ)
    added = memory.index(paths or [], words=words, progress=output.progress)
    for said in [*memory.notes, *memory.report.notes]:
        output.note(said)
    report = memory.report
    record = {
        "files": report.files,
        "changed": report.changed,
        "gone": report.gone,
        "entries": report.docs,
        "vectors": added,
    }
    output.rows([record], tuple(record), as_json=as_json)
    if report.failed:
        raise typer.Exit(PARTLY)

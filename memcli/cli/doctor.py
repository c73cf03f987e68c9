"""`mem doctor`: one line a finding, with the command that mends it."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli import output
from memcli.cli.options import Json

if TYPE_CHECKING:
    from memcli.doctor import Finding

FINDINGS, DAMAGED = 1, 6
COLUMNS = ("check", "where", "what", "repair")


def command(
    deep: Annotated[bool, typer.Option("--deep", help="Also compare the index with one that is made anew.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Make the cache anew first. No file of yours is touched.")] = False,
    as_json: Json = False,
) -> None:
    """Check the home, the index and every file; name the repair."""
    from memcli import doctor
    from memcli.app.memory import Memory
    from memcli.home import home

    memory = Memory(home(os.environ), os.getcwd(), os.environ)
    if fix:
        before = memory.again()
        doctor.rebuild(before, output.progress)
        for said in before.notes:
            output.note(said)
        if before.kept:
            output.note("the cache has been made anew")
    found = list(doctor.examine(memory, deep=deep))
    if as_json:
        output.rows(map(asdict, found), (), as_json=True)
    else:
        output.rows(({**asdict(one), "where": _where(one)} for one in found), COLUMNS)
    if not found:
        output.note("all is well")
        return
    output.note("1 finding" if len(found) == 1 else f"{len(found)} findings")
    raise typer.Exit(DAMAGED if any(one.damaged for one in found) else FINDINGS)


def _where(finding: Finding) -> str:
    return f"{finding.path}:{finding.line}" if finding.line else finding.path

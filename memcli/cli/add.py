"""`mem add`: a new entry, under the right heading of the right file."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli import adding, output, written
from memcli.cli.options import Dry, Json, Orders, Redact, Wait, split


def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT...", help="The text; stdin without it, or with -.", show_default=False),
    ] = None,
    kind: Annotated[
        str, typer.Option("--type", help="user, feedback, project, reference, lesson or decision.", show_default=False)
    ] = "",
    tags: Annotated[
        list[str] | None, typer.Option("--tag", help="Tags, repeated or joined.", show_default=False)
    ] = None,
    conf: Annotated[float, typer.Option("--confidence", help="How sure, 0 to 1.")] = 1.0,
    expires: Annotated[str, typer.Option(help="A day, a time, or 90d.", show_default=False)] = "",
    supersedes: Annotated[
        list[str] | None, typer.Option(help="The entry that this one replaces.", metavar="REF", show_default=False)
    ] = None,
    src: Annotated[list[str] | None, typer.Option(help="Where it was learned, path:line.", show_default=False)] = None,
    to: Annotated[str, typer.Option(metavar="FILE", help="The Markdown file it goes to.", show_default=False)] = "",
    section: Annotated[str, typer.Option(help="The heading it goes under, made if missing.", show_default=False)] = "",
    scope: Annotated[str, typer.Option(help="user or project: whose MEMORY.md.")] = "user",
    if_worth: Annotated[bool, typer.Option("--if-worth", help="Only what `mem judge` finds worth it.")] = False,
    redact: Redact = False,
    allow_instructions: Orders = False,
    dry: Dry = False,
    wait_s: Wait = 10.0,
    as_json: Json = False,
) -> None:
    """Keep a new entry, unless it is there already; print its id."""
    asked = adding.Asked(
        text=written.given(words or []), kind=kind, tags=split(tags), conf=conf, expires=expires,
        supersedes=split(supersedes), src=split(src), to=to, section=output.typed(section), scope=scope,
        if_worth=if_worth, redact=redact, allow_instructions=allow_instructions, dry=dry, wait_s=wait_s, as_json=as_json,
    )  # fmt: skip
    code = adding.add(asked)
    if code:
        raise typer.Exit(code)

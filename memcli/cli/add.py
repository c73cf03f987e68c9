"""`mem add`: a new entry, under the right heading of the right file."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from memcli.cli import output, written
from memcli.cli.options import Dry, Json, Orders, Redact, Wait, split
from memcli.errors import Usage

NOT_WORTH = 1


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
    from memcli import clock
    from memcli.store.draft import Draft
    from memcli.store.expiry import expiry

    text = written.given(words or [])
    if not text.strip():
        raise Usage("no text was given", hint="mem add TEXT")
    if if_worth and not _worth(text):
        raise typer.Exit(NOT_WORTH)
    draft = Draft(
        text, type=kind or None, tags=split(tags), conf=conf, supersedes=split(supersedes), src=split(src),
        expires=expiry(expires, clock.now(os.environ)) if expires else None,
        section=output.typed(section) if section else None,
    )  # fmt: skip
    kept = written.keeper(wait_s, dry=dry).add(
        draft, to=to, scope=scope, redact=redact, allow_instructions=allow_instructions
    )
    written.tell(kept, as_json=as_json)


def _worth(text: str) -> bool:
    """Whether the write gate lets it in; says why."""
    from memcli.remember.judge import judge

    verdict = judge(text)
    told = "; ".join(f"{one.name}: {one.words}" for one in verdict.signals) or "no signal"
    output.note(f"{'worth keeping' if verdict.worth else 'not kept'} ({verdict.score:.2f}): {told}")
    return verdict.worth

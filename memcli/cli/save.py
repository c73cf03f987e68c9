"""`mem save`: the five things that are worth keeping, each in its own form."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli import output, written
from memcli.cli.options import Dry, Json, Redact, Wait, split
from memcli.errors import Usage

if TYPE_CHECKING:
    from memcli.store.draft import Draft

FORMS = {
    "profile": "KEY VALUE",
    "feedback": "ACTION --approved (or --rejected) [--reason WHY]",
    "project": "KEY VALUE",
    "reference": "CATEGORY CONTENT [--tag TAG]",
    "lesson": "TEXT [--confidence C]",
}


def command(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="profile, feedback, project, reference or lesson.")],
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="KEY VALUE; of feedback and lessons the text.")],
    approved: Annotated[
        bool | None, typer.Option("--approved/--rejected", help="What the user said of the action.", show_default=False)
    ] = None,
    reason: Annotated[str, typer.Option(help="Why, of feedback.", show_default=False)] = "",
    tags: Annotated[list[str] | None, typer.Option("--tag", help="Tags of a reference.", show_default=False)] = None,
    conf: Annotated[float, typer.Option("--confidence", help="How sure a lesson is, 0 to 1.")] = 1.0,
    scope: Annotated[str, typer.Option(help="user or project; project for project.", show_default=False)] = "",
    redact: Redact = False,
    dry: Dry = False,
    wait_s: Wait = 10.0,
    as_json: Json = False,
) -> None:
    """Keep a profile, feedback, project, reference or lesson entry; a known key gets the value."""
    if what not in FORMS:
        raise Usage(f"nothing is saved as {what!r}", hint=f"mem save {' | '.join(FORMS)}")
    said = [output.typed(word) for word in words]
    keeper = written.keeper(wait_s, dry=dry)
    scope = scope or ("project" if what == "project" else "user")
    draft, value = _draft(what, said, approved, output.typed(reason), split(tags), conf)
    add, save = partial(keeper.add, draft), partial(keeper.save, draft, value)
    written.tell((save if value else add)(scope=scope, redact=redact), as_json=as_json)


def _draft(
    what: str, words: list[str], approved: bool | None, reason: str, tags: tuple[str, ...], conf: float
) -> tuple[Draft, str]:
    """The draft, and of one with a key its value."""
    from memcli.store import writers

    key, value, text = words[0], " ".join(words[1:]), " ".join(words)
    if (what in ("profile", "project", "reference") and not value) or (what == "feedback" and approved is None):
        raise Usage(f"mem save {what} takes {FORMS[what]}", hint=f"mem save {what} {FORMS[what]}")
    if what == "feedback":
        return writers.feedback(text, bool(approved), reason), ""
    if what == "lesson":
        return writers.lesson(text, conf), ""
    if what == "reference":
        return writers.reference(key, value, tags), ""
    return (writers.user_profile(key, value) if what == "profile" else writers.project_update({key: value})[0]), value

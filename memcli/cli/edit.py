"""`mem edit`: one entry changed in place."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from memcli.cli import output, written
from memcli.cli.options import Dry, Json, Orders, Redact, Wait, split
from memcli.errors import Usage

if TYPE_CHECKING:
    from memcli.store.change import Expiry

NEVER = "never"


def command(
    ref: Annotated[str, typer.Argument(metavar="REF", help="An id, its beginning, or path:line.")],
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[TEXT]...", help="The new text; - for stdin.", show_default=False)
    ] = None,
    value: Annotated[
        str | None, typer.Option(help="Of `key: value`, the new value.", metavar="TEXT", show_default=False)
    ] = None,
    kind: Annotated[str, typer.Option("--type", help="Its type.", show_default=False)] = "",
    tags: Annotated[
        list[str] | None, typer.Option("--tag", help="All its tags; --tag '' for none.", show_default=False)
    ] = None,
    conf: Annotated[float | None, typer.Option("--confidence", help="How sure, 0 to 1.", show_default=False)] = None,
    expires: Annotated[str, typer.Option(help="A day, a time, 90d, or never.", show_default=False)] = "",
    src: Annotated[list[str] | None, typer.Option(help="Where it was learned, path:line.", show_default=False)] = None,
    redact: Redact = False,
    allow_instructions: Orders = False,
    dry: Dry = False,
    wait_s: Wait = 10.0,
    as_json: Json = False,
) -> None:
    """Change the text of an entry, or what is known about it."""
    text = written.given(words) if words else None
    if (text, value, kind, tags, conf, expires, src) == (None, None, "", None, None, "", None):
        raise Usage("nothing was given that is to change", hint="mem edit REF TEXT")
    if text is not None and value is not None:
        raise Usage("TEXT and --value exclude each other", hint="mem edit REF TEXT")
    kept = written.keeper(wait_s, dry=dry).edit(
        ref, text=text, value=output.typed(value) if value is not None else None, type=kind or None, conf=conf,
        tags=split(tags) if tags is not None else None, src=split(src) if src is not None else None,
        expires=_expiry(expires), redact=redact, allow_instructions=allow_instructions,
    )  # fmt: skip
    written.tell(kept, as_json=as_json)


def _expiry(text: str) -> Expiry:
    from memcli import clock
    from memcli.store.expiry import expiry

    if text == NEVER:
        return "never"
    return expiry(text, clock.now(os.environ)) if text else None

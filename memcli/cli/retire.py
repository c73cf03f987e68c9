"""`mem retire`: an entry moved to the archive."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli import output, written
from memcli.cli.options import Dry, Json, Wait


def command(
    ref: Annotated[str, typer.Argument(metavar="REF", help="An id, its beginning, or path:line.")],
    reason: Annotated[str, typer.Option(help="Why, for the archive.", show_default=False)] = "",
    dry: Dry = False,
    wait_s: Wait = 10.0,
    as_json: Json = False,
) -> None:
    """Move an entry to the archive; searches no longer find it."""
    kept = written.keeper(wait_s, dry=dry).retire(ref, output.typed(reason))
    written.tell(kept, as_json=as_json)
    if kept.operation:
        output.note(f"to have it back: mem restore {kept.entry_id}")

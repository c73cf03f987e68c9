"""`mem restore`: a retired entry back in its file."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli import written
from memcli.cli.options import Dry, Json, Wait


def command(
    ref: Annotated[str, typer.Argument(metavar="REF", help="The id of a retired entry, or its beginning.")],
    dry: Dry = False,
    wait_s: Wait = 10.0,
    as_json: Json = False,
) -> None:
    """Bring a retired entry back to the file and the heading it was under."""
    written.tell(written.keeper(wait_s, dry=dry).restore(ref), as_json=as_json)

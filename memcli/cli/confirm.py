"""`mem confirm`: an entry that still holds."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli import written
from memcli.cli.options import Dry, Json, Wait


def command(
    ref: Annotated[str, typer.Argument(metavar="REF", help="An id, its beginning, or path:line.")],
    dry: Dry = False,
    wait_s: Wait = 10.0,
    as_json: Json = False,
) -> None:
    """Note that an entry still holds: it is newer and surer from then on."""
    written.tell(written.keeper(wait_s, dry=dry).confirm(ref), as_json=as_json)

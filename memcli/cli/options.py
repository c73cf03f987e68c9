"""The options that several verbs share, so that a name means the same everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="JSON Lines instead of columns.")]
Nul = Annotated[bool, typer.Option("-0", "--null", help="Only paths, each ended by NUL.")]

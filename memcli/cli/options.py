"""The options that several verbs share, so that a name means the same everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.written import split

__all__ = ["Dry", "Json", "Kinds", "Moment", "Nul", "Orders", "Redact", "Scopes", "Source", "Tags", "Wait", "split"]

Json = Annotated[bool, typer.Option("--json", help="JSON Lines instead of columns.")]
Nul = Annotated[bool, typer.Option("-0", "--null", help="Only paths, each ended by NUL.")]
Source = Annotated[str, typer.Option(help="memory or sessions.", show_default=False)]
Kinds = Annotated[list[str] | None, typer.Option("--type", show_default=False, help="Only entries of these types.")]
Tags = Annotated[
    list[str] | None, typer.Option("--tag", show_default=False, help="Only entries with all of these tags.")
]
Scopes = Annotated[list[str] | None, typer.Option("--scope", show_default=False, help="user or project.")]
Moment = Annotated[str, typer.Option(show_default=False, help="A day or a time, RFC 3339.")]

Dry = Annotated[bool, typer.Option("--dry-run", help="Print the difference; write nothing.")]
Wait = Annotated[float, typer.Option("--wait", help="Seconds to wait for another writer.", show_default=False)]
Redact = Annotated[bool, typer.Option("--redact", help="Mask secrets and show hidden characters, and keep the rest.")]
Orders = Annotated[
    bool, typer.Option("--allow-instructions", help="Keep text that gives orders to a model, with a tag.")
]

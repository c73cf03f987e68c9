"""The options that several verbs share, so that a name means the same everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli.written import split

__all__ = ["Dry", "Json", "Kinds", "Moment", "Nul", "Orders", "Redact", "Scopes", "Source", "Tags", "Wait", "split"]


def filled(ctx: typer.Context, param: typer.CallbackParam, value: str | list[str] | None) -> str | list[str] | None:
    """`value`, which must say something when the option is given: an empty variable of a script is no "anything goes"."""
    given = ctx.get_parameter_source(param.name or "")
    if (
        given is not None
        and given.name == "COMMANDLINE"
        and not all(map(_said, [value] if isinstance(value, str) else value or []))
    ):
        raise typer.BadParameter("it is empty", ctx, param)
    return value


def _said(value: str) -> bool:
    return bool(value.replace(",", " ").strip())


Json = Annotated[bool, typer.Option("--json", help="JSON Lines instead of columns.")]
Nul = Annotated[bool, typer.Option("-0", "--null", help="Only paths, each ended by NUL.")]
Source = Annotated[str, typer.Option(callback=filled, help="memory or sessions.", show_default=False)]
Kinds = Annotated[
    list[str] | None, typer.Option("--type", callback=filled, show_default=False, help="Only entries of these types.")
]
Tags = Annotated[
    list[str] | None,
    typer.Option("--tag", callback=filled, show_default=False, help="Only entries with all of these tags."),
]
Scopes = Annotated[
    list[str] | None, typer.Option("--scope", callback=filled, show_default=False, help="user or project.")
]
Moment = Annotated[str, typer.Option(callback=filled, show_default=False, help="A day or a time, RFC 3339.")]

Dry = Annotated[bool, typer.Option("--dry-run", help="Print the difference; write nothing.")]
Wait = Annotated[float, typer.Option("--wait", help="Seconds to wait for another writer.", show_default=False)]
Redact = Annotated[bool, typer.Option("--redact", help="Mask secrets and show hidden characters, and keep the rest.")]
Orders = Annotated[
    bool, typer.Option("--allow-instructions", help="Keep text that gives orders to a model, with a tag.")
]

"""`mem config`: print the settings, or set one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memcli.cli import output
from memcli.cli.options import Json
from memcli.errors import Usage
from memcli.home import project_root

if TYPE_CHECKING:
    from memcli.config import Config, Value

DEFAULT = "default"
SETTINGS = {"ignore_unknown_options": True}  # -5 is a value, and the key says whether it takes one


def command(
    key: Annotated[str, typer.Argument(help="For example search.k.", show_default=False)] = "",
    value: Annotated[str | None, typer.Argument(help="Its new value.", show_default=False)] = None,
    as_json: Json = False,
) -> None:
    """Print the settings and where each comes from, or set one."""
    from memcli import config

    for word in (key, value or ""):
        _no_option(word)
    place, key = config.home(os.environ), output.typed(key)
    if value is not None:
        _set(place, key, output.typed(value))
        return
    if key:
        config.declared(key)
    loaded = config.load(place, project_root(os.getcwd()))
    for said in loaded.notes:
        output.note(said)
    if key and not as_json:
        output.text(_plain(loaded.get(key)))
        output.note(f"{key} comes from {loaded.origins[key]}" if key in loaded.origins else f"{key} has its default")
        return
    names = [key] if key else list(config.KEYS)
    output.rows((_record(loaded, name) for name in names), ("key", "value", "where"), as_json=as_json)


def _no_option(word: str) -> None:
    if word.startswith("-"):
        try:
            float(word)
        except ValueError:
            raise Usage(f"no such option: {word}", hint="mem config --help") from None


def _set(place: str, key: str, value: str) -> None:
    from memcli import config

    wanted = config.chosen(key, value, "the command line")
    if not os.path.isdir(place):
        raise Usage(f"there is no home at {place}", hint="mem init")
    path = os.path.join(place, config.FILE)
    former = config.set_key(path, key, wanted)
    output.note(f"{path} says {key} = {wanted!r} now" + ("" if former is None else f", before: {former!r}"))


def _record(loaded: Config, name: str) -> dict[str, Any]:
    return {"key": name, "value": loaded.get(name), "where": loaded.origins.get(name, DEFAULT)}


def _plain(value: Value) -> str:
    """One line an item, as a shell reads it."""
    return "\n".join(value) if isinstance(value, list) else str(value)

"""Reads the settings. A mistake of the user's own stops the command; one in a project's file is ignored and named.

A project's `.mem.toml` is somebody else's text. It may set the harmless keys and nothing else: not where the home is,
not what runs, not where text is sent, not what is read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from datetime import date, time
from typing import Any

from memcli.config.keys import KEYS, Config, Value, build, declared, nearest
from memcli.errors import MemError, Unreadable
from memcli.home import expand, unset

FILE = "config.toml"
PROJECT_FILE = ".mem.toml"
SHOWN = 60  # characters of a refused value
LARGEST = 65_536  # bytes: a full default file has about 1,000, and a clone may bring anything


def load(home: str, project_root: str | None = None, *, environ: Mapping[str, str] = os.environ) -> Config:
    """The settings that hold in `home`, and in the project at `project_root` when there is one.

    Later wins: the defaults, config.toml, the project's `.mem.toml`, the environment.

    Raises:
        Unreadable: config.toml is there but cannot be read, or is not TOML.
        MemError: config.toml or the environment gives a key a value that it does not accept.
    """
    values: dict[str, Value] = {}
    origins: dict[str, str] = {}
    notes: list[str] = []
    own = os.path.join(home, FILE)
    for name, value in _known(own, notes):
        values[name], origins[name] = checked(name, value, own), own
    if project_root is not None:
        _overlay(os.path.join(project_root, PROJECT_FILE), values, origins, notes)
    for name, key in KEYS.items():
        if key.env and (said := environ.get(key.env)):
            values[name], origins[name] = parse(name, said, key.env), key.env
    if "index.sources" in values:
        values["index.sources"] = [_absolute(item, home, environ) for item in _items(values["index.sources"])]
    return build(values, origins, notes)


def parse(name: str, text: str, where: str) -> Value:
    """The value of the key `name` that a person typed as `text`; a list is written as in TOML, or is its one item.

    Args:
        where: the file or variable that an error message names.

    Raises:
        Usage: there is no such key.
        MemError: the key does not accept that, or no file can hold it (a path whose bytes are no UTF-8).
    """
    default = declared(name).default
    if not _storable(text):
        raise MemError(f"{where}: {name} must be UTF-8 text, not {told(text)}", hint=f"mem config {name}")
    value: object = text
    try:
        if isinstance(default, list):
            value = decode(f"v = {text}".encode(), where)["v"] if text.lstrip().startswith("[") else [text]
        elif not isinstance(default, str):
            value = type(default)(text)
    except ValueError:
        value = text  # the wrong type: the check below says what is wanted
    return checked(name, value, where)


def chosen(name: str, text: str, where: str) -> Value:
    """What `parse` gives, when it is also something that a person may choose now: an encoder that exists."""
    value = parse(name, text, where)
    if not declared(name).chosen(value):
        raise _refused(name, value, where)
    return value


def checked(name: str, value: object, where: str) -> Value:
    """`value` in the type of the key `name`.

    Raises:
        MemError: the key does not accept it; the message names `where`, the key and what is allowed.
    """
    key = declared(name)
    if isinstance(key.default, float) and type(value) is int:
        value = float(value)
    if type(value) is not type(key.default) or not key.fits(value):
        raise _refused(name, value, where)
    return value


def _refused(name: str, value: object, where: str) -> MemError:
    key = declared(name)
    return MemError(
        f"{where}: {name} must be {key.allowed}, not {told(value)}", hint=f"mem config {name} {_sample(key.default)}"
    )


def decode(data: bytes, where: str) -> dict[str, Any]:
    """The TOML document in `data`; a byte order mark is skipped.

    Raises:
        Unreadable: it is not TOML; the message names `where` and the line.
    """
    if unset(data):
        return {}
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError, OverflowError) as error:
        raise Unreadable(f"{where} is not TOML: {plain(error)}") from None


def plain(error: Exception) -> str:
    """What a parser says, in the words of a person who knows the file and not Python."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start + 1} is no UTF-8"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    # TOMLDecodeError names the line; any other ValueError is Python's, of an integer past its limit of 4,300 digits.
    return str(error) if type(error) is not ValueError else "a number in it is too long"


def told(value: object) -> str:
    """`value` as an error message shows it: as a config file has it, and short."""
    if isinstance(value, bool):
        said = str(value).lower()
    elif isinstance(value, dict):
        said = "a table"
    else:
        said = str(value) if isinstance(value, (date, time)) else repr(value)
    return said if len(said) <= SHOWN else said[:SHOWN] + "…"


def read(path: str) -> bytes:
    """The bytes of a config file; none when there is no file.

    Raises:
        Unreadable: it cannot be read, is not a plain file, or is larger than any config can be.
    """
    try:
        # A clone can bring a link to a terminal or a pipe, and opening one would wait for ever.
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise Unreadable(f"{path} is not a file")
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return b""
    except OSError as error:
        raise Unreadable(f"cannot read {path}: {error.strerror}") from None
    if len(data) > LARGEST:
        raise Unreadable(f"{path} is larger than {LARGEST} bytes")
    return data


def _storable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _known(path: str, notes: list[str]) -> Iterator[tuple[str, object]]:
    for name, value in _flat(decode(read(path), path)):
        if name in KEYS:
            yield name, value
        else:
            notes.append(f"{path}: unknown key {name}{nearest(name)}")


def _flat(document: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for section, table in document.items():
        if isinstance(table, dict):
            yield from ((f"{section}.{leaf}", value) for leaf, value in table.items())
        else:
            yield section, table


def _overlay(path: str, values: dict[str, Value], origins: dict[str, str], notes: list[str]) -> None:
    try:
        found = list(_known(path, notes))
    except MemError as error:
        notes.append(f"{error}; ignored")
        return
    for name, value in found:
        if not KEYS[name].harmless:
            notes.append(f"{path}: a project may not set {name}; ignored")
            continue
        try:
            values[name], origins[name] = checked(name, value, path), path
        except MemError as error:
            notes.append(f"{error}; ignored")


def _items(value: Value) -> list[str]:
    return value if isinstance(value, list) else []


def _absolute(path: str, folder: str, environ: Mapping[str, str]) -> str:
    return os.path.normpath(os.path.join(folder, expand(path, environ)))


def _sample(default: Value) -> str:
    return '"[...]"' if isinstance(default, list) else str(default) or '""'

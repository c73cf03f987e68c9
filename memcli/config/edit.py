"""Changes one key of `config.toml` and keeps every other byte: comments, order and line ends are the user's."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import MutableMapping

from memcli.config.keys import KEYS, SECTIONS, Value
from memcli.config.load import FILE, decode, plain, read
from memcli.errors import MemError, StaleWrite, Unreadable

BOM = b"\xef\xbb\xbf"


def template() -> bytes:
    """A new config.toml: every key with its meaning and its default, commented out."""
    lines = ["# Settings of mem. A line without its # wins over the default shown.\n"]
    for section in SECTIONS:
        lines.append(f"\n[{section}]\n")
        for name, key in KEYS.items():
            if name.startswith(section + "."):
                lines.append(f"# {key.about}\n# {name.partition('.')[2]} = {_toml(key.default)}\n")
    return "".join(lines).encode("utf-8")


def edit(data: bytes, name: str, value: Value, where: str = FILE) -> bytes:
    """`data`, a config file, with the key `name` set to `value`; `where` is its name in an error message.

    Raises:
        Unreadable: `data` is not TOML, or has something else where the key's table belongs.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    section, _, leaf = name.partition(".")
    body = data.removeprefix(BOM)
    try:
        document = tomlkit.parse(body.decode("utf-8"))
        table = document.setdefault(section, tomlkit.table())
        if not isinstance(table, MutableMapping):
            raise Unreadable(
                f"{where}: cannot set {name}: {section} is no table", hint=f"delete the line {section} = …"
            )
        table[leaf] = value
        return data[: len(data) - len(body)] + tomlkit.dumps(document).encode("utf-8")
    except (TOMLKitError, ValueError, TypeError, RecursionError, OverflowError) as error:
        raise Unreadable(f"{where}: cannot set {name}: {plain(error)}") from None


def set_key(path: str, name: str, value: Value) -> object:
    """What the file at `path` gave the key `name` before it was set to `value`; None when it gave nothing.

    The file is made (0600) when there is none; a link stays a link.

    Raises:
        Unreadable: the file is not TOML, or cannot be read.
        StaleWrite: the file changed meanwhile; nothing was written.
        MemError: no space or no permission; the file is untouched.
    """
    path = os.path.realpath(path)
    before = read(path)
    former = _given(before, name, path)
    _replace(path, before, edit(before, name, value, path))
    return former


def _given(data: bytes, name: str, where: str) -> object:
    section, _, leaf = name.partition(".")
    table = decode(data, where).get(section)
    return table.get(leaf) if isinstance(table, dict) else None


def _replace(path: str, before: bytes, after: bytes) -> None:
    try:
        _swap(path, before, after)
    except OSError as error:  # it names the spare file, which nobody knows
        hint = f"ls -ld {shlex.quote(os.path.dirname(path))}"
        raise MemError(f"cannot write {path}: {(error.strerror or str(error)).lower()}", hint=hint) from None


def _swap(path: str, before: bytes, after: bytes) -> None:
    handle, spare = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".config.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(path):
            os.chmod(spare, os.stat(path).st_mode & 0o7777)
        if read(path) != before:
            raise StaleWrite(f"{path} changed meanwhile", hint="run the command again")
        os.replace(spare, path)
    except BaseException:
        os.unlink(spare)
        raise


def _toml(value: Value) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    return str(value)

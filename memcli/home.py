"""Where the user's files are. Imports nothing that Python has not loaded already, for the cold search path needs it."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memcli.errors import MemError


def user_home(environ: Mapping[str, str]) -> str:
    """The user's own directory, absolute: HOME, else the passwd entry.

    A HOME that is empty or relative (`~` unexpanded, as some crontabs have it) counts as unset: following it would
    scatter files over whatever directory the command runs in.

    Raises:
        MemError: neither names a directory.
    """
    named = environ.get("HOME") or environ.get("USERPROFILE", "")
    if os.path.isabs(named):
        return named
    found = _passwd()
    if not os.path.isabs(found):
        raise MemError("no home directory: HOME is not set and this user has no passwd entry", hint="set HARNESS_HOME")
    return found


def home(environ: Mapping[str, str]) -> str:
    """The harness home, absolute: HARNESS_HOME, else `.harness` in the user's directory. It need not exist.

    A leading `~/` is expanded (cron and systemd do not); a relative name is taken from the working directory.

    Raises:
        MemError: there is no directory to put it in.
    """
    named = environ.get("HARNESS_HOME", "")
    if not named:
        return os.path.join(user_home(environ), ".harness")
    return os.path.abspath(expand(named, environ))


def expand(path: str, environ: Mapping[str, str]) -> str:
    """`path` with a leading `~` or `~/` replaced by the user's directory; any other path as it is."""
    if path == "~" or path.startswith("~/"):
        return os.path.join(user_home(environ), path[2:])
    return path


def unset(toml: bytes) -> bool:
    """Whether this config file sets nothing (comments and table headers only), so that no TOML parser is needed."""
    return all(line[:1] in (b"", b"#") or _header(line) for line in map(bytes.strip, toml.splitlines()))


def project_root(start: str) -> str | None:
    """The nearest directory from `start` upwards that is a project (it has `.git` or `.mem.toml`), or None."""
    folder = os.path.abspath(start)
    while not any(os.path.lexists(os.path.join(folder, mark)) for mark in (".git", ".mem.toml")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _header(line: bytes) -> bool:
    return line[:1] == b"[" and line[-1:] == b"]" and line[1:-1].replace(b"_", b"").isalnum()


def _passwd() -> str:
    try:
        import pwd
    except ImportError:  # Windows
        return os.path.expanduser("~")
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:  # a container that runs under a number without a name
        return ""

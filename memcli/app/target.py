"""Which file a new entry goes to."""

from __future__ import annotations

import os
from collections.abc import Mapping

from memcli.errors import Usage
from memcli.files import sources
from memcli.limits import INDEX

SCOPES = ("user", "project")
ENDINGS = (".md", ".markdown")


def target(home: str, cwd: str, environ: Mapping[str, str], to: str = "", scope: str = "user") -> str:
    """The absolute path of that file, which need not be there: `to` if it is given, else the MEMORY.md of a scope.

    Args:
        to: relative to the working directory; or to the home, when only there is such a file.
        scope: `user` or `project`. A project's is the nearest in its own tree, else the one that the home keeps for it.

    Raises:
        Usage: no such scope, no project here, or `to` is no Markdown file.
    """
    if to:
        return _named(home, cwd, to)
    if scope not in SCOPES:
        raise Usage(f"no such scope: {scope}", hint=f"one of {', '.join(SCOPES)}")
    if scope == "user":
        return os.path.join(home, INDEX)
    return _project(home, cwd, environ)


def _named(home: str, cwd: str, to: str) -> str:
    if not to.lower().endswith(ENDINGS):
        raise Usage(f"--to: {sources.show(to)} is no Markdown file", hint="--to NAME.md")
    here, there = (os.path.normpath(os.path.join(base, to)) for base in (cwd, home))
    return there if os.path.lexists(there) and not os.path.lexists(here) else here


def _project(home: str, cwd: str, environ: Mapping[str, str]) -> str:
    root = sources.project_root(cwd)
    if root in (home, environ.get("HOME"), "/"):
        raise Usage(f"{sources.show(cwd)} is in no project", hint="--scope user, or --to FILE")
    found = sources.discover(home, cwd, environ)
    own = [
        item.path
        for item in found.files
        if item.scope == "project" and item.path == os.path.join(item.root, INDEX) and _above(item.root, cwd)
    ]
    return own[-1] if own else os.path.join(home, "projects", sources.project_key(root), INDEX)


def _above(folder: str, cwd: str) -> bool:
    return cwd == folder or cwd.startswith(folder.rstrip("/") + "/")

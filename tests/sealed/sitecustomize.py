"""Loaded by every Python that a test runs (PYTHONPATH), and by conftest: no network, and nothing of the real user's.

SEALED_HOME names the real home; its harness folders may not be opened, listed or made.
"""

from __future__ import annotations

import os
import sys
from typing import Any

LOOPBACK = ("127.", "::1", "localhost")
PRIVATE = (".harness", ".claude", ".codex", ".openclaw")


def guard(event: str, args: tuple[Any, ...]) -> None:
    """Raises when a test is about to leave its sandbox."""
    if event == "socket.connect" and isinstance(args[1], tuple) and not str(args[1][0]).startswith(LOOPBACK):
        raise AssertionError(f"a test reaches for the network: {args[1]}")
    if event in ("open", "os.listdir", "os.scandir", "os.mkdir", "os.rename") and args and reaches(args[0]):
        raise AssertionError(f"a test touches the real home: {event} {args[0]!r}")


def reaches(path: object) -> bool:
    """Whether `path` lies in a harness folder of the real user."""
    if not isinstance(path, (str, bytes)):
        return False
    name = os.fsdecode(path)
    return any(name == folder or name.startswith(folder + os.sep) for folder in FOLDERS)


FOLDERS = [os.path.join(os.environ["SEALED_HOME"], name) for name in PRIVATE] if "SEALED_HOME" in os.environ else []
sys.addaudithook(guard)

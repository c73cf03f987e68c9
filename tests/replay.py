"""Replays shell commands: `$ command`, then what it prints, its stderr behind `2> `, and `? code` unless it is 0.

In a transcript, comments and blank lines stand between commands; a printed line that could be taken for one of those,
or for a command, is written with a backslash before it.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from conftest import ROOT, spawn

SAMPLE = ROOT / "sample_memory"
SAMPLE_MARK = "# home: sample"
# A shell of its own for each command, as a reader would type them into a fresh terminal.
STUB = f'mem() {{ "{sys.executable}" -P -m memcli "$@"; }}\n'


def replay(script: str, folder: Path) -> str:
    """`script` with the output that its commands have now, run in `folder`, which is the user's home."""
    lines = script.splitlines()
    if lines[:1] == [SAMPLE_MARK]:
        settle(folder)
    out: list[str] = []
    for line in lines:
        if line.startswith("#") or not line:
            out.append(line)
        elif line.startswith("$ "):
            out += [line, *map(quoted, (ran := answer(line[2:], folder))[0]), *ran[1]]
    return "\n".join(out) + "\n"


def session(shown: str, folder: Path) -> str:
    """The same for a session as a reader sees it (README): no comments, and stderr follows stdout unmarked."""
    out: list[str] = []
    for line in shown.splitlines():
        if line.startswith("$ "):
            printed, rest = answer(line[2:], folder)
            out += [line, *printed, *(said.removeprefix("2> ") for said in rest if not said.startswith("? "))]
    return "\n".join(out) + "\n"


def settle(folder: Path) -> None:
    """Makes a copy of the sample home the harness home of the user whose home is `folder`."""
    shutil.copytree(SAMPLE, folder / ".harness").chmod(0o700)


def answer(command: str, folder: Path) -> tuple[list[str], list[str]]:
    """The lines on stdout; then those on stderr and the exit code, marked. The user's home is shown as ~."""
    ran = spawn(["bash", "-c", STUB + command], folder=folder)
    rest = ["2> " + line for line in ran.err.replace(str(folder), "~").splitlines()]
    return ran.out.replace(str(folder), "~").splitlines(), [*rest, *([f"? {ran.code}"] if ran.code else [])]


def quoted(line: str) -> str:
    """A printed line as a transcript holds it."""
    return "\\" + line if not line or line.startswith(("#", "$ ", "2> ", "? ", "\\")) else line

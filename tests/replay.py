"""Replays a session of shell commands: `$ command`, then its stdout, `2> ` and its stderr, and `? code` unless it is 0."""

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
        shutil.copytree(SAMPLE, folder / ".harness", dirs_exist_ok=True)
    out: list[str] = []
    for line in lines:
        if line.startswith("#") or not line:
            out.append(line)
        elif line.startswith("$ "):
            out += [line, *answer(line[2:], folder)]
    return "\n".join(out) + "\n"


def answer(command: str, folder: Path) -> list[str]:
    """What the command prints, the user's home shown as ~."""
    ran = spawn(["bash", "-c", STUB + command], folder=folder)
    said = ran.out.replace(str(folder), "~").splitlines()
    said += ["2> " + line for line in ran.err.replace(str(folder), "~").splitlines()]
    return [*said, f"? {ran.code}"] if ran.code else said

"""`mem init`: make the home, and say what is on this machine already."""

from __future__ import annotations

import os

from memcli.cli import output
from memcli.cli.options import Json


def command(as_json: Json = False) -> None:
    """Make the home, and say what other harnesses keep on this machine."""
    from dataclasses import asdict
    from datetime import UTC, datetime

    from memcli import init
    from memcli.home import home

    place = home(os.environ)
    made = init.make(place, datetime.now(UTC))
    output.note(f"made {place}: {' '.join(made.names[1:])}" if made.names[:1] == ("/",) else _kept(place, made.names))
    if made.open_to_others:
        output.note(f"other users of this machine can look into {place}; chmod 700 {place} ends that")
    found = init.find(os.environ)
    output.rows(map(asdict, found), ("harness", "kind", "count", "path"), as_json=as_json)
    if not found:
        output.note("no memory or transcripts of Claude Code, Codex or OpenClaw on this machine")
    output.note("next: write a line into MEMORY.md, then: mem index, mem search WORDS")


def _kept(place: str, names: tuple[str, ...]) -> str:
    return f"{place} lacked {' '.join(names)}: made" if names else f"{place} is complete already; nothing changed"

"""`mem status`: one line a fact."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from memcli.cli import output
from memcli.cli.options import Json

if TYPE_CHECKING:
    from memcli.status import Status

NAMES = {"memory": "memory files", "guide": "guides", "log": "session logs"}


def command(as_json: Json = False) -> None:
    """Say what is kept, what is indexed and what is too long."""
    from memcli.app.memory import Memory
    from memcli.home import home
    from memcli.search.show import place_for
    from memcli.status import status

    memory = Memory(home(os.environ), os.getcwd(), os.environ)
    found = status(memory)
    place = place_for(memory.home, memory.cwd, False)
    if as_json:
        output.rows([_record(found)], (), as_json=True)
    else:
        facts = ((name, value, place(path) if path else "") for name, value, path in _facts(found))
        output.rows(
            ({"fact": name, "value": value, "where": where} for name, value, where in facts), ("fact", "value", "where")
        )
    for said in memory.notes:
        output.note(said)


def _record(found: Status) -> dict[str, Any]:
    """The JSON keys: those of Status, flat where a script asks."""
    return asdict(found) | {"entries": sum(found.types.values()), "over_limit": bool(found.long)}


def _facts(found: Status) -> Iterator[tuple[str, str, str]]:
    """(what, its value, the path it is about or "")."""
    yield "home", "there" if os.path.isdir(found.home) else "not made yet (mem init)", found.home
    for kind, name in NAMES.items():
        counts = ", ".join(f"{files.count} {files.scope}" for files in found.files if files.kind == kind)
        yield name, counts or "none", ""
    counts = ", ".join(f"{count} {kind}" for kind, count in found.types.items())
    yield "entries", f"{sum(found.types.values())}" + (f": {counts}" if counts else ""), ""
    yield "no longer hold", f"{found.ended} entries expired or superseded", ""
    yield "sessions", f"{found.sessions} with {found.turns} turns", ""
    yield "vectors", _vectors(found), ""
    yield "index", f"{_size(found.index_bytes)}, last changed {found.synced or 'never'}", ""
    for file in found.long:
        yield (
            "over limit",
            f"{file.lines} lines, {file.bytes} bytes: Claude Code loads nothing from line {file.cut} on",
            file.path,
        )
    for problem in found.problems:
        yield "problem", problem.what, f"{problem.path}:{problem.line}" if problem.line else problem.path


def _vectors(found: Status) -> str:
    vectors = found.vectors
    if not vectors.encoder:
        return "none: words only"
    missing = f", {vectors.missing} missing (mem index)" if vectors.missing else ""
    return f"{vectors.present} by {vectors.encoder}{missing}"


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{(count + 999) // 1000} KB"

"""How much of a file the program that loads it takes in."""

from __future__ import annotations

# Claude Code loads this much of a MEMORY.md, whichever ends first, and says nothing about the rest.
LINES, BYTES = 200, 25_000
INDEX = "MEMORY.md"


def measure(data: bytes) -> tuple[int, int] | None:
    """(its lines, the first that is not loaded whole) of a file that is over the limits, None of one within."""
    lines = data.count(b"\n") + (not data.endswith(b"\n")) if data else 0
    if lines <= LINES and len(data) <= BYTES:
        return None
    whole = data.count(b"\n", 0, BYTES) if len(data) > BYTES else lines
    return lines, min(LINES, whole) + 1

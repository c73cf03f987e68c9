"""How fast `mem index --words` makes a home searchable, and in how much memory: whole processes.

    indexing.py [--keep DIR] [--runs N] [--sizes N ...]

Three cases: everything new, nothing changed, one entry edited. The first runs at most three times, for it takes long.
The peak is never less than that of this script itself.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from rig.homes import arguments, environ, folder, home
from rig.process import Row, mem, run, table

FIRST_RUNS = 3
BARS = "bars: 5,000 entries/s, 100,000 entries within 60 s, 500 MB"


def main() -> None:
    options = arguments(__doc__)
    with folder(options.keep) as top:
        rows = [row for size in options.sizes for row in _cases(home(top, size), size, options.runs)]
    table([("mem index --words", "s", "entries/s", "peak MB"), *rows])
    print(BARS)


def _cases(harness: Path, size: int, runs: int) -> Iterator[tuple[object, ...]]:
    line, seen = [[*mem(), "index", "--words"]], environ(harness)
    first, same, edit = (Row(name, line, seen, harness.parent) for name in ("all new", "nothing changed", "one edited"))
    for _ in range(min(runs, FIRST_RUNS)):
        shutil.rmtree(harness / "cache", ignore_errors=True)
        first.runs.append(run(line[0], seen, harness.parent))
    note = sorted((harness / "memory").glob("*.md"))[0]
    before = note.read_bytes()
    for number in range(runs):
        same.runs.append(run(line[0], seen, harness.parent))
        note.write_bytes(before + f"- Entry number {number} is new.\n".encode())
        edit.runs.append(run(line[0], seen, harness.parent))
    note.write_bytes(before)
    run(line[0], seen, harness.parent)
    for row in (first, same, edit):
        rate = f"{1000 * size / row.ms:,.0f}" if row is first else ""
        yield f"{size:,} entries, {row.name}", f"{row.ms / 1000:.2f}", rate, f"{row.peak_mb:.0f}"


if __name__ == "__main__":
    main()

"""How long a whole `mem add` takes on a file of 2,000 entries whose home has an index, and what it changes.

    adding.py [--keep DIR] [--runs N]

Medians in ms of runs that take turns, and as multiples of `python -c pass` of this interpreter. Each run adds another
text, so every one of them writes; the difference of the file is then what was added, line by line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from rig.homes import arguments, bare, environ, folder, section
from rig.process import Row, measure, mem, run, table
from rig.words import Writer

ENTRIES = 2_000
BAR = 15.0


def main() -> None:
    options = arguments(__doc__)
    with folder(options.keep) as top:
        note = _home(top)
        before = note.read_bytes()
        start = Row("python -c pass", [[sys.executable, "-c", "pass"]], bare(), top)
        lines = [[*mem(), "add", text] for text in _texts(options.runs + 1)]
        add = Row(f"mem add, {ENTRIES:,} entries", lines, environ(note.parent), note.parent.parent)
        measure([start, add], options.runs)
        ratio = add.ms / start.ms
        rows = [("process", "ms", "ratio", "bar", ""), (start.name, f"{start.ms:.1f}", "1.00", "", "")]
        table(
            [*rows, (add.name, f"{add.ms:.1f}", f"{ratio:.2f}", f"{BAR:g} x", "within" if ratio <= BAR else "MISSED")]
        )
        old, new = before.splitlines(), note.read_bytes().splitlines()
        print(f"lines taken away {len({*old} - {*new})}, lines added {len(new) - len(old)}")


def _home(top: Path) -> Path:
    """A MEMORY.md of that many entries, indexed by words."""
    note = top / "adding" / ".harness" / "MEMORY.md"
    note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    writer = Writer(ENTRIES)
    lines = ["# Memory", *(line for _ in range(ENTRIES // 20) for line in section(writer))]
    note.write_text("\n".join(lines) + "\n", encoding="utf-8")
    run([*mem(), "index", "--words"], environ(note.parent), note.parent.parent)
    return note


def _texts(count: int) -> Iterator[str]:
    writer = Writer(7)
    return (f"{writer.entry()} ({number})" for number in range(count))


if __name__ == "__main__":
    main()

"""How long a whole `mem` takes, cold, without a server: medians in ms, and as multiples of `python -c pass` of this interpreter.

    startup.py [--keep DIR] [--runs N] [--sizes N ...]

The homes are made up (rig/words.py). In hybrid rows the stored vectors are random unit vectors, put through the real
store under the real digests, because to embed 100,000 texts takes hours; the question itself is embedded for real.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from rig.homes import arguments, bare, embed, environ, folder, home
from rig.process import Row, measure, mem, run, table
from rig.words import Writer

QUESTIONS = 40
BARS = {("words", 10_000): 4.0, ("words", 100_000): 8.0, ("hybrid", 10_000): 9.0, ("hybrid", 100_000): 22.0}
HELP_BAR = 1.3  # times a no-op app of the same Typer, with the same settings: no Rich, no completion
NOOP = """import typer
app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
@app.command()
def one() -> None: "Does nothing."
@app.command()
def two() -> None: "Does nothing either."
app()
"""


def main() -> None:
    options = arguments(__doc__)
    with folder(options.keep) as top:
        (top / "noop.py").write_text(NOOP)
        plain = bare()
        start = Row("python -c pass", [[sys.executable, "-c", "pass"]], plain, top)
        noop = Row("no-op Typer app --help", [[sys.executable, str(top / "noop.py"), "--help"]], plain, top)
        shown = Row("mem --help", [[*mem(), "--help"]], plain, top)
        searches = {key: row for size in options.sizes for key, row in _searches(top, size)}
        measure([start, noop, shown, *searches.values()], options.runs)
        cells = [_cells(start, start, None), _cells(noop, start, None), _cells(shown, noop, HELP_BAR, "no-op")]
        cells += [_cells(row, start, BARS.get(key)) for key, row in searches.items()]
        table([("process", "ms", "ratio", "bar", "", "cpu ms"), *cells])


def _searches(top: Path, size: int) -> Iterator[tuple[tuple[str, int], Row]]:
    """The rows of one home, which is indexed on the way."""
    harness = home(top, size)
    run([*mem(), "index", "--words"], environ(harness), harness.parent)
    why = embed(harness)
    writer = Writer(size)
    asked = [writer.question() for _ in range(QUESTIONS)]
    for mode in ("words", "hybrid"):
        if mode == "hybrid" and why:
            print(f"hybrid, {size:,} entries: {why}")
            continue
        lines = [[*mem(), "search", "--mode", mode, "-q", text] for text in asked]
        run(lines[0], environ(harness), harness.parent)  # leaves what the cold path wants to know
        name = f"mem search, {mode}, {size:,} entries" + (", random vectors" if mode == "hybrid" else "")
        yield (mode, size), Row(name, lines, environ(harness), harness.parent)


def _cells(row: Row, base: Row, bar: float | None, of: str = "") -> tuple[object, ...]:
    ratio = row.ms / base.ms
    verdict = "" if bar is None else "within" if ratio <= bar else "MISSED"
    said = "" if bar is None else f"{bar:g} x {of}".strip()
    return row.name, f"{row.ms:.1f}", f"{ratio:.2f}", said, verdict, f"{row.cpu_ms:.1f}"


if __name__ == "__main__":
    main()

"""How fast files.markdown.parse reads a file of 5 MB, and in how much memory.

    parsing.py [--runs N]

The peak is what Python allocated (tracemalloc), in a run that is not timed.
"""

from __future__ import annotations

import tracemalloc
from statistics import median
from time import perf_counter

from rig.homes import arguments, section
from rig.process import table
from rig.words import Writer

from memcli.files import markdown

SIZE = 5_000_000
RATE_BAR, PEAK_BAR = 2.0, 20.0  # MB/s at least; times the file at most


def main() -> None:
    options = arguments(__doc__)
    data = _file()
    spent = [_timed(data) for _ in range(min(options.runs, 5))]
    tracemalloc.start()
    items = len(markdown.parse(data).items)
    peak = tracemalloc.get_traced_memory()[1] / len(data)
    rate = len(data) / 1e6 / median(spent)
    table(
        [
            ("files.markdown.parse", "measured", "bar", ""),
            (
                f"{len(data) / 1e6:.1f} MB, {items:,} entries",
                f"{rate:.1f} MB/s",
                f"{RATE_BAR:g} MB/s",
                _says(rate >= RATE_BAR),
            ),
            ("peak memory", f"{peak:.1f} x the file", f"{PEAK_BAR:g} x", _says(peak <= PEAK_BAR)),
        ]
    )


def _file() -> bytes:
    writer, parts, size = Writer(), [], 0
    while size < SIZE:
        parts.append("\n".join(section(writer)).encode())
        size += len(parts[-1])
    return b"\n".join(parts)


def _timed(data: bytes) -> float:
    begun = perf_counter()
    markdown.parse(data)
    return perf_counter() - begun


def _says(good: bool) -> str:
    return "within" if good else "MISSED"


if __name__ == "__main__":
    main()

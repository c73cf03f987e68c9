"""Whole processes, measured: seconds and peak memory of a run, medians of runs that take turns."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

# What pip's console script does, for an interpreter that has memcli on its path and no script beside it.
SCRIPT = "import sys; from memcli.__main__ import main; sys.exit(main())"
UNIT = 1 if sys.platform == "darwin" else 1024  # bytes in one of ru_maxrss


class Ran(NamedTuple):
    """One run: wall seconds, seconds of the processor, peak resident bytes, exit code, stdout."""

    seconds: float
    cpu: float
    peak: int
    code: int
    out: bytes


def mem() -> list[str]:
    """The command line of `mem` for this interpreter."""
    beside = Path(sys.executable).with_name("mem")
    return [str(beside)] if beside.exists() else [sys.executable, "-c", SCRIPT]


def run(args: Sequence[str], environ: Mapping[str, str], cwd: Path) -> Ran:
    """What one process did. A failure's stderr is passed on."""
    begun = perf_counter()
    with subprocess.Popen(args, env=environ, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        out, err = process.stdout.read(), process.stderr.read()  # type: ignore[union-attr]
        _, status, usage = os.wait4(process.pid, 0)
        seconds = perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1) or b"Traceback" in err:  # 1: nothing was found
        sys.stderr.write(f"{' '.join(args)} ended with {process.returncode}: {err.decode('utf-8', 'replace')}")
    return Ran(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * UNIT, process.returncode, out)


class Row:
    """A process to be measured by its median; run n has the n-th of `lines`, in a circle, so that questions vary."""

    def __init__(self, name: str, lines: Sequence[Sequence[str]], environ: Mapping[str, str], cwd: Path) -> None:
        self.name, self.lines, self.environ, self.cwd = name, lines, environ, cwd
        self.runs: list[Ran] = []

    @property
    def ms(self) -> float:
        return 1000 * median(ran.seconds for ran in self.runs)

    @property
    def cpu_ms(self) -> float:
        """Steadier than `ms` on a machine that has other work."""
        return 1000 * median(ran.cpu for ran in self.runs)

    @property
    def peak_mb(self) -> float:
        return median(ran.peak for ran in self.runs) / 1e6


def measure(rows: Sequence[Row], runs: int) -> None:
    """Runs every row `runs` times, in turns, so that a slow minute of the machine slows all of them; one warm-up each."""
    for at in range(-1, runs):
        for row in rows:
            ran = run(row.lines[at % len(row.lines)], row.environ, row.cwd)
            if at >= 0:
                row.runs.append(ran)


def table(rows: Sequence[Sequence[object]]) -> None:
    """Prints rows, the first is the heading, in columns."""
    wide = [max(len(str(row[at])) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip())

"""numpy's matrix products on one thread each, so that many threads can run their own.

Measured on two cores: OpenBLAS's own threads leave the second core idle between products and spin when others want it;
two batches side by side, each on one thread, keep both busy.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock

# The names that numpy's own OpenBLAS and a system's go by. Others (Accelerate) have their own way with threads.
NAMES = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads")
CORES = ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath")
# Each worker needs room of its own; six keep a process under 400 MB.
MOST = 6
_turn = Lock()


@contextmanager
def workers(most: int | None) -> Iterator[int]:
    """How many threads may multiply at once: up to `most`, or one for each core.

    One caller at a time; OpenBLAS has its threads back afterwards. Where they cannot be set the answer is 1.
    """
    name = _name()
    if name is None:
        yield 1
        return
    library = _library()
    with _turn:
        before = library[name.format("get")]()
        library[name.format("set")](1)
        try:
            yield max(1, min(most or MOST, MOST, _cores()))
        finally:
            library[name.format("set")](before)


def _cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _library() -> ctypes.CDLL:
    """numpy's core; a name looked up in it is also looked for in what it is linked with."""
    return ctypes.CDLL(next(sys.modules[name].__file__ for name in CORES if name in sys.modules))


@cache
def _name() -> str | None:
    """The pattern of the two functions, or None."""
    return next((name for name in NAMES if hasattr(_library(), name.format("set"))), None)

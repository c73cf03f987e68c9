"""Homes of any size, made up; indexed by the real command, with made-up vectors put through the real store."""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rig.words import Writer

FILE = (200, 500)  # entries a file
SECTION = 20  # entries a heading
MARKED = 0.1  # of the entries carry a comment, as those do that a program wrote
TYPES = ("user", "feedback", "project", "reference", "lesson")
LEAKS = ("MEM_", "CLAUDE", "FORCE_COLOR", "PYTHONIOENCODING", "PYTHONDONTWRITEBYTECODE")
SIZES = (10_000, 100_000)


def arguments(about: str | None) -> argparse.Namespace:
    """The options that every script takes."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--keep", metavar="DIR", help="where homes are kept for the next run (default: nowhere)")
    parser.add_argument("--runs", type=int, default=11, help="runs a figure (default 11)")
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=SIZES, help="entries of the homes (default 10000 100000)"
    )
    return parser.parse_args()


@contextmanager
def folder(keep: str | None) -> Iterator[Path]:
    """`keep`, or a temporary folder."""
    if keep:
        Path(keep).mkdir(parents=True, exist_ok=True)
        yield Path(keep).resolve()
    else:
        with tempfile.TemporaryDirectory(prefix="mem-bench-") as made:
            yield Path(made)


def home(top: Path, entries: int) -> Path:
    """A home of `entries` entries below `top`, made unless it is there; it may have a cache from an earlier run."""
    made = top / f"entries-{entries}" / ".harness"
    if not (made / "MEMORY.md").exists():
        shutil.rmtree(made, ignore_errors=True)
        (made / "memory").mkdir(parents=True)
        _fill(made / "memory", Writer(entries), entries)
        (made / "MEMORY.md").write_text("# Memory\n", encoding="utf-8")
    return made


def bare() -> dict[str, str]:
    """This process's environment without what would change a measured one: compiled modules may be kept."""
    return {name: value for name, value in os.environ.items() if not name.startswith(LEAKS)}


def environ(harness: Path) -> dict[str, str]:
    """The environment of a user whose home holds nothing but `harness`."""
    return {**bare(), "HOME": str(harness.parent), "HARNESS_HOME": str(harness), "MEM_SERVER": "off", "NO_COLOR": "1"}


def embed(harness: Path) -> str:
    """Why `harness` has no vectors, or "" once it has a random unit vector for every chunk."""
    import numpy

    from memcli.app.memory import Memory
    from memcli.index import fill

    memory = Memory(str(harness), str(harness.parent), environ(harness))
    if memory.encoder is None or memory.vectors is None:
        return "; ".join(memory.notes) or "no encoder is installed"
    rng = numpy.random.default_rng(7)
    missing = memory.vectors.missing(list(fill.live(memory.catalog)))
    for at in range(0, len(missing), 10_000):
        part = missing[at : at + 10_000]
        rows = rng.standard_normal((len(part), memory.encoder.dim), dtype=numpy.float32)
        memory.vectors.add(part, rows / numpy.linalg.norm(rows, axis=1, keepdims=True))
    memory.index()
    memory.catalog.close()
    return ""


def section(writer: Writer, entries: int = SECTION) -> list[str]:
    """The lines of a heading and `entries` list items."""
    return ["", f"## {writer.english(2, 4)}", "", *(f"- {writer.entry()}{_mark(writer)}" for _ in range(entries))]


def _fill(target: Path, writer: Writer, entries: int) -> None:
    number = 0
    while entries > 0:
        size = min(entries, writer.rng.randint(*FILE))
        lines = [f"# {writer.english(2, 4)}"]
        for at in range(0, size, SECTION):
            lines += section(writer, min(SECTION, size - at))
        number += 1
        (target / f"notes-{number:04}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
        entries -= size


def _mark(writer: Writer) -> str:
    rng = writer.rng
    if rng.random() >= MARKED:
        return ""
    ident = "".join(rng.choices("abcdefghijkmnpqrstuvwxyz23456789", k=8))
    kind, tag, conf = rng.choice(TYPES), rng.choice(writer.words), rng.choice((0.6, 0.8, 1.0))
    day = f"2026-{rng.randint(1, 11):02}-{rng.randint(1, 28):02}"
    return f" <!-- mem: id={ident} type={kind} tags={tag} conf={conf} created={day} -->"

"""What the verbs that write have in common: the text they are given, and what they print of what came of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memcli.cli import output
from memcli.cli.stdin import stdin

if TYPE_CHECKING:
    from memcli.app.keep import Keeper, Kept


def keeper(wait_s: float = 10.0, *, dry: bool = False) -> Keeper:
    """The writing half of this process's home."""
    from memcli.app.keep import Keeper
    from memcli.home import home

    return Keeper(home(os.environ), os.getcwd(), os.environ, wait_s=wait_s, dry=dry)


def given(words: Sequence[str]) -> str:
    """The arguments as one text; all of stdin without any, or for a lone `-`. What is no UTF-8 as lone surrogates."""
    if words and list(words) != ["-"]:
        return output.typed(" ".join(words))
    if not words and sys.stdin is not None and sys.stdin.isatty():
        return ""
    return stdin("give the text as an argument").read().decode("utf-8-sig", "surrogateescape")


def split(values: list[str] | None) -> tuple[str, ...]:
    """The values of an option that may be repeated, or joined by commas."""
    return tuple(part for value in values or [] for part in output.typed(value).split(",") if part)


def tell(kept: Kept, *, as_json: bool = False) -> None:
    """Prints the id of an entry that was written, or the difference that a dry run found."""
    for said in kept.notes:
        output.note(said)
    if not kept.operation:
        output.note("nothing was written: " + kept.summary if not kept.files else f"would {kept.summary}")
    if as_json:
        output.rows([_record(kept)], (), as_json=True)
    elif kept.files:
        output.raw(line for path, old, new in kept.files for line in _diff(path, old, new))
    else:
        output.text(kept.entry_id)


def _record(kept: Kept) -> dict[str, object]:
    names = [path for path, _, _ in kept.files]
    return {
        "id": kept.entry_id, "path": _shown(kept.path), "line": kept.line, "summary": kept.summary,
        "operation": kept.operation, "written": bool(kept.operation), "would_change": [_shown(name) for name in names],
    }  # fmt: skip


def _diff(path: str, old: bytes, new: bytes) -> list[str]:
    from difflib import unified_diff

    name = _shown(path)
    return list(unified_diff(_lines(old), _lines(new), name, name, lineterm=""))


def _lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    return lines if lines[-1] else lines[:-1]


def _shown(path: str) -> str:
    from memcli.home import home
    from memcli.search.show import place_for

    return place_for(home(os.environ), os.getcwd(), False)(path)

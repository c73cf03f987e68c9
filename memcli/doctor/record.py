"""The check of the history: its journal, and every image that an undo would need."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator

from memcli.app.memory import Memory
from memcli.doctor.finding import Finding
from memcli.store import history as store


def history(memory: Memory) -> Iterator[Finding]:
    """What is wrong in the history. What a killed writer left is no damage: the next write mends it."""
    journal = os.path.join(memory.home, "state", "journal.jsonl")
    for said in store.verify(memory.home):
        waiting = "has no end" in said
        repair = "mem log" if waiting else f"less {shlex.quote(journal)}"
        yield Finding("history", journal, 0, said.removeprefix(f"{journal}:"), repair, damaged=not waiting)

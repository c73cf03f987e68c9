"""How two versions of a file with mem's own front matter are merged when a write is taken back."""

from __future__ import annotations

from datetime import datetime

from memcli.store import history
from memcli.store.history.data import Merge
from memcli.store.stamp import carry, stamp


def stamped(now: datetime) -> Merge:
    """By lines. Where two versions of a file of ours differ, which they do after each write, the newer one counts on."""

    def merge(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
        merged = history.lines_merge(base, ours, theirs)
        if merged is not None:
            return merged
        merged = history.lines_merge(carry(base, theirs), carry(ours, theirs), theirs)
        return None if merged is None else stamp(merged, now=now, actor="mem undo")

    return merge

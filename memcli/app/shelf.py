"""The archives of a home: what was retired, the last one first."""

from __future__ import annotations

import os
from collections.abc import Iterator

from memcli.app.refs import Missing
from memcli.errors import Usage
from memcli.files.atomic import content
from memcli.files.markdown import Item, parse


def find(home: str, ref: str) -> tuple[str, str]:
    """The archive that has the entry `ref` (its id, or the beginning of it), the newest first, and its whole id.

    Raises:
        Missing: none has.
        Usage: several entries begin with `ref`.
    """
    found = [(path, item.meta.id or "") for path, item in retired(home) if (item.meta.id or "").startswith(ref)]
    exact = [(path, eid) for path, eid in found if eid == ref]
    ids = sorted({eid for _, eid in found})
    if not ids or not ref:
        raise Missing(f"the archive has no entry {ref}", hint="mem log")
    if len(ids) > 1 and not exact:
        raise Usage(f"{ref} may be {' or '.join(ids)}", hint=f"mem restore {ids[0]}")
    return (exact or found)[0]


def retired(home: str) -> Iterator[tuple[str, Item]]:
    """Every entry of the archives, the last retired first, with the path of its file."""
    folder = os.path.join(home, "archive")
    names = sorted(os.listdir(folder), reverse=True) if os.path.isdir(folder) else []
    for name in names:
        if name.endswith(".md"):
            items = parse(content(os.path.join(folder, name)) or b"").items
            yield from (
                (os.path.join(folder, name), item) for item in reversed(items) if item.kind == "item" and item.meta.id
            )

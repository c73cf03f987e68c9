"""All checks in their order, and the one repair."""

from __future__ import annotations

from collections.abc import Iterator

from memcli.app.memory import Memory, Progress, silent
from memcli.doctor import cache, files, record
from memcli.doctor.finding import Finding
from memcli.index import catalog as catalogs

# Config comes first: where the others look depends on it.
ALWAYS = (cache.config, cache.home, cache.catalog, cache.encoder, record.history, files.found)


def examine(memory: Memory, *, deep: bool = False) -> Iterator[Finding]:
    """Everything that is wrong. `deep` also compares the catalog with one that is made anew."""
    damaged = False
    for check in ALWAYS:
        for finding in check(memory):
            damaged = damaged or finding.check == "catalog"
            yield finding
    if deep and not damaged:
        yield from cache.drift(memory)


def rebuild(memory: Memory, progress: Progress = silent) -> int:
    """The number of vectors computed, once the catalog has been made anew. Only the cache is touched."""
    catalogs.remove(catalogs.catalog_path(memory.home))
    return memory.index(progress=progress)

"""Is the catalog what the files are? Stats every source and compares; reads no content. Light: every search asks it first."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from memcli.files.sources import Source, Sources
    from memcli.index.catalog import Catalog

Stamp = tuple[int, int, int, int]  # size, mtime_ns, ctime_ns, inode: ctime sees an edit whose mtime was put back


class Manifest:
    """The catalog's files against those on disk.

    Attributes:
        active: id of every known file that this home and project read, imports included; the real path of each.
        changed: sources that are new or look different.
        gone: ids of files that are no longer there, or no longer a source.
        whole: True when `active` is everything the catalog knows, so that no filter is needed.
    """

    __slots__ = ("active", "changed", "gone", "whole")

    def __init__(self) -> None:
        self.active: dict[int, str] = {}
        self.changed: list[Source] = []
        self.gone: list[int] = []
        self.whole = True

    @property
    def fresh(self) -> bool:
        return not self.changed and not self.gone


def compare(catalog: Catalog, sources: Sources, *, walked: bool = False) -> Manifest:
    """The manifest for `sources`; a file whose stat cannot be had counts as changed, so that reading it names the reason.

    With `walked`, `sources` has the imported files too; without, the catalog's word is taken for what guides import.
    """
    known: dict[bytes, list[Any]] = {
        path: row for path, *row in catalog.rows("select path, id, root, via, size, mtime, ctime, inode from file")
    }
    found, roots = Manifest(), {os.fsencode(root) for root in sources.roots}
    for source in sources.files:
        row = known.get(os.fsencode(source.real))
        if row is not None:
            found.active[row[0]] = source.real
        if row is None or stamp(source.real) != tuple(row[3:]):
            found.changed.append(source)
    if not walked:
        _imported(found, known)
    for path, (file, root, *_) in known.items():
        if file not in found.active:
            if root in roots or not os.path.exists(path):
                found.gone.append(file)
            else:
                found.whole = False
    return found


def stamp(path: str) -> Stamp | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _imported(found: Manifest, known: dict[bytes, list[Any]]) -> None:
    """Adds the files that active guides import; one that changed asks for a sync, which walks the guides again."""
    from memcli.files.sources import GUIDE, Source

    for path, (file, root, via, *stat) in known.items():
        if via in found.active and file not in found.active:
            name = os.fsdecode(path)
            found.active[file] = name
            if stamp(name) != tuple(stat):
                found.changed.append(Source(name, "", GUIDE, os.fsdecode(root)))

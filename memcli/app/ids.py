"""New ids, unique in a home."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from memcli import clock
from memcli.errors import MemError
from memcli.store.fresh import fresh_id


def fresh(home: str, path: str, data: bytes, text: str, now: datetime) -> Callable[[], str]:
    """Gives an id for `text` in the file `path`, which neither the file (its bytes are `data`) nor the index has.

    The same run in the same home gives the same id. The index may be behind; that leaves one chance in a billion.
    """
    seed = f"{os.path.relpath(path, home)}\0{clock.render(now)}\0{text}".encode("utf-8", "surrogateescape")
    drawn = iter(range(1 << 30))

    def draw(size: int) -> bytes:
        return hashlib.sha256(b"%d\0" % next(drawn) + seed).digest()[:size]

    return lambda: fresh_id(Taken(home, data), draw)


class Taken:
    """The ids that a file and the index have."""

    def __init__(self, home: str, data: bytes) -> None:
        self.home, self.data = home, data

    def __contains__(self, eid: object) -> bool:
        return f"id={eid}".encode() in self.data or self._indexed(eid)

    def _indexed(self, eid: object) -> bool:
        from memcli.index import catalog

        with suppress(MemError):
            known = catalog.open_reader(catalog.catalog_path(self.home))
            try:
                return bool(known.rows("select 1 from doc where eid = ? limit 1", (eid,)))
            finally:
                known.close()
        return False

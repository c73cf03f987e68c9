"""The log, and what files held. Needs no lock."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from memcli.store.history import journal, objects
from memcli.store.history.data import Operation
from memcli.store.history.place import at


def operations(home: str, limit: int | None = None) -> Iterator[Operation]:
    """The operations of `home`, newest first, at most `limit`."""
    return islice(journal.operations(at(home)), limit)


def image(home: str, digest: str) -> bytes:
    """The content whose digest is `digest`, as a file once held it.

    Raises:
        Damaged: history has no such content (any more), or it is corrupt.
    """
    return objects.get(at(home), digest)

"""Computes the vectors that are missing, newest first, memory before sessions; stopped anywhere, the next run goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from memcli.index import chunks
from memcli.index.catalog import Catalog
from memcli.index.documents import Doc
from memcli.index.vectors import Vectors

if TYPE_CHECKING:
    from memcli.index.encode import Encoder

BATCH = 64  # texts a step: what a kill may cost, and how often progress shows
COLUMNS = "unit, line, last, start, stop, eid, type, text, conf, born, touched, expires, role, name, heading"


def pending(catalog: Catalog, store: Vectors) -> int:
    """How many chunks have no vector yet."""
    return len(store.missing([row[0] for row in catalog.rows("select distinct digest from chunk")]))


def run(
    catalog: Catalog,
    store: Vectors,
    encoder: Encoder,
    most: int | None = None,
    tick: Callable[[int], None] = lambda _: None,
) -> int:
    """The number of vectors added, at most `most`; `tick` is told of each step's."""
    done = 0
    todo = islice(_todo(catalog, store), most)
    while batch := dict(islice(todo, BATCH * 8)):
        # By length: a batch of equals wastes no padding.
        ordered = sorted(batch.items(), key=lambda pair: len(pair[1]))
        for at in range(0, len(ordered), BATCH):
            part = ordered[at : at + BATCH]
            store.add([digest for digest, _ in part], encoder.passages([text for _, text in part]))
            done += len(part)
            tick(len(part))
    return done


def live(catalog: Catalog) -> set[bytes]:
    """The digests that some doc still has."""
    return {row[0] for row in catalog.rows("select distinct digest from chunk")}


def _todo(catalog: Catalog, store: Vectors) -> Iterator[tuple[bytes, str]]:
    """(digest, text) of each missing chunk, in the order in which they are wanted."""
    missing = set(store.missing(list(live(catalog))))
    if not missing:
        return
    for (ident,) in catalog.rows("select id from doc where unit != 'session' order by unit, touched desc, id desc"):
        if not missing:
            return
        row = catalog.rows(f"select {COLUMNS} from doc where id = ?", (ident,))
        for text in chunks.of(Doc(*row[0])):
            digest = chunks.digest(text)
            if digest in missing:
                missing.remove(digest)
                yield digest, text

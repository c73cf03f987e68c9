"""The vector store of one encoder: FAISS over an immutable generation, numpy over the small tail (see `generation`).

Every write needs the caller's lock; reading needs none. Refuses to mix: another width or another encoder is damage.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Sequence
from functools import cached_property

from memcli.errors import Damaged, MemError
from memcli.files.atomic import private_dir
from memcli.index import generation, publish
from memcli.index import tail as tails
from memcli.index.generation import CURRENT, DECIMALS, INDEX, Generation, wrong_width
from memcli.index.tail import DIGEST, Tail

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import numpy
    from numpy.typing import NDArray

    Floats = NDArray[numpy.floating[Any]]
    Halves = NDArray[numpy.float16]

MANY, SHARE = 512, 0.1  # tail rows that are worth a new generation: the cold path reads the tail row by row
_STEP = 8_192  # rows widened to float32 at a time: 12 MB at width 384


class _Base:
    """The rows of a generation, as numpy and FAISS see them; each is read when first asked for."""

    def __init__(self, kept: Generation) -> None:
        self.kept = kept

    @cached_property
    def places(self) -> dict[bytes, int]:
        """Digest -> row."""
        digests = self.kept.digests
        return {digests[DIGEST * row : DIGEST * row + DIGEST]: row for row in range(self.kept.rows)}

    @cached_property
    def digests(self) -> list[bytes]:
        return list(self.places)

    @cached_property
    def rows(self) -> Halves:
        """(rows, dim), mapped read-only."""
        import numpy

        count = self.kept.rows * self.kept.dim
        flat = numpy.frombuffer(self.kept.index, "<f2", count, self.kept.offset) if count else numpy.empty(0, "<f2")
        return flat.reshape(self.kept.rows, self.kept.dim)

    @cached_property
    def mean(self) -> NDArray[numpy.float32]:
        import numpy

        return numpy.frombuffer(self.kept.mean, "<f4")

    @cached_property
    def index(self) -> Any:
        """The FAISS index. Read from the map: FAISS cannot open every name, and the file may be gone."""
        faiss = _faiss()
        self.kept.index.seek(0)
        return faiss.read_index(faiss.PyCallbackIOReader(self.kept.index.read))


class Vectors:
    """What is stored for one encoder, by content digest (16 bytes)."""

    def __init__(self, folder: str, dim: int, identity: str) -> None:
        self.folder, self.dim, self.identity = folder, dim, identity
        self._base: _Base
        self._tail: Tail
        self._load()

    @classmethod
    def open(cls, folder: str, dim: int, identity: str) -> Vectors:
        """The store in `folder`, which is made when it is not there.

        Raises:
            Damaged: a file is missing, cut short, changed, or of another width or encoder. All of it was moved to
                `damaged-<n>` in the folder, and the next open starts empty.
        """
        private_dir(folder)
        return cls(folder, dim, identity)

    def __len__(self) -> int:
        return self._base.kept.rows + len(self._tail)

    @property
    def due(self) -> bool:
        """Is the tail big enough for a `compact`?"""
        return len(self._tail) > max(MANY, SHARE * self._base.kept.rows)

    def missing(self, digests: Iterable[bytes]) -> list[bytes]:
        """Those of `digests` that have no row, in their order."""
        return [digest for digest in digests if digest not in self._base.places and digest not in self._tail.places]

    def add(self, digests: Sequence[bytes], rows: Floats) -> None:
        """Keeps unit rows (n, dim), one a digest; what is there already stays as it is.

        Raises:
            MemError: rows of another width, or no numbers.
            OSError: no space; nothing was added.
        """
        import numpy

        halves = numpy.asarray(rows).astype("<f2")
        if halves.shape != (len(digests), self.dim):
            raise wrong_width(halves.shape[-1], self.dim)
        if not numpy.isfinite(halves).all():
            raise MemError(f"{self.identity} gives vectors that are no numbers")
        self._begin()
        first = {digests[at]: at for at in reversed(range(len(digests)))}
        signs, fresh = _signs(halves, self._base.mean), {digest: first[digest] for digest in self.missing(digests)}
        data = b"".join(tails.record(digest, signs[at].tobytes(), halves[at].tobytes()) for digest, at in fresh.items())
        tails.append(self._tail_path, len(self._tail.data), data)
        self._tail.take(data)
        self._stamp = generation.stamp(self.folder)

    def compact(self, keep: set[bytes] | None = None) -> None:
        """Makes one new generation of all rows, or of those in `keep`, and removes what it replaces.

        Raises:
            OSError: no space; the store is as it was.
        """
        self._begin()
        number = self._base.kept.number
        digests = sorted(digest for digest in self._all() if keep is None or digest in keep)
        rows = self._halves(digests)
        try:
            publish.write(self.folder, number + 1, *self._content(digests, rows))
        except OSError:
            publish.sweep(self.folder, number)
            raise
        publish.point(self.folder, number + 1, self.dim, self.identity)
        publish.sweep(self.folder, number + 1)
        self._load()

    def nearest(self, query: Sequence[float], k: int) -> dict[bytes, float]:
        """Digest -> cosine of the `k` nearest rows, best first."""
        import numpy

        self._fits(query)
        asked = numpy.asarray(query, "f4")
        near = [*self._near_base(asked, k), *self._near_tail(asked, k)]
        best = sorted(self.scores(query, near).items(), key=lambda pair: (-pair[1], pair[0]))
        return dict(best[:k])

    def scores(self, query: Sequence[float], digests: Iterable[bytes]) -> dict[bytes, float]:
        """Digest -> cosine, of those that are there."""
        import numpy

        self._fits(query)
        there = [digest for digest in digests if digest in self._base.places or digest in self._tail.places]
        # In float64, as `Cold` does: both then round to the same figure.
        cosines = self._halves(there).astype("f8") @ numpy.asarray(query, "f8")
        return {digest: round(value, DECIMALS) for digest, value in zip(there, cosines.tolist(), strict=True)}

    def rows(self, digests: Sequence[bytes]) -> NDArray[numpy.float32]:
        """(n, dim) float32; KeyError for a digest that is not there."""
        return self._halves(digests).astype("f4")

    @property
    def _tail_path(self) -> str:
        return generation.tail_path(self.folder, self._base.kept.number)

    def _load(self) -> None:
        self._stamp = generation.stamp(self.folder)
        self._warm: NDArray[numpy.float32] | None = None
        try:
            found = generation.load(self.folder, whole=True)
            kept, self._tail = found or (Generation(0, self.dim, self.identity), Tail(self.dim))
            self._same(kept)
        except Damaged as error:
            there = publish.aside(self.folder)
            raise Damaged(f"{error} (moved to {there})", hint=error.hint) from None
        self._base = _Base(kept)

    def _same(self, kept: Generation) -> None:
        if (kept.dim, kept.identity) != (self.dim, self.identity):
            theirs, ours = f"width {kept.dim} by {kept.identity}", f"width {self.dim} by {self.identity}"
            raise generation.damaged(self.folder, f"it holds vectors of {theirs}, not of {ours}")

    def _begin(self) -> None:
        """Before a write: sees what another process has written since, and clears what a killed one has left."""
        if generation.stamp(self.folder) != self._stamp:
            self._load()
        if not os.path.exists(os.path.join(self.folder, CURRENT)):
            publish.point(self.folder, 0, self.dim, self.identity)
        publish.sweep(self.folder, self._base.kept.number)

    def _all(self) -> Iterable[bytes]:
        return [*self._base.digests, *self._tail.places]

    def _near_base(self, query: NDArray[numpy.float32], k: int) -> list[bytes]:
        count = min(k, self._base.kept.rows)
        if not count:
            return []
        _, found = self._base.index.search(query[None], count)
        return [self._base.digests[row] for row in found[0].tolist() if row >= 0]

    def _near_tail(self, query: NDArray[numpy.float32], k: int) -> list[bytes]:
        digests = list(self._tail.places)
        if self._warm is None or len(self._warm) != len(digests):
            self._warm = self.rows(digests)
        order = (-(self._warm @ query)).argsort()[:k]
        return [digests[at] for at in order.tolist()]

    def _halves(self, digests: Sequence[bytes]) -> Halves:
        """The rows as they are stored, in the order of `digests`."""
        import numpy

        found = numpy.empty((len(digests), self.dim), "<f2")
        places, tail = self._base.places, self._tail
        base = [(at, places[digest]) for at, digest in enumerate(digests) if digest in places]
        if base:
            to, row = numpy.array(base).T
            found[to] = self._base.rows[row]
        for at, digest in enumerate(digests):
            if digest not in places:
                found[at] = numpy.frombuffer(tail.data, "<f2", self.dim, tail.places[digest] + tail.row)
        return found

    def _content(self, digests: list[bytes], rows: Halves) -> tuple[dict[str, str], dict[str, bytes]]:
        """Fields and files of the generation that holds `rows`."""
        import numpy

        mean = numpy.zeros(self.dim, "<f4") if not digests else rows.mean(axis=0, dtype="f4").astype("<f4")
        index, offset = _index(rows)
        fields = {"identity": self.identity, "dim": self.dim, "rows": len(digests), "offset": offset}
        signs = _signs(rows, mean).tobytes()
        files = {INDEX: index, "digests": b"".join(digests), "signs": signs, "mean": mean.tobytes()}
        return {key: str(value) for key, value in fields.items()}, files

    def _fits(self, query: Sequence[float]) -> None:
        if len(query) != self.dim:
            raise wrong_width(len(query), self.dim)


def _signs(rows: Halves, mean: NDArray[numpy.float32]) -> NDArray[numpy.uint8]:
    """(n, dim/8): a bit is set where the row is above the mean."""
    import numpy

    found = numpy.empty((len(rows), tails.sign_bytes(rows.shape[1])), "u1")
    for at in range(0, len(rows), _STEP):
        found[at : at + _STEP] = numpy.packbits(rows[at : at + _STEP].astype("f4") > mean, axis=1)
    return found


def _index(rows: Halves) -> tuple[bytes, int]:
    """A FAISS index of `rows` as FAISS writes it, and where in it they start.

    Raises:
        MemError: this FAISS writes the rows in another way, so that `Cold` could not read them.
    """
    faiss = _faiss()
    index = faiss.IndexScalarQuantizer(rows.shape[1], faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
    if len(rows):
        index.add_sa_codes(rows.view("u1"))
    file = io.BytesIO()
    faiss.write_index(index, faiss.PyCallbackIOWriter(file.write))
    data = file.getvalue()
    offset = len(data) - rows.nbytes
    if memoryview(data)[offset:] != memoryview(rows.tobytes()):
        raise MemError(f"faiss {faiss.__version__} writes float16 rows in a way that mem does not know")
    return data, offset


def _faiss() -> Any:
    try:
        import faiss
    except ImportError as error:
        raise MemError(f"FAISS does not load: {error}", hint="pip install faiss-cpu") from error
    return faiss

"""Many texts to vectors at once: the embedded multilingual encoder, run as large matrix products over numpy.

The package's own engine answers one query fast and many texts slowly; this one reads the same weights and is for filling
an index. Both give the same vectors but for rounding (cosine over .999). A text is cut after 510 tokens, its prefix
included, where the package averages windows.

The tokens of a batch stand in one matrix, text after text, shortest first. Texts of one length are one attention, so
nothing is padded or masked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import accumulate, groupby

import numpy as np

from memcli.index.encode.threads import workers
from memcli.index.encode.weights import Floats, Layer, Weights, unpack

PREFIX = "passage: "
# Texts tokenised and sorted at a time; tokens a batch: 512 to 4096 are equally fast, and a small one needs less room.
SHELF = 2048
BATCH = 1024
# Rows of the feed-forward layer, and numbers of an attention, that stay in a core's cache.
ROWS = 64
SCORES = 1 << 18
# Attention scores stay within -56 and 70, also for nonsense; within this the exponentials of 510 of them add up in float32,
# and the row's largest need not be found first (it took 5 % of the time).
STEEP = 75.0
# x * (1 + tanh(x * (C0 + C1 x^2 + C2 x^4))) for x * (1 + erf(x / sqrt 2)), fitted for the smallest error; x^2 up to CAP.
CURVE = (0.7975075715, 0.0370060080, -0.0003515947)
CAP = 40.0


class Bulk:
    """An encoder of passages for filling an index; about 170 MB, and up to 40 more for each core at work."""

    def __init__(self, weights_path: str, *, threads: int | None = None) -> None:
        """Reads and unpacks the weights: half a second. `threads` limits the cores in use.

        Raises:
            Unreadable: the file is of another kind.
            OSError: it cannot be read.
        """
        weights = Weights(weights_path)
        self._threads = threads
        self._pieces, self._epsilon = weights.pieces, np.float32(weights.epsilon)
        self._heads, self._width = weights.heads, weights.width
        self._words = weights.rows("emb.word")
        # A text's only token type is the first.
        self._places = weights.vector("emb.pos").reshape(-1, self._width) + weights.vector("emb.type")[: self._width]
        self._norm = (weights.vector("emb.ln.w"), weights.vector("emb.ln.b"))
        self._layers = [weights.layer(number) for number in range(weights.depth)]

    def encode(self, texts: Sequence[str]) -> Floats:
        """A unit vector for each text, (n, width), in the order of `texts`; the prefix for passages is put before each."""
        found = np.empty((len(texts), self._width), np.float32)
        with workers(self._threads) as count, ThreadPoolExecutor(count) as pool:
            for start in range(0, len(texts), SHELF):
                self._fill(found[start : start + SHELF], texts[start : start + SHELF], pool, count)
        return found

    def _fill(self, rows: Floats, texts: Sequence[str], pool: Executor, count: int) -> None:
        """Writes the vectors of `texts` to `rows`, by `count` workers."""
        tokens = [self._tokens(text) for text in texts]
        batches = _batches([len(each) for each in tokens], count)
        done = pool.map(self._run, ([tokens[i] for i in batch] for batch in batches))
        for batch, vectors in zip(batches, done, strict=True):
            rows[batch] = vectors

    def _tokens(self, text: str) -> list[int]:
        inside = self._pieces.tokens(PREFIX + text, len(self._places) - 2)
        return [self._pieces.bos, *inside, self._pieces.eos]

    def _run(self, texts: list[list[int]]) -> Floats:
        """The unit vectors of one batch, its texts sorted by length."""
        lengths = [len(text) for text in texts]
        state = unpack(self._words[np.concatenate(texts)])
        state += self._places[np.concatenate([np.arange(length) for length in lengths])]
        self._settle(state, *self._norm)
        groups = list(_groups(lengths))
        room = max(SCORES, self._heads * lengths[-1] ** 2)
        desk = Desk(len(state), self._width, self._layers[0].grow.shape[1], room)
        for layer in self._layers:
            self._step(layer, state, desk, groups)
        means = np.add.reduceat(state, np.cumsum([0, *lengths[:-1]]), axis=0)
        means /= np.linalg.norm(means, axis=1, keepdims=True)
        return means

    def _step(self, layer: Layer, state: Floats, desk: Desk, groups: list[tuple[int, int, int]]) -> None:
        """One layer over `state`, in place."""
        np.matmul(state, layer.mix, out=desk.mixed)
        desk.mixed += layer.mix_bias
        for group in groups:
            self._attend(desk, *group)
        self._add(state, desk.seen, layer.join, layer.join_bias, desk)
        self._settle(state, *layer.join_norm)
        np.matmul(state, layer.grow, out=desk.grown)
        bend(desk.grown, layer.grow_bias)
        self._add(state, desk.grown, layer.shrink, layer.shrink_bias, desk)
        self._settle(state, *layer.norm)

    def _add(self, state: Floats, source: Floats, matrix: Floats, bias: Floats, desk: Desk) -> None:
        np.matmul(source, matrix, out=desk.change)
        desk.change += bias
        state += desk.change

    def _attend(self, desk: Desk, at: int, count: int, length: int) -> None:
        """What `count` texts of one length, from row `at`, see of themselves: into `desk.seen`."""
        size = self._width // self._heads
        stop, ones = at + count * length, np.ones(length, np.float32)
        mixed = desk.mixed[at:stop].reshape(count, length, 3, self._heads, size).transpose(2, 0, 3, 1, 4)
        seen = desk.seen[at:stop].reshape(count, length, self._heads, size).transpose(0, 2, 1, 3)
        step = max(1, SCORES // (self._heads * length * length))
        for start in range(0, count, step):
            ask, key, value = mixed[:, start : start + step]
            scores = desk.scores[: ask.size // size * length].reshape(-1, self._heads, length, length)
            np.matmul(ask, key.swapaxes(-1, -2), out=scores)
            np.clip(scores, -STEEP, STEEP, out=scores)
            np.exp(scores, out=scores)
            part = seen[start : start + step]
            np.matmul(scores, value, out=part)
            part /= (scores @ ones)[..., None]

    def _settle(self, state: Floats, gain: Floats, shift: Floats) -> None:
        """Layer norm, in place."""
        even = np.full(self._width, 1 / self._width, np.float32)
        state -= (state @ even)[:, None]
        spread = np.einsum("ij,ij->i", state, state) / np.float32(self._width)
        state *= (1 / np.sqrt(spread + self._epsilon))[:, None]
        state *= gain
        state += shift


class Desk:
    """Room for one batch's work, used again by every layer."""

    def __init__(self, rows: int, width: int, inner: int, scores: int) -> None:
        self.mixed = np.empty((rows, 3 * width), np.float32)
        self.seen = np.empty((rows, width), np.float32)
        self.change = np.empty((rows, width), np.float32)
        self.grown = np.empty((rows, inner), np.float32)
        self.scores = np.empty(scores, np.float32)


def bend(rows: Floats, bias: Floats) -> None:
    """Twice the GELU of `rows + bias`, in place: x * (1 + erf(x / sqrt 2))."""
    first, second, third = (np.float32(number) for number in CURVE)
    room = np.empty((ROWS, rows.shape[1]), np.float32)
    for start in range(0, len(rows), ROWS):
        part = rows[start : start + ROWS]
        part += bias
        work = room[: len(part)]
        square = part * part
        np.minimum(square, np.float32(CAP), out=square)
        np.multiply(square, third, out=work)
        work += second
        work *= square
        work += first
        work *= part
        np.tanh(work, out=work)
        work += np.float32(1)
        part *= work


def _batches(lengths: list[int], count: int) -> list[list[int]]:
    """The indexes of `lengths`, shortest first, in batches of about equal sums; as many for each of `count` workers."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    parts = count * -(-sum(lengths) // (BATCH * count))
    share = sum(lengths) / parts
    before = accumulate((lengths[i] for i in order), initial=0)
    placed = groupby(zip(before, order, strict=False), key=lambda pair: int(pair[0] / share))
    return [[index for _, index in batch] for _, batch in placed]


def _groups(lengths: list[int]) -> Iterator[tuple[int, int, int]]:
    """For each run of equal lengths: its first row, its count, the length."""
    at = 0
    for length, run in groupby(lengths):
        count = len(list(run))
        yield at, count, length
        at += count * length

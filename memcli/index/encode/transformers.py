"""Any model of the `sentence-transformers` library. Its import takes 10 s and 400 MB: for the server and for indexing."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from memcli.errors import EncoderMissing
from memcli.index.encode import fingerprint
from memcli.index.encode.batches import unit
from memcli.index.encode.plain import plain

if TYPE_CHECKING:
    from memcli.index.encode.protocol import Rows

MAX_CHARS = 8000
REMEDY = 'python -m pip install "memcli[sentence-transformers]"'
WEIGHTS = ("model.safetensors", "pytorch_model.bin")
# Common simplified characters. A vocabulary made for English has few of them: it gives unknown pieces (WordPiece) or
# several pieces a character (byte pairs).
HAN = "我们今天下午讨论了数据库迁移的计划会议改到周四因为需要更多时间检查"
MAX_UNKNOWN, MAX_PIECES = 0.1, 1.5  # of a character


class Transformers:
    """See Encoder."""

    def __init__(self, model: str) -> None:
        """Loads the model.

        Args:
            model: a folder, the name of an installed package that holds one, or a name in the library's cache. What is
                not there is downloaded, but not while HF_HUB_OFFLINE is set.

        Raises:
            EncoderMissing: the library or the model is missing or broken.
        """
        place = folder(model)
        if place:
            os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read when the library is imported; all is here
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        self.name = f"sentence-transformers:{model}"
        self._model = _load(place or model)
        self.dim = _width(self._model)
        self.max_tokens = int(min(self._model.max_seq_length or 512, 8192))  # a static model says infinity
        self.identity = fingerprint.of("sentence-transformers", "1", *_mark(self._model, place or model), str(self.dim))
        self.english_only = _english(self._model.tokenizer)

    def query(self, text: str) -> list[float]:
        return [float(value) for value in self._rows("encode_query", [text])[0]]

    def passages(self, texts: Sequence[str]) -> Rows:
        return self._rows("encode_document", texts)

    def _rows(self, how: str, texts: Sequence[str]) -> Rows:
        """By the model's own prompt for a query or a document, where it and the library have one."""
        kept = [plain(text, MAX_CHARS) for text in texts]
        if not kept:
            return np.zeros((0, self.dim), np.float32)
        encode = getattr(self._model, how, self._model.encode)
        found = encode(kept, batch_size=32, show_progress_bar=False, convert_to_numpy=True)
        return unit(np.asarray(found, np.float32))


def folder(model: str) -> str:
    """The folder of `model` where it is one, or an installed package that holds one; else ""."""
    if os.path.isdir(os.path.expanduser(model)):
        return os.path.abspath(os.path.expanduser(model))
    package = model.replace("-", "_")
    if not package.isidentifier():
        return ""
    spec = find_spec(package)
    for root in (spec.submodule_search_locations or []) if spec else []:
        for folder, _, files in os.walk(root):
            if "modules.json" in files:
                return folder
    return ""


def _load(model: str) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise EncoderMissing(f"{error.name or error} is not installed", hint=REMEDY) from error
    damaged = getattr(sys.modules.get("safetensors"), "SafetensorError", OSError)
    try:
        try:
            return SentenceTransformer(model, device="cpu", local_files_only=True)
        except OSError:
            if os.path.isabs(model) or os.environ.get("HF_HUB_OFFLINE", "") not in ("", "0"):
                raise
            return SentenceTransformer(model, device="cpu")
    except (OSError, ValueError, KeyError, RuntimeError, damaged) as error:
        why = (str(error).splitlines() or [type(error).__name__])[0]
        raise EncoderMissing(f"the model {model!r} does not load: {why}", hint="name a folder that holds it") from error


def _width(model: Any) -> int:
    ask = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
    return int(ask())


def _mark(model: Any, name: str) -> list[str]:
    """What tells this model's space from others: its weights, else its name and commit."""
    for place in (os.path.join(name, file) for file in WEIGHTS):
        if os.path.isfile(place):
            return [fingerprint.weights(place)]
    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    return [name, str(getattr(config, "_commit_hash", None) or "")]


def _english(tokenizer: Any) -> bool:
    """Whether the vocabulary has no use for Han characters."""
    pieces = tokenizer.tokenize(HAN) if hasattr(tokenizer, "tokenize") else tokenizer.encode(HAN).tokens
    unknown = pieces.count(getattr(tokenizer, "unk_token", None))
    return unknown > MAX_UNKNOWN * len(HAN) or len(pieces) > MAX_PIECES * len(HAN)

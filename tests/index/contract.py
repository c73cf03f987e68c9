"""What search and index may rely on, for every encoder. A test class inherits it and gives the fixture `encoder`."""

from __future__ import annotations

import math

import numpy as np
import pytest

from memcli.index.encode.protocol import Encoder

ODD = {
    "empty": "",
    "blank": " \n\t ",
    "NUL": "be\0fore",
    "lone surrogate": "half \ud83d of a pair",
    "10,000 characters": "deploy the service " * 527,
    "one long word": "x" * 10_000,
    "emoji": "🚀👩‍💻🇩🇪",
    "controls": "\x01\x7f\u200b\u202e\ufeff",
}
TEXTS = ["I like drinking coffee", "The server room is on fire", "Deploys go out on Tuesdays", "我喜欢喝咖啡"]


def cosine(one: object, other: object) -> float:
    return float(np.dot(np.asarray(one, float), np.asarray(other, float)))


class Contract:
    def test_a_query_is_a_unit_vector_of_plain_floats(self, encoder: Encoder) -> None:
        vector = encoder.query("who drinks coffee?")
        assert isinstance(vector, list) and {type(value) for value in vector} == {float}
        assert len(vector) == encoder.dim
        assert math.hypot(*vector) == pytest.approx(1, abs=1e-5)

    def test_passages_are_unit_rows_in_their_order(self, encoder: Encoder) -> None:
        rows = encoder.passages(TEXTS)
        assert rows.dtype == np.float32 and rows.shape == (len(TEXTS), encoder.dim)
        assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
        for text, row in zip(TEXTS, rows, strict=True):
            assert cosine(row, encoder.passages([text])[0]) > 0.999

    def test_no_passages_are_no_rows(self, encoder: Encoder) -> None:
        assert encoder.passages([]).shape == (0, encoder.dim)

    def test_the_same_text_gives_the_same_vector(self, encoder: Encoder) -> None:
        assert encoder.query(TEXTS[0]) == encoder.query(TEXTS[0])
        assert np.array_equal(encoder.passages(TEXTS), encoder.passages(TEXTS))

    def test_many_passages_keep_their_order(self, encoder: Encoder) -> None:
        texts = [" ".join([word] * count) for count in (9, 1, 5) for word in ("tea", "fire", "Tuesday", "release")]
        together = encoder.passages(texts)
        alone = np.concatenate([encoder.passages([text]) for text in texts])
        assert np.einsum("ij,ij->i", together, alone).min() > 0.999

    def test_its_space_has_a_short_name(self, encoder: Encoder) -> None:
        assert len(encoder.identity) == 16 and int(encoder.identity, 16)

    @pytest.mark.parametrize("text", ODD.values(), ids=ODD)
    def test_any_text_is_legal(self, encoder: Encoder, text: str) -> None:
        rows = encoder.passages([text, TEXTS[0]])
        for vector in (encoder.query(text), *rows):
            assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
        assert cosine(rows[1], encoder.passages([TEXTS[0]])[0]) > 0.999

    def test_what_stands_after_a_nul_counts(self, encoder: Encoder) -> None:
        assert cosine(encoder.query("a\0coffee"), encoder.query("a coffee")) == pytest.approx(1, abs=1e-6)

    def test_the_right_english_passage_is_nearest(self, encoder: Encoder) -> None:
        scores = encoder.passages(TEXTS[:3]) @ np.array(encoder.query("when do deploys go out?"), np.float32)
        assert int(scores.argmax()) == 2

    def test_the_right_chinese_passage_is_nearest(self, encoder: Encoder) -> None:
        passages = ["我喜欢喝咖啡", "服务器机房着火了", "每周二发布新版本"]
        scores = encoder.passages(passages) @ np.array(encoder.query("谁喜欢喝咖啡？"), np.float32)
        assert encoder.english_only or int(scores.argmax()) == 0

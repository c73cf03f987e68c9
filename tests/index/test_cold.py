"""The cold reader says of a store what the full one says, and loads next to nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import spawn
from index.test_vectors import filled, key, opened, put, rows, spoil

from memcli.errors import Damaged, MemError
from memcli.index import generation
from memcli.index.cold import Cold
from memcli.index.vectors import Vectors

LIGHT = {"memcli", "memcli.errors", "memcli.index"} | {
    f"memcli.index.{name}" for name in ("cold", "generation", "tail")
}


def spread(count: int, dim: int = 384) -> np.ndarray:
    """Unit rows in 60 clusters off the origin, as texts lie."""
    draw = np.random.default_rng(4)
    middles = draw.standard_normal((60, dim)) + 1.5
    found = middles[draw.integers(0, 60, count)] + 0.7 * draw.standard_normal((count, dim))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype("f4")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, np.ndarray]:
    """3,000 rows of width 384, of which 400 are in the tail."""
    folder, all_rows = tmp_path_factory.mktemp("cold") / "s", spread(3_000)
    store = Vectors.open(str(folder), 384, "model-1")
    store.add([key(number) for number in range(2_600)], all_rows[:2_600])
    store.compact()
    store.add([key(number) for number in range(2_600, 3_000)], all_rows[2_600:])
    return folder, all_rows


def test_cold_says_what_the_full_store_says(many: tuple[Path, np.ndarray]) -> None:
    folder, all_rows = many
    full, cold = Vectors.open(str(folder), 384, "model-1"), Cold.open(str(folder))
    assert len(cold) == len(full) == 3_000
    for number in range(0, 3_000, 100):
        query = (0.5 * all_rows[number] + 0.5 * all_rows[number * 7 % 3_000]).tolist()
        exact, found = full.nearest(query, 400), cold.nearest(query, 400)
        assert len(found) == 400
        assert found == full.scores(query, list(found))
        assert list(found)[:10] == list(exact)[:10]
        assert set(list(exact)[:40]) <= found.keys()
        assert list(found.values()) == sorted(found.values(), reverse=True)


def test_cold_scores_those_that_are_there(many: tuple[Path, np.ndarray]) -> None:
    folder, all_rows = many
    full, cold = Vectors.open(str(folder), 384, "model-1"), Cold.open(str(folder))
    digests, query = [key(number) for number in range(2_000, 4_000)], all_rows[9].tolist()
    found = cold.scores(query, digests)
    assert len(found) == 1_000
    assert found == full.scores(query, digests)


@pytest.mark.parametrize("dim", [16, 20])
def test_a_small_store_is_read_whole(dim: int, tmp_path: Path) -> None:
    full, query = filled(tmp_path / "s", dim), rows(200, dim=dim)[0].tolist()
    assert Cold.open(str(tmp_path / "s")).nearest(query, 45) == full.nearest(query, 45)
    assert Cold.open(str(tmp_path / "s")).nearest(query, 7) == full.nearest(query, 7)


def test_a_width_that_is_no_multiple_of_eight_is_prefiltered(tmp_path: Path) -> None:
    store = opened(tmp_path / "s", 20)
    put(store, *range(600))
    store.compact()
    put(store, *range(600, 650))
    for number in range(0, 650, 50):
        found = Cold.open(str(tmp_path / "s")).nearest(rows(number, dim=20)[0].tolist(), 5)
        assert next(iter(found)) == key(number)


def test_equal_rows_do_not_make_it_slow(tmp_path: Path) -> None:
    store = opened(tmp_path / "s")
    store.add([key(number) for number in range(2_000)], rows(*[5] * 2_000))
    cold, query = Cold.open(str(tmp_path / "s")), rows(5)[0].tolist()
    assert len(list(cold._candidates(query, 50))) == 100
    assert len(cold.nearest(query, 50)) == 50


def test_nothing_is_an_empty_store(tmp_path: Path) -> None:
    opened(tmp_path / "made")
    for name in ("made", "missing"):
        cold = Cold.open(str(tmp_path / name))
        assert (len(cold), cold.nearest([0.5] * 16, 3), cold.scores([0.5] * 16, [key(1)])) == (0, {}, {})
    assert not (tmp_path / "missing").exists()


@pytest.mark.parametrize("how", ["flip", "cut", "gone"])
@pytest.mark.parametrize(
    "name", ["current", *(f"gen-000001/{each}" for each in ("manifest", "digests", "signs", "mean"))]
)
def test_damage_is_said_and_nothing_moves(name: str, how: str, tmp_path: Path) -> None:
    filled(tmp_path / "s")
    spoil(tmp_path / "s" / name, how)
    before = sorted(os.listdir(tmp_path / "s"))
    with pytest.raises(Damaged, match="damaged"):
        Cold.open(str(tmp_path / "s"))
    assert sorted(os.listdir(tmp_path / "s")) == before


def test_a_row_that_is_no_unit_vector_is_damage(tmp_path: Path) -> None:
    filled(tmp_path / "s")
    kept, _ = generation.load(str(tmp_path / "s"), whole=True) or pytest.fail("nothing there")
    with open(tmp_path / "s/gen-000001/index.faiss", "r+b") as file:
        file.seek(kept.offset)
        file.write(b"\xff\x7b" * 16)
    with pytest.raises(Damaged):
        Cold.open(str(tmp_path / "s")).nearest(rows(1)[0].tolist(), 5)


def test_the_index_cut_short_is_damage(tmp_path: Path) -> None:
    filled(tmp_path / "s")
    spoil(tmp_path / "s/gen-000001/index.faiss", "cut")
    with pytest.raises(Damaged, match="bytes, not"):
        Cold.open(str(tmp_path / "s"))


def test_another_width_is_named(tmp_path: Path) -> None:
    filled(tmp_path / "s")
    with pytest.raises(MemError, match="width 8, the store holds width 16"):
        Cold.open(str(tmp_path / "s")).nearest([0.5] * 8, 3)


def test_reading_writes_nothing(tmp_path: Path) -> None:
    filled(tmp_path / "s")
    os.truncate(next((tmp_path / "s").glob("tail-*")), 100)
    before = {path: path.read_bytes() for path in (tmp_path / "s").rglob("*") if path.is_file()}
    cold = Cold.open(str(tmp_path / "s"))
    assert len(cold.nearest(rows(1)[0].tolist(), 50)) == len(cold) == 41
    assert {path: path.read_bytes() for path in (tmp_path / "s").rglob("*") if path.is_file()} == before


def test_it_loads_next_to_nothing(tmp_path: Path) -> None:
    code = "import sys, os; old = set(sys.modules); import memcli.index.cold; print(*sorted(set(sys.modules) - old))"
    ran = spawn([sys.executable, "-P", "-S", "-c", code], folder=tmp_path)
    loaded = set(ran.out.split())
    assert loaded >= LIGHT
    assert loaded - LIGHT <= {"__future__", "_operator", "bisect", "_bisect", "mmap", "struct", "_struct", "zlib"}


def test_a_row_of_zeros_is_damage_and_not_an_answer(tmp_path: Path) -> None:
    store = Vectors.open(str(tmp_path), 16, "x")
    rows = np.eye(16, dtype=np.float32)
    store.add([bytes([at]) * 16 for at in range(16)], rows)
    store.compact()
    (index,) = tmp_path.glob("gen-*/index.faiss")
    offset = Cold.open(str(tmp_path))._base.offset
    with index.open("r+b") as file:
        file.seek(offset)
        file.write(bytes(rows.size * 2))
    with pytest.raises(Damaged):
        Cold.open(str(tmp_path)).nearest([1.0] + [0.0] * 15)

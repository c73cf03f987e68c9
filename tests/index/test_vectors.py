"""The vector store is a dict of rows, whatever is added, compacted, killed, filled up or flipped in between."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memcli.errors import Damaged, MemError
from memcli.index import generation
from memcli.index.vectors import Vectors

DIM = 16


def key(number: int) -> bytes:
    return blake2b(b"%d" % number, digest_size=16).digest()


def rows(*numbers: int, dim: int = DIM) -> np.ndarray:
    """A unit row for each number, always the same."""
    found = np.stack([np.random.default_rng(number).standard_normal(dim) for number in numbers]).astype("f4")
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def put(store: Vectors, *numbers: int) -> None:
    store.add([key(number) for number in numbers], rows(*numbers, dim=store.dim))


def opened(folder: Path, dim: int = DIM, identity: str = "model-1") -> Vectors:
    return Vectors.open(str(folder), dim, identity)


def filled(folder: Path, dim: int = DIM) -> Vectors:
    """Rows 0 to 39 in a generation, 40 to 44 in the tail."""
    store = opened(folder, dim)
    put(store, *range(40))
    store.compact()
    put(store, *range(40, 45))
    return store


def holds(store: Vectors, *numbers: int) -> bool:
    """Has the store these rows, no other, and finds each by itself?"""
    keys = [key(number) for number in numbers]
    if len(store) != len(keys) or store.missing(keys):
        return False
    wanted = rows(*numbers, dim=store.dim).astype("f2")
    found = [next(iter(store.nearest(row.tolist(), 1))) for row in wanted]
    return found == keys and bool((store.rows(keys) == wanted).all())


def tail_of(folder: Path) -> Path:
    (path,) = folder.glob("tail-*")
    return path


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("add"), st.lists(st.integers(0, 30), min_size=1, max_size=8)),
            st.tuples(st.just("keep"), st.lists(st.integers(0, 30), max_size=20)),
            st.tuples(st.sampled_from(["compact", "reopen", "elsewhere"]), st.just([])),
        ),
        max_size=12,
    )
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_store_is_a_dict_of_rows(steps: list[tuple[str, list[int]]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "store"
        store, model = opened(folder), set[int]()
        for verb, numbers in steps:
            if verb == "add":
                put(store, *numbers)
                model |= set(numbers)
            elif verb == "keep":
                store.compact({key(number) for number in numbers})
                model &= set(numbers)
            elif verb == "compact":
                store.compact()
            elif verb == "elsewhere":
                other = opened(folder)
                put(other, len(model) % 31)
                model.add(len(model) % 31)
                other.compact()
                put(store, len(model) % 31)
                model.add(len(model) % 31)
            else:
                store = opened(folder)
            if verb != "elsewhere" and model:
                assert holds(store, *sorted(model))
        assert holds(opened(folder), *sorted(model)) if model else len(opened(folder)) == 0


def test_the_faiss_file_holds_plain_float16_rows_at_the_offset(tmp_path: Path) -> None:
    store = filled(tmp_path / "s", 24)
    store.compact()
    kept, _ = generation.load(str(tmp_path / "s"), whole=True) or pytest.fail("nothing there")
    order = sorted(range(45), key=key)
    wanted = rows(*order, dim=24).astype("<f2")
    data = (tmp_path / "s/gen-000002/index.faiss").read_bytes()
    assert data[kept.offset :] == wanted.tobytes()
    assert kept.digests == b"".join(map(key, order))
    mean = np.frombuffer(kept.mean, "<f4")
    assert np.allclose(mean, wanted.astype("f8").mean(axis=0), atol=1e-4)
    assert kept.signs == np.packbits(wanted > mean, axis=1).tobytes()


def test_faiss_finds_what_brute_force_finds(tmp_path: Path) -> None:
    store = opened(tmp_path / "s", 64)
    put(store, *range(700))
    store.compact()
    put(store, *range(700, 800))
    for number in range(900, 910):
        query = rows(number, dim=64)[0]
        exact = rows(*range(800), dim=64).astype("f2").astype("f8") @ query.astype("f8")
        best = exact.argsort()[::-1][:20]
        assert store.nearest(query.tolist(), 20) == {key(int(at)): round(float(exact[at]), 6) for at in best}


def test_scores_are_for_those_that_are_there(tmp_path: Path) -> None:
    store, query = filled(tmp_path / "s"), rows(3)[0]
    found = store.scores(query.tolist(), [key(3), key(99), key(44)])
    assert found == pytest.approx({key(3): 1.0, key(44): float(rows(44)[0] @ query)}, abs=1e-3)
    assert store.missing([key(99), key(3), key(98)]) == [key(99), key(98)]
    with pytest.raises(KeyError):
        store.rows([key(99)])


def test_an_empty_store_finds_nothing(tmp_path: Path) -> None:
    store = opened(tmp_path / "s")
    assert store.nearest(rows(1)[0].tolist(), 5) == {}
    store.compact()
    assert opened(tmp_path / "s").nearest(rows(1)[0].tolist(), 5) == {}


def test_a_row_that_is_there_stays(tmp_path: Path) -> None:
    store = filled(tmp_path / "s")
    store.add([key(3), key(50), key(50)], rows(4, 50, 51))
    assert holds(store, *range(45), 50)


def test_a_store_is_due_when_its_tail_is_long(tmp_path: Path) -> None:
    store = opened(tmp_path / "s")
    put(store, *range(512))
    assert not store.due
    put(store, 512)
    assert store.due
    store.compact()
    assert not store.due


def test_all_is_private(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        filled(tmp_path / "a" / "s")
    finally:
        os.umask(old)
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "a").rglob("*") if path.is_file()}
    assert modes == {0o600}
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "a").rglob("*") if path.is_dir()} == {0o700}


def test_a_compact_leaves_one_generation(tmp_path: Path) -> None:
    store = filled(tmp_path / "s")
    store.compact({key(1)})
    assert sorted(os.listdir(tmp_path / "s")) == ["current", "gen-000002"]
    assert holds(opened(tmp_path / "s"), 1)


@pytest.mark.parametrize("name", ["用户 é", "a\udce9b"])
def test_any_folder_name_works_faiss_09(name: str, tmp_path: Path) -> None:
    filled(tmp_path / name)
    store = opened(tmp_path / name)
    store.compact()
    assert holds(store, *range(45))


def test_another_width_is_named_and_nothing_is_added_faiss_05(tmp_path: Path) -> None:
    store = filled(tmp_path / "s")
    with pytest.raises(MemError, match="width 8, the store holds width 16"):
        store.add([key(60)], rows(60, dim=8))
    with pytest.raises(MemError, match="width 8, the store holds width 16"):
        store.nearest([0.5] * 8, 3)
    with pytest.raises(MemError, match="no numbers"):
        store.add([key(60)], rows(60) * np.nan)
    assert holds(opened(tmp_path / "s"), *range(45))


@pytest.mark.parametrize(("dim", "identity", "said"), [(8, "model-1", "width 8 by"), (DIM, "model-2", "by model-2")])
def test_a_store_of_another_encoder_is_set_aside_faiss_05(dim: int, identity: str, said: str, tmp_path: Path) -> None:
    filled(tmp_path / "s")
    with pytest.raises(Damaged, match=f"width 16 by model-1, not of .*{said}") as caught:
        opened(tmp_path / "s", dim, identity)
    assert str(tmp_path / "s" / "damaged-0") in str(caught.value)
    assert len(opened(tmp_path / "s", dim, identity)) == 0


def spoil(path: Path, how: str) -> None:
    data = bytearray(path.read_bytes())
    if how == "flip":
        data[len(data) // 2] ^= 0x10
    path.unlink() if how == "gone" else path.write_bytes(data[:-1] if how == "cut" else data)


@pytest.mark.parametrize("how", ["flip", "cut", "gone"])
@pytest.mark.parametrize("name", ["current", *(f"gen-000001/{each}" for each in ("manifest", *generation.FILES))])
def test_a_damaged_file_is_kept_aside_and_the_next_open_starts_empty_faiss_02(
    name: str, how: str, tmp_path: Path
) -> None:
    filled(tmp_path / "s")
    spoil(tmp_path / "s" / name, how)
    with pytest.raises(Damaged, match="damaged"):
        opened(tmp_path / "s")
    assert sorted(os.listdir(tmp_path / "s")) == ["damaged-0"]
    assert (tmp_path / "s/damaged-0/tail-000001").stat().st_size == 5 * (16 + 2 + 32 + 4)
    store = opened(tmp_path / "s")
    assert len(store) == 0
    put(store, 7)
    assert holds(opened(tmp_path / "s"), 7)


def test_a_lost_generation_is_damage(tmp_path: Path) -> None:
    filled(tmp_path / "s")
    (tmp_path / "s/gen-000001").rename(tmp_path / "elsewhere")
    with pytest.raises(Damaged, match="manifest is damaged: it is missing"):
        opened(tmp_path / "s")


def test_two_damaged_stores_are_kept(tmp_path: Path) -> None:
    for number in range(4):
        put(opened(tmp_path / "s"), number)
        spoil(tmp_path / "s/current", "flip")
        with pytest.raises(Damaged, match=f"damaged-{number}"):
            opened(tmp_path / "s")
    assert sorted(os.listdir(tmp_path / "s")) == ["damaged-2", "damaged-3"]


@pytest.mark.parametrize("left", [1, 17, 53])
def test_a_torn_record_is_dropped_and_overwritten(left: int, tmp_path: Path) -> None:
    filled(tmp_path / "s")
    tail = tail_of(tmp_path / "s")
    os.truncate(tail, 4 * 54 + left)
    store = opened(tmp_path / "s")
    assert holds(store, *range(44))
    put(store, 60)
    assert tail.stat().st_size == 5 * 54
    assert holds(opened(tmp_path / "s"), *range(44), 60)


@pytest.mark.parametrize("at", [0, 17, 30, 53])
def test_a_flipped_record_ends_the_tail(at: int, tmp_path: Path) -> None:
    filled(tmp_path / "s")
    tail = tail_of(tmp_path / "s")
    data = bytearray(tail.read_bytes())
    data[2 * 54 + at] ^= 1
    tail.write_bytes(data)
    assert holds(opened(tmp_path / "s"), *range(42))


def test_zeros_that_a_power_cut_leaves_are_no_record(tmp_path: Path) -> None:
    filled(tmp_path / "s")
    with tail_of(tmp_path / "s").open("ab") as file:
        file.write(bytes(540))
    assert holds(opened(tmp_path / "s"), *range(45))


# Forks once for each step of a compact, and ends the child there. FAISS starts its threads in the children only.
KILL = """
import os, shutil, sys
sys.path[:0] = [sys.argv[2]]
from tests_key import key, put, opened
from pathlib import Path
base = Path(sys.argv[1])
import faiss
step = 0
while True:
    folder = base / str(step)
    shutil.copytree(base / "start", folder)
    child = os.fork()
    if not child:
        left = step
        def dying(act):
            def run(*args, **more):
                global left
                if not left:
                    os._exit(9)
                left -= 1
                return act(*args, **more)
            return run
        for name in ("fsync", "replace", "unlink", "rmdir", "mkdir", "write"):
            setattr(os, name, dying(getattr(os, name)))
        opened(folder).compact({key(number) for number in range(30)} | {key(42)})
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        break
    step += 1
print(step)
"""


def test_a_kill_at_any_step_leaves_the_old_or_the_new(tmp_path: Path) -> None:
    filled(tmp_path / "start")
    code = KILL.replace("from tests_key", "from index.test_vectors")
    env = dict(os.environ) | {"PYTHONPATH": f"{ROOT / 'tests'}{os.pathsep}{os.environ['PYTHONPATH']}"}
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path, ROOT], env=env, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    steps, new = int(done.stdout), 0
    assert steps > 20
    for step in range(steps):
        store = opened(tmp_path / str(step))
        if holds(store, *range(30), 42):
            new += 1
        else:
            assert holds(store, *range(45)), step
        put(store, 70)
        store.compact({key(70)})
        assert sorted(os.listdir(store.folder)) == ["current", f"gen-{store._base.kept.number:06}"]
        assert holds(opened(tmp_path / str(step)), 70)
    assert 0 < new < steps


FULL = """
import os, resource, signal, sys
from index.test_vectors import filled, holds, opened, put
from pathlib import Path
folder = Path(sys.argv[1])
store = opened(folder)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
for act in (lambda: put(store, *range(100, 400)), store.compact):
    try:
        act()
    except OSError as error:
        print(type(error).__name__, holds(store, *range(45)), holds(opened(folder), *range(45)))
"""


@pytest.mark.parametrize("most", [0, 50, 400, 1500])
def test_a_full_disk_leaves_what_was_there_faiss_08(most: int, tmp_path: Path) -> None:
    filled(tmp_path / "s")
    env = dict(os.environ) | {"PYTHONPATH": f"{ROOT / 'tests'}{os.pathsep}{os.environ['PYTHONPATH']}"}
    done = subprocess.run(
        [sys.executable, "-c", FULL, tmp_path / "s", str(most)], env=env, capture_output=True, text=True, timeout=60
    )
    # The pointer takes some 70 bytes, the index 1,521.
    assert (done.stdout, done.stderr) == ("OSError True True\n" * 2, "")
    names = sorted(os.listdir(tmp_path / "s"))
    assert names == ["current", "gen-000001", "tail-000001"]


def test_a_reader_survives_a_compact_by_another_process(tmp_path: Path) -> None:
    store = filled(tmp_path / "s")
    other = opened(tmp_path / "s")
    store.compact({key(number) for number in range(10)})
    assert holds(other, *range(45))
    put(other, 80)
    assert holds(other, *range(10), 80)


def test_a_compact_between_two_reads_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, once = filled(tmp_path / "s"), [True]
    real = generation._fill

    def slow(found: generation.Generation, folder: str, whole: bool) -> None:
        if once and once.pop():
            store.compact()
        real(found, folder, whole)

    monkeypatch.setattr(generation, "_fill", slow)
    assert holds(opened(tmp_path / "s"), *range(45))


ORDER = """
import {first}, {second}, sys
from index.test_vectors import filled, holds
from pathlib import Path
store = filled(Path(sys.argv[1]) / "s")
store.compact()
assert holds(store, *range(45))
"""


@pytest.mark.parametrize(("first", "second"), [("faiss", "numpy"), ("numpy", "faiss")])
@pytest.mark.parametrize("threads", [None, "1"])
def test_any_order_of_imports_and_threads_works_faiss_11(
    first: str, second: str, threads: str | None, tmp_path: Path
) -> None:
    env = dict(os.environ) | {"PYTHONPATH": f"{ROOT / 'tests'}{os.pathsep}{os.environ['PYTHONPATH']}"}
    if threads:
        env["OMP_NUM_THREADS"] = threads
    for number in range(2):
        line = [sys.executable, "-c", ORDER.format(first=first, second=second), tmp_path / str(number)]
        assert subprocess.run(line, env=env, timeout=60).returncode == 0


def test_no_faiss_is_said_in_words_faiss_06(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled(tmp_path / "s")
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(MemError, match="FAISS does not load"):
        store.compact()
    with pytest.raises(MemError, match="width 8, the store holds width 16"):
        store.nearest([0.5] * 8, 3)
    assert len(opened(tmp_path / "s")) == 45


def test_equal_scores_come_in_one_order(tmp_path: Path) -> None:
    store, numbers = opened(tmp_path / "s"), list(range(20))
    random.Random(1).shuffle(numbers)
    store.add([key(number) for number in numbers], rows(*[5] * 20))
    before = list(store.nearest(rows(5)[0].tolist(), 20))
    store.compact()
    assert list(store.nearest(rows(5)[0].tolist(), 20)) == before == sorted(before)

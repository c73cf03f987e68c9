"""Names of vector spaces: the same for the same weights, another for any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from memcli.index.encode import fingerprint


def test_parts_are_told_apart() -> None:
    assert fingerprint.of("a", "bc") != fingerprint.of("ab", "c")
    assert fingerprint.of("a", "b") == fingerprint.of("a", "b")


@pytest.mark.parametrize("size", [0, 1, 4095, 100_000, 1_000_000])
def test_weights_are_named_by_their_content_and_not_by_their_place(tmp_path: Path, size: int) -> None:
    data = bytes(at * at % 251 for at in range(size))
    for name in ("one", "two"):
        (tmp_path / name).write_bytes(data)
    assert fingerprint.weights(str(tmp_path / "one")) == fingerprint.weights(str(tmp_path / "two"))
    (tmp_path / "two").write_bytes(data + b"\0")
    assert fingerprint.weights(str(tmp_path / "one")) != fingerprint.weights(str(tmp_path / "two"))


def test_other_weights_of_the_same_size_have_another_name(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(bytes(500_000))
    (tmp_path / "two").write_bytes(bytes(499_999) + b"\1")
    assert fingerprint.weights(str(tmp_path / "one")) != fingerprint.weights(str(tmp_path / "two"))

"""JSON Lines after crashes, and with many writers."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.errors import Unreadable
from memcli.files.jsonl import TORN, Record, append, records

Got = tuple[int, Any]


def read(path: Path, data: bytes) -> list[Record]:
    path.write_bytes(data)
    return list(records(str(path)))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def values(found: list[Record]) -> list[Got]:
    """Each record as its line and its value, or "lost" or "torn"."""
    return [(one.line, one.value or ("torn" if one.problem == TORN else "lost")) for one in found]


A, B, C = {"a": 1}, {"type": "user", "m": {"x": [1]}}, {"c": "三"}
a, b, c = (json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() for value in (A, B, C))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (a + b"\n" + c + b"\n", [(1, A), (2, C)]),
        (b"\xef\xbb\xbf" + a + b"\r\n\r\n \n" + c, [(1, A), (4, C)]),
        (a + b"\n" + b[:-3], [(1, A), (2, "torn")]),
        (a + b"\n" + b[:-3] + b"\n" + c + b"\n", [(1, A), (2, "lost"), (3, C)]),
        # jsonl-02: a record glued to a torn one
        (b'{"a":1,"b":"x' + b + b"\n" + c + b"\n", [(1, "lost"), (1, B), (2, C)]),
        (b'{"a":1,"b":tru' + b + b"\n", [(1, "lost"), (1, B)]),
        (b'{"a":1,"b":[1' + b + b"\n", [(1, "lost"), (1, B)]),
        (b'{"a":1,"b' + b + b"\n", [(1, "lost"), (1, B)]),
        (b'{"a":"\\' + b + b"\n", [(1, "lost"), (1, B)]),
        (b'{"a":"x' + b + b'{"d":"y' + c + b"\n", [(1, "lost"), (1, B), (1, "lost"), (1, C)]),
        (a + b + c + b"\n", [(1, A), (1, B), (1, C)]),
        (a + b + b'{"d":', [(1, A), (1, B), (1, "torn")]),
        # A piece of a record is no record.
        (b'{"a":1,"x":[{"b":2}\n', [(1, "lost")]),
        (b'{"a":1,"x":[{"b":2},{"c":3}' + c + b"\n", [(1, "lost"), (1, C)]),
        (b'ype":"user","message":{"role":"user"}}\n', [(1, "lost")]),
        # jsonl-03: NULs after a crash
        (b"\0" * 700 + b"\n" + a + b"\n", [(2, A)]),
        (a + b"\0" * 9_000 + b"\n" + c + b"\n", [(1, A), (2, C)]),
        (a + b"\0" * 9_000 + b + b"\n", [(1, A), (1, B)]),
        (b'{"a":"x' + b"\0" * 50 + b + b"\n" + c + b"\0" * 9_000, [(1, "lost"), (1, B), (2, C)]),
        # jsonl-12 and what else JSON has
        (b"[\n" + a + b"\n", [(1, "lost"), (2, A)]),
        (b"[" + a + b"]\n1\nnull\n", [(1, "lost"), (2, "lost"), (3, "lost")]),  # index-10
        (b'{\n "a": 1\n}\n', [(1, "lost"), (2, "lost"), (3, "lost")]),
        (b"[" * 100_000 + b"\n" + a + b"\n", [(1, "lost"), (2, A)]),
        (b'{"n":' + b"1" * 5_000 + b"}\n" + a, [(1, "lost"), (2, A)]),
        (b'{"a":"\xff"}\n', [(1, {"a": "\ufffd"})]),
        (b'{"a":"\\ud83d x","b":"\\ud83d\\ude00"}\n', [(1, {"a": "\ufffd x", "b": "😀"})]),
    ],
)
def test_damage_costs_what_is_damaged_and_no_more(log: Path, data: bytes, expected: list[Got]) -> None:
    assert values(read(log, data)) == expected


def test_a_record_knows_its_bytes(log: Path) -> None:
    data = a + b"\n\n" + b'{"t":"' + c + b"\n" + b + b"\n"
    found = read(log, data)
    assert [data[one.start : one.end] for one in found] == [a + b"\n", b'{"t":"', c + b"\n", b + b"\n"]


def test_reading_goes_on_where_it_stopped(log: Path) -> None:  # jsonl-06
    found = read(log, a + b"\n" + c + b"\n" + b'{"torn')
    assert found[-1].problem == TORN
    with open(log, "ab") as file:
        file.write(b'":1}\n')
    again = list(records(str(log), found[-1].start, found[-1].line))
    assert again == [Record(3, found[-1].start, len(log.read_bytes()), {"torn": 1})]


def test_a_line_of_25_mb_is_read_in_little_memory(log: Path) -> None:  # jsonl-05
    big = b'{"t":"' + b"x" * 25_000_000 + b'"}\n'
    log.write_bytes(a + b"\n" + big + c + b"\n")
    tracemalloc.start()
    sizes = [len(one.value or {}) for one in records(str(log))]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert sizes == [1, 1, 1]
    assert peak < 5 * len(big)


def test_a_file_is_streamed(log: Path) -> None:  # jsonl-06
    line = json.dumps({"t": "x" * 1_000}).encode() + b"\n"
    log.write_bytes(line * 10_000)
    tracemalloc.start()
    count = sum(1 for _ in records(str(log)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 10_000
    assert peak < 500_000


def test_a_directory_and_a_pipe_are_named_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, what in [(tmp_path, "is a directory"), (tmp_path / "pipe", "no regular file")]:
        with pytest.raises(Unreadable, match=what):
            list(records(str(path)))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from([a, b, b'{"t":"', b'"', b"}", b"\n", b"\0", b"[", b",", b"\xff", b"\\", b" "]), max_size=20
    )
)
def test_any_bytes_are_read_in_order(tmp_path_factory: pytest.TempPathFactory, parts: list[bytes]) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    data = b"".join(parts)
    at = 0
    for one in read(path, data):
        assert at <= one.start < one.end <= len(data)
        assert (one.value is None) == (one.problem is not None)
        assert one.line == data.count(b"\n", 0, one.start) + 1
        at = one.end


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(b) - 1), st.sampled_from([b"\n", b""]))
def test_a_cut_anywhere_never_costs_the_lines_around(
    tmp_path_factory: pytest.TempPathFactory, cut: int, end: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "cut.jsonl"
    found = read(path, a + b"\n" + b[:cut] + end + c + b"\n" + a + b"\n")
    kept = [one.value for one in found if one.value is not None]
    # Glued right where a value was due, the next record cannot be told from a part of the torn one.
    assert kept in ([A, C, A], [A, A]) if not end else kept == [A, C, A]
    assert len(kept) + sum(one.problem is not None for one in found) >= 3


def test_appended_records_are_lines_that_read_back(log: Path) -> None:
    at = append(str(log), [A, C])
    assert append(str(log), [B]) == len(log.read_bytes()) - len(b) - 1
    assert (at, [one.value for one in records(str(log))]) == (0, [A, C, B])
    assert os.stat(log).st_mode & 0o777 == 0o600
    assert c in log.read_bytes()


def test_append_ends_a_line_that_has_no_end(log: Path) -> None:
    log.write_bytes(b'{"torn')
    at = append(str(log), [A])
    assert log.read_bytes() == b'{"torn\n' + a + b"\n"
    assert at == 7


def test_appending_nothing_changes_nothing(log: Path) -> None:
    log.write_bytes(b'{"torn')
    append(str(log), [])
    assert log.read_bytes() == b'{"torn'


def test_text_without_a_utf_8_form_is_escaped(log: Path) -> None:
    append(str(log), [{"a": "\ud83d"}])
    assert log.read_bytes() == b'{"a":"\\ud83d"}\n'


def test_a_value_that_json_lacks_writes_nothing(log: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        append(str(log), [A, {"a": float("nan")}])
    assert not log.exists()


def test_a_full_disk_leaves_no_part_of_a_record(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append(str(log), [A])
    write = os.write
    calls: list[int] = []

    def full(fd: int, data: memoryview) -> int:
        calls.append(fd)
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, "no space left on device")
        return write(fd, data[:3])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="no space"):
        append(str(log), [B])
    assert log.read_bytes() == a + b"\n"


WRITER = """
import sys
from memcli.errors import Unreadable
from memcli.files.jsonl import append
for number in range(5):
    append(sys.argv[1], [{"who": sys.argv[2], "n": number, "text": sys.argv[2] * 300_000}])
"""


def test_six_writers_of_large_records_lose_none(log: Path) -> None:  # jsonl-08
    log.write_bytes(b'{"torn')
    command = [sys.executable, "-c", WRITER, str(log)]
    writers = [subprocess.Popen([*command, name]) for name in "abcdef"]
    assert [writer.wait() for writer in writers] == [0] * 6
    torn, *found = records(str(log))
    assert torn.value is None
    rows = [(one.value["who"], one.value["n"], len(one.value["text"])) for one in found if one.value]
    assert sorted(rows) == [(name, number, 300_000) for name in "abcdef" for number in range(5)]

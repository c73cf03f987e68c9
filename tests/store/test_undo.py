"""Whatever was done: undoing all of it gives back every byte, and undoing the undos brings all of it again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from store.rig import NOW, change, notice_all, read, write

from memcli.store.history import operations, undo, verify

NAMES = ("a.md", "b.md", "c.md")
CONTENT = st.none() | st.lists(st.sampled_from([b"- a\n", b"- b\r\n", b"\xff\n", b"- no end"]), max_size=4).map(
    b"".join
)
FILES = st.dictionaries(st.sampled_from(NAMES), CONTENT, min_size=1)


@settings(max_examples=40, deadline=None)
@given(before=FILES, steps=st.lists(st.tuples(st.booleans(), FILES), max_size=6))
def test_undoing_all_gives_back_the_original_bytes(
    before: dict[str, bytes | None], steps: list[tuple[bool, dict[str, bytes | None]]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home, work = Path(folder, "home"), Path(folder, "work")
        work.mkdir()
        fill(work, before)
        original, final = contents(work), play(home, work, steps)
        count = len(list(operations(str(home))))
        undos = [undo(str(home), None, actor="t", now=NOW).id for _ in range(count)]
        assert contents(work) == original
        for name in reversed(undos):
            undo(str(home), name, actor="t", now=NOW)
        assert (contents(work), verify(str(home))) == (final, [])


def play(home: Path, work: Path, steps: list[tuple[bool, dict[str, bytes | None]]]) -> list[bytes | None]:
    """What the files hold after `steps`: each by mem, or by hand (of files that mem knows) and noticed."""
    for by_hand, wanted in steps:
        if by_hand:
            known = {path for item in operations(str(home)) for path in item.paths}
            fill(work, {name: data for name, data in wanted.items() if str(work.resolve() / name) in known})
            notice_all(home, [work / name for name in NAMES])
        else:
            write(home, *(change(work / name, data) for name, data in wanted.items()))
    return contents(work)


def fill(work: Path, wanted: dict[str, bytes | None]) -> None:
    for name, data in wanted.items():
        if data is None:
            (work / name).unlink(missing_ok=True)
        else:
            (work / name).write_bytes(data)


def contents(work: Path) -> list[bytes | None]:
    return [read(work / name) for name in NAMES]

"""Three-way merge by lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.store.history import lines_merge

BASE = b"# Memory\n\n- one\n- two\n- three\n"


def swap(old: bytes, new: bytes, base: bytes = BASE) -> bytes:
    assert old in base
    return base.replace(old, new)


MERGES = {
    "far apart": (swap(b"one", b"1"), swap(b"three", b"3"), b"# Memory\n\n- 1\n- two\n- 3\n"),
    "the same": (swap(b"two", b"2"), swap(b"two", b"2"), b"# Memory\n\n- one\n- 2\n- three\n"),
    "both append": (BASE + b"- mine\n", BASE + b"- yours\n", BASE + b"- yours\n- mine\n"),
    "both append one alike": (BASE + b"- x\n- a\n", BASE + b"- x\n- b\n", BASE + b"- x\n- b\n- a\n"),
    "a heading each": (BASE + b"\n## A\n\n- a\n", BASE + b"\n## B\n\n- b\n", BASE + b"\n## B\n\n- b\n\n## A\n\n- a\n"),
    "removed beside an addition": (swap(b"- three\n", b""), BASE + b"- new\n", swap(b"- three\n", b"- new\n")),
    "changed beside an addition": (BASE + b"- new\n", swap(b"three", b"3"), swap(b"three", b"3") + b"- new\n"),
    "added before what was changed": (
        swap(b"- one", b"- zero\n- one"),
        swap(b"one", b"1"),
        swap(b"- one", b"- zero\n- 1"),
    ),
    "no last line end": (BASE + b"- mine", BASE + b"- yours\n", BASE + b"- yours\n- mine"),
    "nothing to add to": (BASE, BASE.rstrip(), BASE.rstrip()),
    "records": (BASE + b'{"a":1}\n', BASE + b'{"b":1}\n', BASE + b'{"b":1}\n{"a":1}\n'),
}

CONFLICTS = {
    "the same line": (swap(b"two", b"2"), swap(b"two", b"II")),
    "changed and removed": (swap(b"two", b"2"), swap(b"- two\n", b"")),
    "a second paragraph would change its owner": (BASE + b"  and more\n", BASE + b"- new\n"),
    "so would one of theirs": (BASE + b"- new\n", BASE + b"\n  and more\n"),
    "a continuation of what is removed": (swap(b"- three\n", b""), BASE + b"  and more\n"),
    "prose that goes on": (BASE + b"more words\n", BASE + b"other words\n"),
}


@pytest.mark.parametrize("name", MERGES)
def test_both_changes_are_in(name: str) -> None:
    ours, theirs, merged = MERGES[name]
    assert lines_merge(BASE, ours, theirs) == merged


@pytest.mark.parametrize("name", MERGES)
def test_both_changes_are_in_with_crlf(name: str) -> None:
    texts = (text.replace(b"\n", b"\r\n") for text in (BASE, *MERGES[name][:2]))
    assert lines_merge(*texts) == MERGES[name][2].replace(b"\n", b"\r\n")


@pytest.mark.parametrize("name", CONFLICTS)
def test_a_contradiction_is_none(name: str) -> None:
    ours, theirs = CONFLICTS[name]
    assert lines_merge(BASE, ours, theirs) is None
    assert lines_merge(BASE, theirs, ours) is None


def test_a_long_file_is_merged_in_no_time() -> None:
    lines = [b"- entry number %d\n\n" % number for number in range(5000)]
    ours, theirs = lines.copy(), lines.copy()
    ours[10:10] = [b"- mine\n\n"]
    theirs[4000] = b"- theirs\n\n"
    merged = lines_merge(b"".join(lines), b"".join(ours), b"".join(theirs))
    assert merged == b"".join([*ours[:4001], b"- theirs\n\n", *ours[4002:]])


TEXT = st.lists(st.sampled_from([b"- a\n", b"- b\n", b"  c\n", b"\n", b"# H\n", b"prose\n"]), max_size=6).map(b"".join)


@given(TEXT, TEXT)
def test_one_change_wins_over_none(base: bytes, text: bytes) -> None:
    assert lines_merge(base, text, base) == text
    assert lines_merge(base, base, text) == text
    assert lines_merge(base, text, text) == text


@given(TEXT, TEXT, TEXT)
def test_no_line_is_lost_that_one_added(base: bytes, ours: bytes, theirs: bytes) -> None:
    merged = lines_merge(base, ours, theirs)
    if merged is None:
        return
    for side in (ours, theirs):
        added = set(side.splitlines()) - set(base.splitlines())
        assert added <= set(merged.splitlines())


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [
        ("- a\n", "- b\n", ""),
        ("- A\n- b\n", "- a\n- B\n", "- A\n- B\n"),
        ("- A\n- b\n", "- a\n", "- A\n"),
        ("- a\n- n\n- b\n", "- a\n- B\n", "- a\n- n\n- B\n"),
    ],
)
def test_items_side_by_side_are_changed_and_removed_apart(ours: str, theirs: str, merged: str) -> None:
    base = b"- a\n- b\n"
    assert lines_merge(base, ours.encode(), theirs.encode()) == merged.encode()
    assert lines_merge(base, theirs.encode(), ours.encode()) == merged.encode()


def test_the_wrapped_line_of_an_item_is_no_item_beside_it() -> None:
    assert lines_merge(b"- a\n  b\n", b"- A\n  b\n", b"- a\n  B\n") is None
    assert lines_merge(b"x\n- a\n  b\n", b"x\n- a\n", b"x\n  b\n") is None

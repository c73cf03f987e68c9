"""Generated documents and texts for the plans, and what every plan has to keep."""

from __future__ import annotations

import difflib
from datetime import UTC, datetime

from hypothesis import strategies as st

from memcli.files.markdown import Item, parse
from memcli.store.add import add
from memcli.store.draft import Draft, Edit
from tests.files.samples import SAMPLES

NOW = datetime(2026, 12, 1, 9, 30, 15, tzinfo=UTC)
ID = "k7f3q2"

LINES = sorted({line for text in SAMPLES.values() for line in text.replace("\r", "").split("\n")[:12]})
PIECES = st.sampled_from(
    [*LINES, "", "", "# H", "## Preferences", "## 偏好", "- a", "- b", "  c", "\t- d", "<x>", "</x>", "```"]
)
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\n\n"])


def _join(pairs: list[tuple[str, str]], last: str) -> bytes:
    return ("".join(line + end for line, end in pairs) + last).encode()


DOCUMENTS = st.builds(_join, st.lists(st.tuples(PIECES, ENDS), max_size=12), st.one_of(st.just(""), PIECES))
WORDS = st.sampled_from(
    [
        *LINES,
        "",
        "[x] b",
        "- ",
        "---",
        "> q",
        "    code",
        "\tx",
        "`",
        "```sh",
        "~~~",
        "<!-- c",
        "-->",
        "<pre>",
        "word",
        "字",
    ]
)
TEXTS = st.one_of(st.lists(WORDS, min_size=1, max_size=5).map("\n".join), st.text(max_size=20)).filter(
    lambda text: bool(text.replace("\0", "").strip())
)
DRAFTS = st.builds(
    Draft,
    text=TEXTS,
    type=st.sampled_from([None, "user", "lesson", "project"]),
    tags=st.lists(st.text(max_size=4), max_size=2).map(tuple),
    conf=st.sampled_from([1.0, 0.8, 0.0]),
    expires=st.sampled_from([None, datetime(2027, 3, 1, tzinfo=UTC), datetime(2027, 3, 1, 5, 0, 0, 7, tzinfo=UTC)]),
    src=st.sampled_from([(), ("a b.jsonl:3", "c,d.md:1")]),
    section=st.one_of(st.sampled_from([None, None, "Preferences", "Rules > Deep", "新的", "C#"]), st.text(max_size=6)),
)


def write(data: str | bytes, text: str = "new", **fields: object) -> Edit:
    """`text` added to a document by a draft with those fields."""
    source = data.encode() if isinstance(data, str) else data
    return add(source, Draft(text, **fields), now=NOW, new_id=lambda: ID)  # type: ignore[arg-type]


def added(old: bytes, new: bytes) -> list[str]:
    """The lines that `new` has more; fails when a line of `old` is gone or changed, its line end included."""
    before, after = (data.decode("utf-8", "surrogateescape").split("\n") for data in (old, new))
    if before[-1] and not after[-1]:
        raise AssertionError("the file gained a final newline")
    # The last line of a file without final newline gets a line end, whole or none.
    lines = list(difflib.ndiff([line.rstrip("\r") for line in before], [line.rstrip("\r") for line in after]))
    assert [line for line in lines if line.startswith("- ")] == []
    return [line[2:] for line in lines if line.startswith("+ ")]


def content(item: Item) -> tuple[object, ...]:
    return item.kind, item.text, item.headings, item.meta, item.checked


def contents(data: bytes) -> list[tuple[object, ...]]:
    return [content(item) for item in parse(data).items]


def found(edit: Edit) -> Item:
    """The entry on the line that an edit names."""
    [item] = [item for item in parse(edit.data).items if item.line == edit.line]
    return item

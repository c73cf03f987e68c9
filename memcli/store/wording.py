"""The text of an entry as lines of a list item that read back as exactly that text, and as one entry.

A text keeps its marks (`- `, `# `, fences): indented below the marker of its item they are part of it. Only where the
comment with the metadata stands depends on them, since in code it would be code, and a checkbox would be a state.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import normalize

from memcli.entry import Meta, blank_code, render_comment
from memcli.errors import Usage
from memcli.files import plain
from memcli.files.markdown import Item, parse

_COMMENT = re.compile("<!--")
_LONE = re.compile("[\ud800-\udfff]")
# What ends a paragraph within an item: a blank line, or the first line of another block.
_BLOCK = re.compile(
    r"[ \t]*(?:(?:[-*+]|#{1,6}|\d{1,9}[.)])(?:[ \t]|$)|[>|]|<[!/?A-Za-z]|`{3}|~{3}|=+$|([-*_])(?:[ \t]*\1)*$|$)"
)
# What is no paragraph to begin with: a list or a fence.
_OTHER = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)|`{3}|~{3})")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a list item says: its text, its metadata, and its checkbox (None: it has none)."""

    text: str
    meta: Meta
    checked: bool | None = None


def clean(text: str) -> str:
    """`text` as an entry of it reads back; Usage when nothing is left of it.

    As `tame`; and a comment would hide what it holds, and could pass for metadata: outside of code its `<` is written
    as `&lt;`.
    """
    text = tame(text)
    if not text:
        raise Usage("there is no text to keep")
    parts, at = [], 0
    for found in _COMMENT.finditer(blank_code(text)):
        parts += [text[at : found.start()], "&lt;"]
        at = found.start() + 1
    return "".join([*parts, text[at:]])


def tame(text: str) -> str:
    """`text` with `\\n` line ends, no blanks at the end of a line nor at the beginning of the first, and no NULs."""
    text = _LONE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", ""))
    lines = [plain.dedent(line, 0) if line.strip() else "" for line in text.split("\n")]
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines) - 1)
    return "\n".join([lines[first].strip(), *lines[first + 1 :]]).strip("\n")


def folded(text: str) -> str:
    """What two texts have in common that say the same: no case, width or white space, but every word and number."""
    return " ".join(normalize("NFKC", text).casefold().split())


def head(text: str) -> str:
    """The first paragraph of an entry's text, or all of it when it begins with something else."""
    rows = text.split("\n")
    return "\n".join(rows[: stop(rows)])


def blocks(text: str) -> bool:
    """Whether a text is more than one paragraph: it has items, fences, or a paragraph below."""
    return head(text) != text or _OTHER.match(text) is not None


def stop(rows: list[str]) -> int:
    """Where in the rows of an entry its first paragraph ends; behind all of them when it begins with something else."""
    if _OTHER.match(rows[0]):
        return len(rows)
    return next((at for at in range(1, len(rows)) if _BLOCK.match(rows[at])), len(rows))


def under(new: str, old: str) -> str:
    """The text of an entry after its first paragraph was replaced by `new`, or all of it by a `new` with blocks."""
    return new if blocks(new) else new + old[len(head(old)) :]


def item(entry: Entry, prefix: str) -> list[str]:
    """The lines of a list item that begins with `prefix`, its indentation, marker and blanks.

    Raises:
        Usage: `entry.text` cannot be the text of a list item.
    """
    box = "" if entry.checked is None else "[x] " if entry.checked else "[ ] "
    for rows in _shapes(entry.text, render_comment(entry.meta) if entry.meta != plain.NO_META else ""):
        # A marker far to the right is code when it stands alone; it is tried at the margin.
        found = parse("\n".join(_lines(rows, prefix.lstrip(), box)).encode()).items
        if len(found) == 1 and says(found[0], entry):
            return _lines(rows, prefix, box)
    raise Usage("this text cannot be one entry")


def says(found: Item, entry: Entry) -> bool:
    """Whether an item of a file is a list item that says what `entry` says."""
    same = (found.kind, found.meta, found.checked) == ("item", entry.meta, entry.checked)
    return same and tame(found.text) == tame(entry.text)


def _lines(rows: list[str], prefix: str, box: str) -> list[str]:
    indent = " " * len(prefix.expandtabs(4))
    return [prefix + box + rows[0], *(indent + row if row else "" for row in rows[1:])]


def _shapes(text: str, comment: str) -> Iterator[list[str]]:
    """The rows of the text with its comment: behind its first paragraph, on a line of its own, or in front."""
    rows = text.split("\n")
    if not comment:
        yield rows
        return
    end = 1 if any(map(_BLOCK.match, rows[1:])) else len(rows)
    yield [*rows[: end - 1], f"{rows[end - 1]} {comment}", *rows[end:]]
    yield [*rows, comment]
    yield [f"{comment} {rows[0]}", *rows[1:]]
    yield [comment, *rows]

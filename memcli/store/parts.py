"""The pieces of a list item as they are written, so that one can be replaced and the others keep their bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memcli.entry import Meta, blank_code, parse_comment, render_comment
from memcli.files.markdown import Document, Item
from memcli.store import wording

_START = re.compile(r"([ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]*)(\[[ xX]\][ \t]+)?")


@dataclass(frozen=True, slots=True)
class Parts:
    """A list item in pieces that together are its bytes; a byte that is no UTF-8 is a lone surrogate.

    Attributes:
        prefix, box: indentation, marker and blanks; the checkbox and its blanks.
        head: its first paragraph, without the line end.
        rest: all that follows.
        comment: where in the whole the comment with its metadata is; an empty span for none.
        end: its last line end, b"" without one.
    """

    prefix: str
    box: str
    head: str
    rest: str
    comment: tuple[int, int]
    end: bytes

    @property
    def whole(self) -> str:
        return self.prefix + self.box + self.head + self.rest

    @property
    def width(self) -> int:
        """The columns that the lines below the first are indented by."""
        return len(self.prefix.expandtabs(4))

    def commented(self, meta: Meta) -> Iterator[bytes]:
        """The item with this metadata: in its comment, else in a new one behind its first paragraph, or wherever it is
        no code."""
        whole, new = self.whole, render_comment(meta)
        start, end = self.comment
        if end:
            yield _bytes(whole[:start] + new + whole[end:])
            return
        first = len(self.prefix + self.box)
        for at in (first + len(self.head.rstrip()), len(whole.partition("\n")[0].rstrip())):
            yield _bytes(f"{whole[:at]} {new}{whole[at:]}")
        body = whole.rstrip("\r\n")
        yield _bytes(f"{body}{self.end.decode() or chr(10)}{' ' * self.width}{new}{whole[len(body) :]}")
        yield _bytes(f"{whole[:first]}{new} {whole[first:]}")

    def reworded(self, text: str, meta: Meta, newline: bytes) -> bytes:
        """The item with `text` for its first paragraph."""
        new, (start, end) = render_comment(meta), self.comment
        first = len(self.prefix + self.box)
        rows = (newline.decode() + " " * self.width).join(text.split("\n"))
        behind = self.head[len(self.head.rstrip()) :]
        after = first + len(self.head)
        if end <= after:
            return _bytes(f"{self.prefix}{self.box}{rows} {new}{behind}{self.rest}")
        rest = self.rest[: start - after] + new + self.rest[end - after :]
        return _bytes(f"{self.prefix}{self.box}{rows}{behind}{rest}")


def split(document: Document, item: Item) -> Parts:
    """The pieces of `item`, a list item of the document, with the checkbox as `item` says."""
    source = document.data[item.start : item.end].decode("utf-8", "surrogateescape")
    found = _START.match(source)
    prefix, box = (found[1], found[2] or "") if found is not None else ("", "")
    body = source[len(prefix + box) :]
    lines = re.findall(r"[^\n]*\n|[^\n]+", body) or [""]
    head = "".join(lines[: wording.stop([line.rstrip("\r\n") for line in lines])]).rstrip("\r\n")
    end = b"\r\n" if source.endswith("\r\n") else b"\n" if source.endswith("\n") else b""
    if box and item.checked != (box[1] != " "):
        box = ("[x]" if item.checked else "[ ]") + box[3:]
    return Parts(prefix, box, head, body[len(head) :], _comment(source), end)


def _comment(source: str) -> tuple[int, int]:
    """The span of the comment with the metadata, (0, 0) without one. A comment in code is code."""
    bare = blank_code(source)
    at = 0
    while (start := bare.find("<!--", at)) >= 0 and (end := bare.find("-->", start + 2)) >= 0:
        if parse_comment(source[start : end + 3]) is not None:
            return start, end + 3
        at = end + 3
    return 0, 0


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")

"""The text of an entry as people search and read it: no marker, no checkbox, no comment; its lines stay lines."""

from __future__ import annotations

import re

from memcli.entry import Meta, blank_code, parse_comment

NO_META = Meta()

_MARKER = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])(?:[ \t]+|$)")
_BOX = re.compile(r"\[([ xX])\](?:[ \t]+|$)")
_QUOTE = re.compile(r"(?: {0,3}> ?)+")
_FENCE = re.compile(r"`{3,}|~{3,}")
_CONFLICT = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?: |$)")


def decode(data: bytes) -> str:
    """`data` as text with `\\n` line ends; what is no UTF-8 becomes U+FFFD, a NUL becomes a space."""
    text = data.decode("utf-8", "replace")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    return text.replace("\0", " ")


def item(source: str) -> tuple[str, bool | None]:
    """The text of a list item, and whether its checkbox is ticked (None: it has none)."""
    source = source.removesuffix("\n")
    marker = _MARKER.match(source)
    width = len(marker[0].expandtabs(4)) if marker is not None else 0
    source = source[marker.end() :] if marker is not None else source
    box = _BOX.match(source)
    checked = None if box is None else box[1] != " "
    if box is not None:
        source = source[box.end() :]
    if "\n" not in source:
        return source.strip(), checked
    first, *rest = source.split("\n")
    return "\n".join([first.strip(), *(dedent(line, width) for line in rest)]).strip("\n"), checked


def prose(source: str) -> str:
    """The text of a paragraph."""
    return "\n".join(line.strip() for line in source.split("\n")).strip("\n")


def quote(source: str) -> str:
    """The text of a quote without its `>`; a list inside of it keeps its markers."""
    return "\n".join(_QUOTE.sub("", line, count=1).rstrip() for line in source.split("\n")).strip("\n")


def fence(source: str) -> str:
    """The content of a fenced block."""
    first, *lines = source.rstrip("\n").split("\n")
    mark = _FENCE.search(first)
    closer = mark[0] if mark is not None else "```"
    if lines and (end := lines[-1].strip()).startswith(closer) and not end.strip(closer[0]):
        lines.pop()
    return "\n".join(dedent(line, len(first) - len(first.lstrip())) for line in lines).strip("\n")


def code(source: str) -> str:
    """The content of an indented block."""
    return "\n".join(dedent(line, 4) for line in source.split("\n")).strip("\n")


def dedent(line: str, width: int) -> str:
    """`line` without trailing blanks and without the first `width` columns, as far as they are blank."""
    bare = line.lstrip(" \t")
    lead = line[: len(line) - len(bare)].expandtabs(4)
    return lead[width:] + bare.rstrip()


def unmarked(source: str) -> str:
    """`source` without the marker lines of a merge conflict."""
    return "\n".join(line for line in source.split("\n") if not _CONFLICT.match(line))


def uncomment(text: str) -> tuple[str, Meta]:
    """`text` without its HTML comments, and the first `mem:` comment of them. Comments in code are code."""
    if "<!--" not in text:
        return text, NO_META
    bare = blank_code(text)
    meta: Meta | None = None
    kept: list[str] = []
    at = 0
    while (start := bare.find("<!--", at)) >= 0 and (end := bare.find("-->", start + 2)) >= 0:
        meta = meta or parse_comment(text[start : end + 3])
        kept.append(text[at:start].rstrip(" \t"))
        at = end + 3
    return "".join([*kept, text[at:]]).strip(), meta or NO_META

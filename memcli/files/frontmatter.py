"""The YAML block at the top of a Markdown file, read only: values stay strings as they are written, bytes stay put.

`no`, `1.10`, `012` and `12:30` are what they look like, never a bool or a number. A block that is no valid YAML still
counts, with a problem that names the line, and is read line by line. A first line of dashes over anything that does
not look like `key: value` is a rule of the body.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from memcli.files.scan import Problem

Value: TypeAlias = "str | list[Value] | dict[str, Value]"

BOM = b"\xef\xbb\xbf"
# YAML reads about 1 MB a second, and real blocks have a few hundred bytes.
MAX_BYTES = 65_536

_OPEN = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n")
_SHUT = re.compile(rb"^---[ \t]*\r?$", re.MULTILINE)
_KEY = re.compile(r"""(["']?)\w[\w .-]*\1[ \t]*:(?:[ \t]|$)|\{""")
_PAIR = re.compile(r"""(["']?)(\w[\w .-]*)\1[ \t]*:(?:[ \t]+(.*))?""")
# A block of such lines means the same to YAML and to anyone: no quotes, no signs, no nesting.
_PLAIN = re.compile(r"(?:[A-Za-z_]\w*: [A-Za-z0-9](?:[\w./+-]|:(?=\w)| (?=[\w./+-]))*\n)*", re.ASCII)
_NESTED = re.compile(r"[ \t]+(\w[\w .-]*):(?:[ \t]+(.*))?")


@dataclass(frozen=True, slots=True)
class Front:
    """The front matter of one file.

    Attributes:
        start, end: its byte span with both lines of dashes; a byte order mark lies before it.
        lines: how many lines it has.
        values: the mapping as written: strings, lists and mappings of strings.
        problems: broken YAML, a key given twice.
    """

    start: int
    end: int
    lines: int
    values: Mapping[str, Value]
    problems: tuple[Problem, ...] = ()

    def get(self, *keys: str) -> str:
        """The string under `keys`, one level each, or "" when there is none."""
        value: Value | Mapping[str, Value] | None = self.values
        for key in keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        return value if isinstance(value, str) else ""


def read(data: bytes) -> Front | None:
    """The front matter that `data` begins with, or None."""
    opened = _OPEN.match(data)
    shut = _SHUT.search(data, opened.end()) if opened is not None else None
    if opened is None or shut is None:
        return None
    text = data[opened.end() : shut.start()].decode("utf-8", "replace").replace("\r\n", "\n")
    values, problems = _values(text)
    if values is None:
        return None
    end = min(shut.end() + 1, len(data))
    return Front(len(BOM) if data.startswith(BOM) else 0, end, text.count("\n") + 2, values, problems)


def _values(text: str) -> tuple[Mapping[str, Value] | None, tuple[Problem, ...]]:
    """What the block says; None when it is no front matter."""
    first = next((line for line in text.split("\n") if line.strip() and not line.startswith("#")), None)
    if first is None:
        return (None if text.strip() else {}), ()
    if _KEY.match(first) is None:
        return None, ()
    values, problem = _load(text)
    if problem is None:
        return (values, _doubles(text)) if isinstance(values, dict) else (None, ())
    # An empty line below the dashes: a rule over prose rather than a mistake in YAML.
    return (None, ()) if text.startswith("\n") else (_lines(text), (problem,))


def _load(text: str) -> tuple[Value | None, Problem | None]:
    """The YAML in `text` with every scalar as a string, or what is wrong with it."""
    if len(text) > MAX_BYTES:
        return None, Problem(1, f"front matter over {MAX_BYTES} bytes is read line by line")
    if _PLAIN.fullmatch(text):
        return {key: value for key, _, value in (line.partition(": ") for line in text.splitlines())}, None
    # Imported here: 40 ms that most files never need.
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    try:
        value: Value | None = YAMLHandler().load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark is not None else 0
        return None, Problem(line + 2, f"broken front matter: {error.problem}")
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        return None, Problem(1, f"broken front matter: {str(error).splitlines()[0]}")
    return value, None


def _doubles(text: str) -> tuple[Problem, ...]:
    """A problem for each top-level key that was there before; YAML keeps the last value."""
    seen: set[str] = set()
    found: list[Problem] = []
    for number, line in enumerate(text.split("\n"), 2):
        pair = _PAIR.match(line)
        if pair is not None and pair[2] in seen:
            found.append(Problem(number, f"front matter has {pair[2]} twice"))
        elif pair is not None:
            seen.add(pair[2])
    return tuple(found)


def _lines(text: str) -> dict[str, Value]:
    """What can be had from broken YAML: `key: value` lines, and such lines one level below an empty key."""
    values: dict[str, Value] = {}
    below: dict[str, Value] = {}
    for line in text.split("\n"):
        if pair := _PAIR.match(line):
            below = {}
            values[pair[2]] = _bare(pair[3] or "") or below
        elif nested := _NESTED.match(line):
            below[nested[1]] = _bare(nested[2] or "")
    return {key: value or "" for key, value in values.items()}


def _bare(text: str) -> str:
    """`text` without the quotes around it."""
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text

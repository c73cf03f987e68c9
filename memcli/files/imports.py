"""`@path` imports: found in a text, and followed from file to file as Claude Code does.

An import may stand anywhere in a line, after white space or an opening bracket. It is relative to the file that has
it, absolute, or `~/...`; a space is written `\\ `. None is taken from code (spans, fences, indented), from comments, or
from mail addresses. What might as well be a name (`@team`, `@scope/pkg`) is marked `vague`: no file, no complaint.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memcli.entry import blank_code
from memcli.errors import Unreadable
from memcli.files import frontmatter
from memcli.files.atomic import open_file
from memcli.files.scan import Line, Scanner

# As Claude Code has it.
MAX_HOPS = 4
MAX_BYTES = 4 << 20

_IMPORT = re.compile(r"(?<![^\s(\[（【「、，。：])@((?=[\w./~-])(?:\\ |[^\s\\`（）【】「」、，。；：！？])+)")
_CODE = {Line.FENCE, Line.FENCED, Line.CODE, Line.RAW}
_TAIL = ".,;:!?)]}'\"*_"


@dataclass(frozen=True, slots=True)
class Import:
    """One import: its line (1-based), its path as meant (spaces unescaped), and whether it may be just a name."""

    line: int
    target: str
    vague: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """An import that was not followed: the file and the line (1-based) that have it, and why."""

    path: str
    line: int
    what: str


@dataclass(frozen=True, slots=True)
class Walk:
    """The files of one memory, in the order of their text, each once by its real path, and what was refused."""

    files: tuple[str, ...]
    problems: tuple[Refusal, ...]


def imports(text: str) -> list[Import]:
    """The imports of `text`, in order."""
    if "@" not in text:
        return []
    scanner = Scanner()
    lines = text.split("\n")
    front = frontmatter.read(text.encode("utf-8", "surrogatepass"))
    for number, line in enumerate(lines):
        head = front is not None and number < front.lines
        if head or scanner.feed(line.encode("utf-8", "surrogatepass").rstrip(b"\r")) in _CODE:
            lines[number] = ""
    bare = _uncomment(blank_code("\n".join(lines))).split("\n")
    return [found for number, line in enumerate(bare, 1) for found in _of_line(line, number)]


def follow(path: str, *, roots: Sequence[str], max_hops: int = MAX_HOPS) -> Walk:
    """`path` and all that it imports, depth first, `max_hops` deep at most.

    Args:
        path: a file; whoever names it has approved it.
        roots: the directories that imports may lie in, symlinks resolved.
    """
    walk = _Walker([os.path.realpath(root) for root in roots], max_hops)
    walk.visit(os.path.realpath(path), Refusal(path, 0, ""), 0)
    # A file may be too deep in one place and near enough in another.
    deep = [problem for problem, real in walk.deep.items() if real not in walk.files]
    return Walk(tuple(walk.files), (*walk.problems, *deep))


class _Walker:
    def __init__(self, roots: list[str], max_hops: int) -> None:
        self.files: dict[str, int] = {}  # each with the least hops to it
        self.problems: dict[Refusal, None] = {}
        self.deep: dict[Refusal, str] = {}
        self._roots = roots
        self._max_hops = max_hops

    def visit(self, real: str, place: Refusal, hops: int) -> None:
        """Takes the file `real`, named at `place`, and what it imports."""
        if self.files.get(real, hops + 1) <= hops:
            return
        try:
            data = _read(real)
        except (OSError, Unreadable) as error:
            self._refuse(place, f"{real}: {error.strerror}" if isinstance(error, OSError) else str(error))
            return
        self.files[real] = hops
        for found in imports(data.decode("utf-8", "surrogateescape")):
            self._import(found, real, hops + 1)

    def _import(self, found: Import, source: str, hops: int) -> None:
        place = Refusal(source, found.line, "")
        target = os.path.expanduser(found.target) if found.target.startswith("~/") else found.target
        real = os.path.realpath(os.path.join(os.path.dirname(source), target))
        exists = os.path.lexists(real)
        if found.vague and not exists:
            return
        if not self._within(real):
            self._refuse(place, f"@{found.target} lies outside of the approved folders")
        elif not exists:
            self._refuse(place, f"@{found.target} does not exist (a space in a path is written `\\ `)")
        elif hops > self._max_hops:
            what = f"@{found.target} is more than {self._max_hops} imports deep"
            self.deep[Refusal(source, found.line, what)] = real
        else:
            self.visit(real, place, hops)

    def _within(self, real: str) -> bool:
        return any(real == root or real.startswith(root.rstrip(os.sep) + os.sep) for root in self._roots)

    def _refuse(self, place: Refusal, what: str) -> None:
        self.problems[Refusal(place.path, place.line, what)] = None


def _of_line(line: str, number: int) -> Iterator[Import]:
    for found in _IMPORT.finditer(line):
        target = found[1].replace("\\ ", " ").partition("#")[0].rstrip(_TAIL)
        if target and "\0" not in target:
            yield Import(number, target, _vague(target))


def _vague(target: str) -> bool:
    """Whether `target` may be a person, a package or a decorator: it neither starts nor ends like a file's path."""
    return not target.startswith(("./", "../", "~/", "/")) and not os.path.splitext(target)[1]


def _uncomment(text: str) -> str:
    """`text` with its comments blanked; their line ends stay."""
    out: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 2)) >= 0:
        out += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end + 3
    return "".join([*out, text[at:]])


def _read(real: str) -> bytes:
    """The content of a regular file of at most MAX_BYTES."""
    with open_file(real) as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise Unreadable(f"{real} is larger than {MAX_BYTES >> 20} MiB")
    return data

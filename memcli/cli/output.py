"""The only module that prints: results on stdout, everything for the person on stderr, each line `mem: ...`.

A terminal gets a table; a pipe gets one record a line, tab-separated, with no wrapping and no colour. Colour is off
when the stream is no terminal, when NO_COLOR is set, or with TERM=dumb; FORCE_COLOR treats a pipe as a terminal.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

# What would move the cursor, start a colour, or end a record: a field holds none of it.
_CONTROL = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029), " ")
_SURROGATE = re.compile("[\ud800-\udfff]")
_STYLES = {"id": "yellow", "path": "cyan", "score": "green", "where": "dim"}

_quiet = False


def start() -> None:
    """Makes both streams take any text: UTF-8 in every locale, and what the encoding lacks is escaped.

    A PYTHONIOENCODING that the user set is kept. A closed stream becomes the null device.
    """
    codecs.register_error("mem", _escape)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        stream: Any = getattr(sys, name)
        encoding = None if os.environ.get("PYTHONIOENCODING") else "utf-8"
        stream.reconfigure(encoding=encoding, errors="mem", newline="\n")


def typed(argument: str) -> str:
    """The text that a person typed as a command-line argument, also where the locale is not UTF-8.

    For text only: a path must stay as Python gave it, or it names no file in such a locale.
    """
    return os.fsencode(argument).decode("utf-8", "surrogateescape")


def hush() -> None:
    """Silences notes and progress from now on; errors stay."""
    global _quiet
    _quiet = True


def note(message: str) -> None:
    """Tells the person something that a pipe must not see."""
    if not _quiet:
        _tell(message)


def fail(message: str, *, hint: str = "") -> None:
    """Tells the person what went wrong, and on a second line what to type next."""
    _tell(message)
    if hint:
        _tell(f"try: {hint}")


def text(body: str) -> None:
    """Writes `body` to stdout as it is, with a final newline."""
    sys.stdout.write(body if body.endswith("\n") else body + "\n")


def raw(lines: Iterable[str]) -> int:
    """How many ready-made lines were written."""
    return _lines(lines, "\n")


def rows(
    records: Iterable[Mapping[str, Any]], columns: Sequence[str], *, as_json: bool = False, nul: bool = False
) -> int:
    """How many records were written, one a line.

    Args:
        records: with JSON, all keys are written; else those in `columns`. None is an empty field.
        columns: the fields that a person sees, in order; the widest, free text, comes last.
        as_json: JSON Lines; a lone surrogate (an undecodable file name) is escaped.
        nul: only the `path` of each record, NUL-ended, as `xargs -0` reads it.
    """
    if as_json:
        return _lines(map(_json, records), "\n")
    if nul:
        return _lines((str(record["path"]) for record in records), "\0")
    cells = ([_cell(record.get(column)) for column in columns] for record in records)
    if terminal():
        return _table(list(cells), columns)
    return _lines(map("\t".join, cells), "\n")


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A function to be told how many items were finished. Draws on a terminal only, and only work of over a second."""
    if _quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda count: None
        return
    begun, done, bar = time.monotonic(), 0, None

    def advance(count: int) -> None:
        nonlocal done, bar
        done += count
        if bar is None and time.monotonic() - begun > 1:
            bar = _bar(label, total)
        if bar is not None:
            bar.update(bar.task_ids[0], completed=done)

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()


def muffle(stream: TextIO) -> None:
    """Sends what is left in `stream` nowhere, so that Python's own flush at exit cannot fail again."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def _tell(message: str) -> None:
    clean = "".join(char.encode("unicode_escape").decode() if ord(char) in _CONTROL else char for char in message)
    try:
        print(f"mem: {clean}", file=sys.stderr, flush=True)
    except OSError:  # nobody reads stderr; the exit code still tells
        muffle(sys.stderr)


def _lines(lines: Iterable[str], end: str) -> int:
    count = 0
    for line in lines:
        sys.stdout.write(line + end)
        count += 1
    return count


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        value = ", ".join(map(str, value))
    return str(value).translate(_CONTROL)


def _json(record: Mapping[str, Any]) -> str:
    import json

    # An escape of the encoder's own making (\xe9) is no JSON, so a narrow encoding gets JSON's.
    wide = sys.stdout.encoding.lower().startswith("utf")
    line = json.dumps(record, ensure_ascii=not wide)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def _table(cells: list[list[str]], columns: Sequence[str]) -> int:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(Text(column), style=_STYLES.get(column, ""), overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))  # Text: brackets are the user's, not markup
    console = Console(force_terminal=True, color_system="auto" if colour() else None, emoji=False, highlight=False)
    with console.capture() as drawn:
        console.print(table)
    sys.stdout.writelines(line.rstrip(" ") + "\n" for line in drawn.get().splitlines())
    return len(cells)


def _bar(label: str, total: int) -> Any:
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True, color_system="auto" if colour() else None), transient=True)
    bar.add_task(label, total=total)
    bar.start()
    return bar


def colour() -> bool:
    """Whether a terminal may be sent colours."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal() -> bool:
    """Whether stdout is a terminal, or a pipe that is to be treated as one."""
    return sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR") and colour())


def _escape(error: UnicodeError) -> tuple[bytes, int]:
    """Undecodable bytes of a file name leave as they came; any other character as a Python escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return b"".join(_byte(char) for char in lost), error.end


def _byte(char: str) -> bytes:
    return bytes([ord(char) - 0xDC00]) if "\udc80" <= char <= "\udcff" else char.encode("ascii", "backslashreplace")

"""What is printed: whole and plain in a pipe, aligned on a terminal, and text of any kind in any locale."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Ran, spawn
from rich.cells import cell_len

SHOW = """
import sys
from memcli.cli import output
output.start()
records = eval(sys.stdin.buffer.read().decode("utf-8"))
output.rows(records, ("path", "text"), as_json="--json" in sys.argv, nul="-0" in sys.argv)
sys.stdout.flush()
"""
# pipe-05 and pipe-06: what Rich would take for markup, links or emoji.
MARKUP = ["use list[str], cfg[key], [docs](x.md), [red]no[/red] :memo:", "regex [/a-z]", "[/x] [bold]"]
FAMILY = "👨\u200d👩\u200d👧 记住 e\u0301 ❤\ufe0f"


def show(records: list[dict[str, object]], *flags: str, **env: str | None) -> Ran:
    """What `rows` prints into a pipe."""
    return spawn([sys.executable, "-P", "-c", SHOW, *flags], folder=Path.cwd(), stdin=ascii(records), env=env)


def terminal(records: list[dict[str, object]], width: int, **env: str) -> str:
    """What `rows` prints on a terminal that is `width` cells wide."""
    ours, theirs = pty.openpty()
    given = dict(os.environ) | {"COLUMNS": str(width)} | env
    with subprocess.Popen([sys.executable, "-P", "-c", SHOW], stdin=subprocess.PIPE, stdout=theirs, env=given) as child:
        os.close(theirs)
        child.communicate(ascii(records).encode(), timeout=30)
    shown = b""
    try:
        while part := os.read(ours, 65_536):
            shown += part
    except OSError:  # Linux says EIO when the other end is closed
        pass
    os.close(ours)
    assert child.returncode == 0
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("text", [*MARKUP, FAMILY, "x" * 500])
@pytest.mark.parametrize("env", [{}, {"TERM": "dumb"}, {"COLUMNS": "20"}])
def test_a_pipe_gets_the_text_as_it_is_on_one_line_pipe_05(text: str, env: dict[str, str]) -> None:
    assert show([{"path": "src/[id].md", "text": text}], **env).out == f"src/[id].md\t{text}\n"


def test_a_field_cannot_end_its_record() -> None:
    got = show([{"path": "a\tb\nc", "text": "d\r\ne\x1b[31m\u2028f\x85g\0"}, {"path": None, "text": ["x", 1, True]}])
    assert got.out == "a b c\td  e [31m f g \n\tx, 1, True\n"


@pytest.mark.parametrize("text", MARKUP)
def test_a_terminal_shows_brackets_as_they_are_pipe_06(text: str) -> None:
    assert text in terminal([{"path": "src/[id].md", "text": text}], 120)


def test_a_terminal_sixty_wide_is_aligned_pipe_09() -> None:
    records: list[dict[str, object]] = [{"path": name, "text": "第" * 60} for name in (FAMILY, "记忆/备忘.md", "a.md")]
    lines = terminal(records, 60).splitlines()
    assert max(map(cell_len, lines)) <= 60
    assert {cell_len(line[: line.index("第")]) for line in lines if "第" in line} == {
        cell_len(lines[0].partition("text")[0])
    }


def test_colour_is_for_terminals_that_want_it_pipe_03() -> None:
    record: list[dict[str, object]] = [{"path": "a.md", "text": "b"}]
    assert "\x1b[" in terminal(record, 60, NO_COLOR="")
    assert "\x1b" not in terminal(record, 60, NO_COLOR="1")
    assert "\x1b" not in terminal(record, 60, NO_COLOR="", TERM="dumb")
    assert "\x1b" not in show(record, NO_COLOR=None).out
    assert "\x1b[" in show(record, NO_COLOR=None, FORCE_COLOR="1").out
    assert "\x1b" not in show(record, FORCE_COLOR="1").out


def test_a_terminal_gets_no_control_character_of_the_text() -> None:
    assert "\x1b" not in terminal([{"path": "a", "text": "\x1b]0;title\x07 \x9b31m"}], 60)


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX", "LANG": None},
        {"LANG": "zh_CN.GBK", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_utf_8_comes_out_in_every_locale_env_04(env: dict[str, str | None]) -> None:
    assert show([{"path": "a.md", "text": "记住 😀"}], **env) == (0, "a.md\t记住 😀\n", "")


@pytest.mark.parametrize(("encoding", "wanted"), [("ascii", r"caf\xe9 \u8bb0"), ("latin-1", "caf\udce9 \\u8bb0")])
def test_an_encoding_of_the_users_gets_escapes_pipe_08(encoding: str, wanted: str) -> None:
    assert show([{"path": "a", "text": "café 记"}], PYTHONIOENCODING=encoding) == (0, f"a\t{wanted}\n", "")


def test_json_lines_hold_any_text() -> None:
    record: dict[str, object] = {"path": "a\udcff.md", "text": "[red]\n\t记\ud83d \x1b", "score": 0.5}
    ran = show([record, record], "--json")
    assert "记" in ran.out
    assert [json.loads(line) for line in ran.out.splitlines()] == [record, record]
    narrow = show([record], "--json", PYTHONIOENCODING="ascii")
    assert json.loads(narrow.out) == record


def test_an_undecodable_name_leaves_as_it_came() -> None:
    assert show([{"path": "a\udcff\n.md", "text": ""}], "-0").out == "a\udcff\n.md\0"
    assert show([{"path": "a\udcff.md", "text": "\ud83d"}]).out == "a\udcff.md\t\\ud83d\n"

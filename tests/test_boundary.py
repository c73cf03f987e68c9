"""Every failure is one line and the right exit code."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from conftest import Mem, Ran, spawn

# Stands in for a verb: `mem config` that fails in the way the test says.
FAIL = """
import sys, typer
import memcli.cli.config, memcli.errors
from memcli.cli import main, output
def command() -> None:
    output.text("so far")
    {body}
memcli.cli.config.command = command
main.run(["config"])
"""


def fail(body: str, env: dict[str, str | None] | None = None) -> Ran:
    """What a verb with this body comes to."""
    return spawn([sys.executable, "-P", "-c", FAIL.format(body=body)], folder=Path.cwd(), env=env)


@pytest.mark.parametrize(
    ("name", "code"), [("MemError", 2), ("Usage", 2), ("Unreadable", 2), ("StaleWrite", 4), ("Busy", 5), ("Damaged", 6)]
)
def test_a_known_failure_is_one_line_and_its_remedy(name: str, code: int) -> None:
    ran = fail(f"raise memcli.errors.{name}('src/[id].md changed', hint='mem index')")
    assert ran == (code, "so far\n", "mem: src/[id].md changed\nmem: try: mem index\n")


def test_a_message_stays_one_line_whatever_a_name_holds() -> None:
    ran = fail(r"raise memcli.errors.MemError('a\nb\x1b[31m\udcff')")
    assert ran.err.count("\n") == 1
    assert "\x1b" not in ran.err


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("raise KeyboardInterrupt", 130),
        ("raise typer.Abort", 130),
        ("raise BrokenPipeError", 0),
        ("raise typer.Exit(1)", 1),
    ],
)
def test_an_end_without_a_message(body: str, code: int) -> None:
    ran = fail(body)
    assert (ran.code, ran.err) == (code, "")


def test_what_the_machine_refuses_is_no_bug() -> None:
    ran = fail("open('/nowhere/a')")
    assert ran == (2, "so far\n", "mem: /nowhere/a: No such file or directory\n")


def test_a_bug_leaves_its_traceback_in_the_home(home: Path) -> None:
    (home / "state").mkdir(parents=True)
    ran = fail("raise RuntimeError('boom')")
    assert ran == (70, "so far\n", f"mem: this is a bug in mem; the details are in {home}/state/crash.log\n")
    report = home / "state/crash.log"
    assert "RuntimeError: boom" in report.read_text()
    assert report.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("env", [{}, {"HARNESS_HOME": "/dev/null"}])
def test_a_bug_without_a_home_leaves_it_in_a_temporary_file(env: dict[str, str | None], home: Path) -> None:
    ran = fail("1 / 0", env | {"TMPDIR": str(home.parent)})
    assert ran.code == 70
    named = re.fullmatch(r"mem: this is a bug in mem; the details are in (.*)\n", ran.err)
    assert named and "ZeroDivisionError" in Path(named[1]).read_text()
    assert not home.exists()


@pytest.mark.parametrize("line", ["mem config | true", "mem config | head -1", "mem --help | true"])
def test_a_reader_that_stops_early_is_success_pipe_02(line: str, tmp_path: Path) -> None:
    script = f'mem() {{ "{sys.executable}" -P -m memcli "$@"; }}; set -o pipefail; {line}'
    ran = spawn(["bash", "-c", script], folder=tmp_path)
    assert (ran.code, ran.err) == (0, "")


def test_much_into_a_closed_pipe_is_success(tmp_path: Path) -> None:
    code = FAIL.format(body="output.text('x' * 10_000_000)")
    ran = spawn(
        ["bash", "-c", f"set -o pipefail; '{sys.executable}' -P -c \"$CODE\" | head -1"],
        folder=tmp_path,
        env={"CODE": code},
    )
    assert ran == (0, "so far\n", "")


def test_quiet_silences_notes_before_and_after_the_verb_and_no_error(mem: Mem) -> None:
    assert mem("-q", "init").err == mem("init", "--quiet").err == ""
    assert mem("-q", "config", "nope").err != ""


def test_arguments_are_text_in_every_locale_env_04(mem: Mem) -> None:
    mem("init")
    ran = mem("config", "encoder.key_env", "记住", env={"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})
    assert ran.code == 0
    assert mem("config", "encoder.key_env").out == "记住\n"


def test_nothing_is_needed_on_the_path_env_03(mem: Mem) -> None:
    assert mem("init", env={"PATH": "/nowhere"}).code == 0


def test_nothing_waits_for_an_answer_env_09(mem: Mem) -> None:
    assert mem("init", stdin="").code == 0


def test_a_home_that_cannot_be_written_is_one_line(mem: Mem, home: Path) -> None:
    home.write_text("a file\n")
    ran = mem("init")
    assert (ran.code, ran.out) == (2, "")
    assert "is in the way" in ran.err
    assert home.read_text() == "a file\n"


def test_the_real_home_is_out_of_reach(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="real home"):
        os.listdir(os.path.join(os.environ["SEALED_HOME"], ".claude"))
    ran = spawn(
        [sys.executable, "-P", "-m", "memcli", "init"], folder=tmp_path, env={"HOME": os.environ["SEALED_HOME"]}
    )
    assert "touches the real home" in Path(ran.err.split()[-1]).read_text()


def test_the_network_is_out_of_reach() -> None:
    import socket

    with pytest.raises(AssertionError, match="network"), socket.socket() as caller:
        caller.connect(("192.0.2.1", 80))

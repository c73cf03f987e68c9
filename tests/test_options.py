"""What is typed wrongly costs one line that says what to type, and exit 2; nothing is guessed and nothing is dropped."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from conftest import Mem, spawn

USAGE = 2


@pytest.fixture(autouse=True)
def made(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one entry, and no encoder."""
    monkeypatch.setenv("MEM_ENCODER", "none")
    home.mkdir(0o700)
    (home / "MEMORY.md").write_text("- alpha <!-- mem: id=aaaaaa -->\n")
    return home


@pytest.mark.parametrize("verb", [["search", "alpha"], ["list"]])
@pytest.mark.parametrize("value", ["nan", "2", "-1", "inf", "-inf", "1.0001"])
def test_a_confidence_is_between_0_and_1(verb: list[str], value: str, mem: Mem) -> None:
    ran = mem(*verb, "--min-conf", value)
    assert (ran.code, ran.out) == (USAGE, "")
    assert "is not between 0 and 1" in ran.err


@pytest.mark.parametrize(
    "option", ["mode", "unit", "source", "type", "tag", "scope", "since", "until", "as-of", "why-not", "batch"]
)
def test_an_empty_option_is_refused(option: str, mem: Mem) -> None:
    ran = mem("search", f"--{option}", "", "alpha")
    assert ran == (USAGE, "", f"mem: invalid value for '--{option}': it is empty\nmem: try: mem search --help\n")


@pytest.mark.parametrize("args", [("--type", ","), ("--tag", " , "), ("--tag", "a", "--tag", "")])
def test_a_list_of_nothing_is_empty_too(args: tuple[str, ...], mem: Mem) -> None:
    assert mem("search", "alpha").code == 0  # the cold path would answer from now on
    for verb in (["search", "alpha"], ["list"]):
        ran = mem(*verb, *args)
        assert (ran.code, ran.out) == (USAGE, "")
        assert "it is empty" in ran.err


@pytest.mark.parametrize("verb", [["search", "alpha"], ["list"]])
def test_a_type_that_there_is_not_names_the_nearest(verb: list[str], mem: Mem) -> None:
    for _ in range(2):  # the full path, then perhaps the cold one
        ran = mem(*verb, "--type", "user,leson")
        assert ran == (USAGE, "", "mem: --type: 'leson' is no type (did you mean lesson?)\nmem: try: --type lesson\n")
    for known in ("lesson", "turn", "session"):
        assert mem(*verb, "--type", known).code == 1


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["list", "-0", "--json"], "-0 and --json exclude each other"),
        (["search", "--batch", "-", "alpha"], "--batch and a question exclude each other"),
        (["search", "--batch", "-", "--why-not", "aaaaaa"], "--batch and --why-not exclude each other"),
    ],
)
def test_two_that_contradict_are_refused(args: list[str], said: str, mem: Mem) -> None:
    ran = mem(*args)
    assert (ran.code, ran.out, ran.err.splitlines()[0]) == (USAGE, "", f"mem: {said}")


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (["search", "-k", "-5", "x"], "mem search -k 10 WORDS"),
        (["search", "-k"], "mem search --help"),
        (["list", "--tag"], "mem list --help"),
        (["search", "--batch", "/nonexist"], "mem search --help"),
        (["config", "search.k", "-5"], "mem config search.k 10"),
        (["config", "search.half_life_days", "-.5"], "mem config search.half_life_days 30.0"),
        (["config", "--jsno"], "mem config --help"),
        (["config", "search.k", "-x"], "mem config --help"),
    ],
)
def test_a_mistake_names_what_to_type(args: list[str], hint: str, mem: Mem) -> None:
    ran = mem(*args)
    assert (ran.code, ran.out, ran.err.splitlines()[1:]) == (USAGE, "", [f"mem: try: {hint}"])


def test_a_negative_number_is_a_value_that_its_key_refuses(mem: Mem) -> None:
    assert "search.k must be a whole number from 1 to 1000, not -5" in mem("config", "search.k", "-5").err


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["config", "index.sources", "/tmp/\udcff"], USAGE, "index.sources must be UTF-8 text"),
        (["config", "\udcff"], USAGE, "no key"),
        (["show", "\udcff"], 1, r"there is no entry \udcff"),
        (["show", "\udcff.md:1"], 1, r"\udcff.md is not read here"),
        (["search", "--why-not", "\udcff", "alpha"], USAGE, r"there is no entry with id \udcff"),
        (["search", "--type", "\udcff", "alpha"], USAGE, "is no type"),
        (["search", "--tag", "\udcff", "alpha"], 1, "nothing found"),
        (["search", "--batch", "\udcff"], USAGE, "no such file"),
        (["list", "--since", "\udcff"], USAGE, "is no day or time"),
        (["index", "\udcff"], USAGE, "no such file or folder"),
    ],
)
def test_bytes_that_are_no_utf_8_are_told(args: list[str], code: int, said: str, mem: Mem) -> None:
    ran = mem(*args)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err


@pytest.mark.parametrize("line", ["search --batch -", "judge", "judge -", "add", "add -"])
def test_a_closed_stdin_is_told(line: str, tmp_path: Path) -> None:
    ran = spawn(["bash", "-c", f'"{sys.executable}" -P -m memcli {line} <&-'], folder=tmp_path)
    assert (ran.code, ran.out) == (USAGE, "")
    assert ran.err.startswith("mem: nothing to read on stdin: it is closed\nmem: try: ")


@pytest.mark.parametrize("line", [["search", "alpha"], ["list"], ["status"]])
def test_force_color_treats_a_pipe_as_a_terminal(line: list[str], mem: Mem) -> None:
    assert "\x1b[" in mem(*line, env={"NO_COLOR": None, "FORCE_COLOR": "1"}).out
    assert "\x1b" not in mem(*line, env={"FORCE_COLOR": "1"}).out  # NO_COLOR is set


@pytest.mark.parametrize(
    "line",
    [
        ["search", "-q", "alpha"],
        ["-q", "search", "alpha"],
        ["list", "-q"],
        ["index", "-q"],
        ["search", "--json", "-q", "alpha"],
    ],
)
def test_quiet_silences_what_could_not_be_read_and_not_the_exit_code(line: list[str], made: Path, mem: Mem) -> None:
    (made / "memory").mkdir()
    os.mkfifo(made / "memory" / "pipe.md")
    ran = mem(*line)
    assert (ran.code, ran.err) == (3, "")
    assert "not a regular file" in mem(*(word for word in line if word != "-q")).err


@pytest.mark.parametrize("line", ['{"id": ' + "[" * 100_000, '{"id": "a", "query": ' + "9" * 6_000 + "}", "\udcff"])
def test_a_line_of_a_batch_that_is_no_query_is_named_and_the_rest_goes_on(line: str, tmp_path: Path, mem: Mem) -> None:
    (tmp_path / "q").write_bytes((line + '\n{"id": "b", "query": "alpha"}\n').encode("utf-8", "surrogateescape"))
    ran = mem("search", "--batch", "q")
    assert (ran.code, ran.out.count("\n"), ran.err) == (3, 1, "mem: q: line 1: not JSON\n")

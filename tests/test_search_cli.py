"""`mem search` takes any text as a question, in any script, locale and pipe."""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path

import pytest
from conftest import Mem, spawn

NOTES = """\
# Notes

- Rust is memory:safe by default
- He said "say hi" and don't use agents for that
- Both foo AND bar have to be set
- The (python) block comes last
- See grammar::fa for the parser
- Ubuntu 20.04 is the oldest we support
- Return list[str], never a tuple
- The C++ client is frozen
- Set a=b in the unit file
- Published as @scope/pkg
- Dotfiles live in ~/x
- Give 5 % of the budget
- migrate the database nightly
- 重跑gen-itgc后修复
- 设备清单已更新
- 研究生命科学
- ＡＰＩ Café
- NEAR the pier
"""


@pytest.fixture(autouse=True)
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    """No encoder: what is tested here are words."""
    monkeypatch.setenv("MEM_ENCODER", "none")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one file of notes, which no test changes."""
    folder = tmp_path_factory.mktemp("shared") / ".harness"
    folder.mkdir(0o700)
    (folder / "MEMORY.md").write_text(NOTES, encoding="utf-8")
    return folder


@pytest.fixture
def noted(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shared home, in the place of this test's own."""
    monkeypatch.setenv("HARNESS_HOME", str(shared))
    return shared


@pytest.fixture
def own(home: Path) -> Path:
    """A home of this test's own, with the same notes."""
    home.mkdir(0o700)
    (home / "MEMORY.md").write_text(NOTES, encoding="utf-8")
    return home


def found(mem: Mem, *words: str) -> list[str]:
    """The texts of the hits."""
    ran = mem("search", "--mode", "words", "--json", *words)
    assert ran.code == (0 if ran.out else 1), ran.err
    return [json.loads(line)["text"] for line in ran.out.splitlines()]


@pytest.mark.parametrize(
    "question",
    ["don't use agents", "memory:safe", 'say "hi', "foo AND bar", "(python"],
)
def test_punctuation_of_a_question_is_no_syntax_query_01_query_02(question: str, noted: Path, mem: Mem) -> None:
    mark = question.split()[-1].strip('"(')
    assert mark in found(mem, question)[0]


@pytest.mark.parametrize(
    "question", ["*", "^", "NEAR(", '"', "'", "AND", "a OR", "-", "()", "NOT x", "text:", "\\", "🦀", "\udcff"]
)
def test_operators_are_words_or_nothing_query_02(question: str, noted: Path, mem: Mem) -> None:
    ran = mem("search", "--", question)
    assert ran.code == (0 if ran.out else 1)
    assert "Traceback" not in ran.err
    assert "bug" not in ran.err


def test_near_finds_the_word_near_query_02(noted: Path, mem: Mem) -> None:
    assert found(mem, "NEAR(")[0] == "NEAR the pier"


@pytest.mark.parametrize("question", ["grammar::fa", "20.04", "list[str]", "C++", "a=b", "@scope/pkg", "~/x", "%"])
def test_a_literal_is_found_query_04(question: str, noted: Path, mem: Mem) -> None:
    assert question in found(mem, question)[0]


def test_words_need_not_stand_together_query_05(noted: Path, mem: Mem) -> None:
    assert found(mem, "database migration")[0] == "migrate the database nightly"


@pytest.mark.parametrize("question", ["itgc", "gen-itgc"])
def test_latin_glued_to_chinese_is_found_query_07(question: str, noted: Path, mem: Mem) -> None:
    assert found(mem, question) == ["重跑gen-itgc后修复"]


@pytest.mark.parametrize("question", ["设备", "清单", "单"])
def test_a_short_chinese_word_is_found_query_08(question: str, noted: Path, mem: Mem) -> None:
    assert found(mem, question) == ["设备清单已更新"]


def test_a_word_across_a_wrong_cut_is_found_query_10(noted: Path, mem: Mem) -> None:
    assert found(mem, "生命科学")[0] == "研究生命科学"


@pytest.mark.parametrize("question", ["api", "CAFÉ", unicodedata.normalize("NFD", "café"), "ａｐｉ"])
def test_width_case_and_normal_form_do_not_matter_query_11(question: str, noted: Path, mem: Mem) -> None:
    assert found(mem, question) == ["ＡＰＩ Café"]


@pytest.mark.parametrize("path", ["cold", "full"])
def test_a_bare_environment_prints_utf_8_env_04_encoding_05(path: str, own: Path, tmp_path: Path) -> None:
    bare = ["env", "-i", "LC_ALL=C", "PYTHONUTF8=0", "PYTHONCOERCECLOCALE=0", f"HOME={tmp_path}", "MEM_ENCODER=none"]
    where = "import sys; sys.path.insert(0, sys.argv.pop(1)); from memcli.__main__ import main; main()"
    line = [*bare, sys.executable, "-c", where, str(Path(__file__).parent.parent), "search"]
    if path == "cold":
        spawn([*line, "清单"], folder=tmp_path)
    else:
        line += ["--explain", "-q"]
    ran = spawn([*line, "清单"], folder=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("\t设备清单已更新\n")


def test_a_shell_comment_in_a_fence_is_no_heading_markdown_01(home: Path, mem: Mem) -> None:
    home.mkdir(0o700)
    (home / "MEMORY.md").write_text("# Deploy\n\n```sh\n# restart quux first\nmake up\n```\n\nThen wait for zork.\n")
    for line in mem("search", "--json", "quux").out.splitlines() + mem("search", "--json", "zork").out.splitlines():
        assert json.loads(line)["heading"] == "Deploy"


def test_prose_is_memory_markdown_07(home: Path, mem: Mem) -> None:
    home.mkdir(0o700)
    (home / "MEMORY.md").write_text("## Deploy\nWe ship on Tuesdays.\n")
    hit = json.loads(mem("search", "--json", "ships Tuesday").out)
    assert (hit["heading"], hit["line"], hit["text"]) == ("Deploy", 2, "We ship on Tuesdays.")


def test_a_row_of_a_table_comes_whole_markdown_08(home: Path, mem: Mem) -> None:
    home.mkdir(0o700)
    table = "| 键 | port |\n|---|---|\n| a\\|b | 8080 |\n| 仓库 | 9090 |\n"
    (home / "MEMORY.md").write_text(table, encoding="utf-8")
    assert found(mem, "8080") == ["| a\\|b | 8080 |"]
    assert found(mem, "仓库") == ["| 仓库 | 9090 |"]
    assert len(found(mem, "port")) == 2  # the header speaks for each of its rows
    assert (home / "MEMORY.md").read_text(encoding="utf-8") == table


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_front_matter_is_read_whatever_the_line_ends_frontmatter_11(
    bom: bytes, end: bytes, home: Path, mem: Mem
) -> None:
    (home / "memory").mkdir(0o700, parents=True)
    data = bom + b"---\nname: pier\ntype: lesson\ntags: [sea]\n---\n# Pier\n\n- The pier is slippery\n".replace(
        b"\n", end
    )
    (home / "memory" / "pier.md").write_bytes(data)
    topic, item = (json.loads(line) for line in mem("list", "--json").out.splitlines())
    assert (topic["type"], topic["tags"], topic["text"], topic["line"]) == ("lesson", ["sea"], "pier", 1)
    assert (item["type"], item["text"], item["line"]) == ("lesson", "The pier is slippery", 8)
    assert (home / "memory" / "pier.md").read_bytes() == data


def test_a_file_name_that_is_no_utf_8_is_shown_escaped_encoding_06(home: Path, mem: Mem) -> None:
    (home / "memory").mkdir(0o700, parents=True)
    (home / "memory" / "note-\udccf\udcf0.md").write_text("- a quaint quokka\n")
    for _ in range(2):  # the full path, then the cold one
        ran = mem("search", "--mode", "words", "--json", "quokka")
        assert (ran.code, json.loads(ran.out)["path"]) == (0, ".harness/memory/note-\\udccf\\udcf0.md")
    assert mem("list").out.split("\t")[2] == ".harness/memory/note-\\udccf\\udcf0.md:1"
    assert mem("list", "-0").out == f"{home}/memory/note-\udccf\udcf0.md\0"
    assert json.loads(mem("status", "--json").out)["entries"] == 1


def test_no_colour_in_a_pipe_pipe_03(noted: Path, tmp_path: Path) -> None:
    script = f'"{sys.executable}" -P -m memcli search pier | cat -v'
    assert "^[" not in spawn(["bash", "-c", script], folder=tmp_path, env={"NO_COLOR": None}).out


MARKUP = "use list[str], cfg[key], [docs](x.md), [red]no[/red] :memo: regex [/a-z]"


def test_brackets_come_out_as_they_are_pipe_05_pipe_06(home: Path, mem: Mem) -> None:
    (home / "memory" / "src").mkdir(0o700, parents=True)
    (home / "memory" / "src" / "[id].md").write_text(f"- {MARKUP}\n")
    for _ in range(2):
        ran = mem("search", "--mode", "words", "regex")
        assert ran.out.split("\t")[::2] == [".harness/memory/src/[id].md:1", MARKUP + "\n"]
    assert mem("show", ".harness/memory/src/[id].md:1").out.endswith(f"\n- {MARKUP}\n")
    assert mem("search", "--mode", "words", "--explain", "regex").err.startswith("mem: .harness/memory/src/[id].md:1 ")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_narrow_encoding_gets_escapes_pipe_08(encoding: str, home: Path, mem: Mem) -> None:
    home.mkdir(0o700)
    (home / "MEMORY.md").write_text("- the 😀 quokka\n", encoding="utf-8")
    ran = mem("search", "--mode", "words", "quokka", env={"PYTHONIOENCODING": encoding})
    assert (ran.code, ran.out.split("\t")[2]) == (0, "the \\U0001f600 quokka\n")


@pytest.mark.parametrize(
    "line", ["mem search --mode words e | head -c 1", "mem list | grep -q Rust", "mem list | true"]
)
def test_a_reader_that_stops_early_is_success_pipe_02(line: str, own: Path, tmp_path: Path) -> None:
    (own / "MEMORY.md").write_text(NOTES + "".join(f"- Rust and e number {n}\n" for n in range(3000)), encoding="utf-8")
    script = f'mem() {{ "{sys.executable}" -P -m memcli "$@"; }}; set -o pipefail; {line}'
    ran = spawn(["bash", "-c", script], folder=tmp_path)
    assert (ran.code, ran.err) == (0, "")


def test_what_was_retired_is_found_on_request_only(home: Path, mem: Mem) -> None:
    (home / "archive").mkdir(parents=True)
    (home / "MEMORY.md").write_text(
        "- the lighthouse is red <!-- mem: id=newone created=2026-10-01 supersedes=oldone -->\n"
    )
    (home / "archive/2026-11.md").write_text(
        "# Archive 2026-11\n\n"
        "- the lighthouse is white <!-- mem: id=oldone retired=2026-11-02 expires=2026-01-01 supersedes=newone -->\n"
    )
    words = ("search", "--mode", "words", "lighthouse")
    assert mem(*words).out.count("\n") == 1
    found = mem(*words, "--archived").out.splitlines()
    assert sorted(line.split("\t")[2] for line in found) == ["the lighthouse is red", "the lighthouse is white"]
    assert mem(*words).out.count("\n") == 1, "nor afterwards, when the archive is indexed"

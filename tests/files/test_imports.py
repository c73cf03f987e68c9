"""`@path` imports: what is one, and where it leads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memcli.files.imports import MAX_BYTES, Import, Walk, follow, imports
from tests.files.samples import SAMPLES


def targets(text: str) -> list[str]:
    return [found.target for found in imports(text)]


def test_imports_are_told_from_look_alikes() -> None:  # markdown pattern 21, paths-05
    assert imports(SAMPLES["21-imports"]) == [
        Import(1, "docs/a.md", False),
        Import(3, "README", True),
        Import(3, "x/y.md", False),
        Import(11, "~/.p/x.md", False),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- see @a.md, @b.md; (@c.md) and @./d.", ["a.md", "b.md", "c.md", "./d"]),
        ("见 @docs/a.md，然后（@b.md）", ["docs/a.md", "b.md"]),
        ("@my\\ notes/x\\ y.md z", ["my notes/x y.md"]),  # paths-02
        ("@./my notes/x.md", ["./my"]),
        ("@/etc/x.md @../up.md", ["/etc/x.md", "../up.md"]),
        ("@a.md#part", ["a.md"]),
        ("@文档/a.md", ["文档/a.md"]),
        ("me@x.io, a@b.md, @@x, @ y, @`x`, @(z)", []),
        ("`@a.md` ``@b ` .md`` @c.md", ["c.md"]),
        ("- x\n\n  ```\n  @a.md\n  ```\n  @b.md\n", ["b.md"]),
        ("~~~\n@a.md\n```\n@b.md\n~~~\n@c.md", ["c.md"]),
        ("text\n\n    @a.md\n\n@b.md", ["b.md"]),
        ("<!-- @a.md\n@b.md -->\n@c.md <!-- @d.md -->", ["c.md"]),
        ("---\nowner: x @a.md\n---\n@b.md\r\n", ["b.md"]),
        ("```\n@open.md", []),
    ],
)
def test_an_import_is_taken_only_from_prose(text: str, found: list[str]) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    ("target", "vague"),
    [("team", True), ("scope/pkg", True), ("AGENTS.md", False), ("./team", False), ("~/x", False), ("/x", False)],
)
def test_a_name_without_a_file_like_form_is_vague(target: str, vague: bool) -> None:
    assert imports(f"@{target}") == [Import(1, target, vague)]


@settings(deadline=None)
@given(st.text("@a./~\\ `\n-<!>\ud800", max_size=30))
def test_any_text_is_read_line_by_line(text: str) -> None:
    lines = text.count("\n") + 1
    assert all(1 <= found.line <= lines and found.target for found in imports(text))


def tree(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def walk(root: Path, start: str = "CLAUDE.md") -> Walk:
    return follow(str(root / start), roots=[str(root)])


def names(root: Path, found: Walk) -> list[str]:
    return [os.path.relpath(path, root) for path in found.files]


def reasons(found: Walk) -> list[tuple[str, int, str]]:
    return [(os.path.basename(problem.path), problem.line, problem.what) for problem in found.problems]


def test_imports_are_relative_to_the_file_that_has_them(tmp_path: Path) -> None:  # paths-03
    tree(tmp_path, {"CLAUDE.md": "@sub/a.md", "sub/a.md": "@b.md\n@../c.md", "sub/b.md": "", "c.md": "", "b.md": ""})
    assert names(tmp_path, walk(tmp_path)) == ["CLAUDE.md", "sub/a.md", "sub/b.md", "c.md"]


def test_circles_end_and_each_file_comes_once(tmp_path: Path) -> None:  # paths-06
    tree(tmp_path, {"CLAUDE.md": "@a.md @CLAUDE.md", "a.md": "@CLAUDE.md @a.md"})
    found = walk(tmp_path)
    assert (names(tmp_path, found), found.problems) == (["CLAUDE.md", "a.md"], ())


def test_a_long_chain_ends_after_four_hops_with_a_word(tmp_path: Path) -> None:  # paths-06
    tree(tmp_path, {f"{number}.md": f"\n@{number + 1}.md" for number in range(12)})
    found = walk(tmp_path, "0.md")
    assert names(tmp_path, found) == ["0.md", "1.md", "2.md", "3.md", "4.md"]
    assert reasons(found) == [("4.md", 2, "@5.md is more than 4 imports deep")]


def test_a_file_too_deep_in_one_place_may_be_near_in_another(tmp_path: Path) -> None:
    tree(tmp_path, {f"{number}.md": f"@{number + 1}.md" for number in range(5)})
    tree(tmp_path, {"0.md": "@1.md @4.md", "5.md": "last"})
    found = walk(tmp_path, "0.md")
    assert (len(found.files), found.problems) == (6, ())


def test_nothing_outside_of_the_roots_is_read(tmp_path: Path) -> None:  # paths-05
    tree(tmp_path, {"in/CLAUDE.md": "@../out.md\n@link.md\n@/etc/hosts\n@~/x.md", "out.md": "secret", "inner/x.md": ""})
    (tmp_path / "in/link.md").symlink_to(tmp_path / "out.md")
    (tmp_path / "in/evil").symlink_to(tmp_path / "inner")
    found = walk(tmp_path / "in")
    assert names(tmp_path, found) == ["in/CLAUDE.md"]
    assert [(name, line) for name, line, what in reasons(found) if "outside" in what] == [
        ("CLAUDE.md", 1),
        ("CLAUDE.md", 2),
        ("CLAUDE.md", 3),
        ("CLAUDE.md", 4),
    ]


def test_a_sibling_with_the_same_beginning_is_outside(tmp_path: Path) -> None:
    tree(tmp_path, {"in/CLAUDE.md": "@../inner/x.md", "inner/x.md": ""})
    assert "outside" in walk(tmp_path / "in").problems[0].what


def test_home_imports_are_followed_when_approved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, {"home/me.md": "", "work/CLAUDE.md": "@~/me.md"})
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    found = follow(str(tmp_path / "work/CLAUDE.md"), roots=[str(tmp_path / "work"), str(tmp_path / "home")])
    assert names(tmp_path, found) == ["work/CLAUDE.md", "home/me.md"]


def test_what_is_no_ordinary_file_is_refused_with_its_place(tmp_path: Path) -> None:  # paths-06
    tree(tmp_path, {"CLAUDE.md": "@dir.d\n@pipe.md\n@huge.md\n@loop.md\n@gone.md\n", "dir.d/x": ""})
    os.mkfifo(tmp_path / "pipe.md")
    with open(tmp_path / "huge.md", "wb") as file:
        file.truncate(MAX_BYTES + 1)
    (tmp_path / "loop.md").symlink_to("loop.md")
    found = walk(tmp_path)
    assert names(tmp_path, found) == ["CLAUDE.md"]
    expected = ["is a directory", "is no regular file", "is larger than 4 MiB", "symbolic links", "does not exist"]
    assert [line for _, line, _ in reasons(found)] == [1, 2, 3, 4, 5]
    assert all(part in what for part, (_, _, what) in zip(expected, reasons(found), strict=True))


def test_a_space_that_is_not_escaped_is_explained(tmp_path: Path) -> None:  # paths-02
    tree(tmp_path, {"CLAUDE.md": "@./my notes/x.md\n@my\\ notes/x.md\n", "my notes/x.md": ""})
    found = walk(tmp_path)
    assert names(tmp_path, found) == ["CLAUDE.md", "my notes/x.md"]
    assert reasons(found) == [("CLAUDE.md", 1, "@./my does not exist (a space in a path is written `\\ `)")]


def test_a_mention_of_a_person_is_no_complaint(tmp_path: Path) -> None:  # paths-05
    tree(tmp_path, {"CLAUDE.md": "ask @alice about @scope/pkg\n"})
    assert walk(tmp_path).problems == ()


def test_a_vague_name_that_is_a_file_is_imported(tmp_path: Path) -> None:
    tree(tmp_path, {"CLAUDE.md": "@README", "README": ""})
    assert names(tmp_path, walk(tmp_path)) == ["CLAUDE.md", "README"]


def test_a_symlinked_pair_is_one_file(tmp_path: Path) -> None:  # paths-11, markdown pattern 30
    tree(tmp_path, {"AGENTS.md": "- a\n", "start.md": "@CLAUDE.md @AGENTS.md"})
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    assert names(tmp_path, walk(tmp_path, "start.md")) == ["start.md", "AGENTS.md"]


def test_names_that_are_no_utf_8_are_followed(tmp_path: Path) -> None:  # encoding-06
    name = os.fsencode(tmp_path) + b"/note-\xcf\xf0.md"
    Path(os.fsdecode(name)).write_bytes(b"")
    (tmp_path / "CLAUDE.md").write_bytes(b"@note-\xcf\xf0.md")
    assert [os.fsencode(path) for path in walk(tmp_path).files][1:] == [name]


def test_a_start_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    found = walk(tmp_path, "gone.md")
    assert (found.files, [problem.line for problem in found.problems]) == ((), [0])

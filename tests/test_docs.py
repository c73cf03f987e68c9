"""The documentation holds: every session in README gives what README shows, and every verb is described."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import ROOT, UPDATE
from replay import session, settle

from memcli.cli.main import VERBS, _load

README = ROOT / "README.md"
BLOCK = re.compile(r"^```(?:console|sh|shell|bash)\n(\$ .*?)^```$", re.M | re.S)


def blocks() -> list[str]:
    """Each shell session of README; a block that shows no `$ ` prompt is not one."""
    return [found[1] for found in BLOCK.finditer(README.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("shown", blocks(), ids=lambda shown: shown.partition("\n")[0])
def test_readme_shows_what_really_happens(shown: str, tmp_path: Path) -> None:
    settle(tmp_path)
    got = session(shown, tmp_path)
    if UPDATE:
        README.write_text(README.read_text(encoding="utf-8").replace(shown, got), encoding="utf-8")
    else:
        assert got == shown


def test_readme_has_sessions() -> None:
    assert blocks()


@pytest.mark.parametrize("verb", VERBS)
def test_readme_describes_the_verb(verb: str) -> None:
    assert f"`mem {verb}" in README.read_text(encoding="utf-8")


@pytest.mark.parametrize("verb", VERBS)
def test_help_says_of_a_verb_what_the_verb_says_of_itself(verb: str) -> None:
    assert _load(verb).help.splitlines()[0] == VERBS[verb]

"""The sample home is whole: what it points at exists, so that every verb can be shown on it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from replay import SAMPLE

MARK = re.compile(r"<!-- mem: (.*?) -->")
LOGS = sorted(SAMPLE.rglob("*.jsonl"))


def marks() -> list[dict[str, str]]:
    """The keys of every mem comment in the sample."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(SAMPLE.rglob("*.md"))]
    return [dict(pair.split("=", 1) for pair in found.split()) for text in texts for found in MARK.findall(text)]


def test_ids_are_unique_and_supersede_what_is_there() -> None:
    ids = [mark["id"] for mark in marks()]
    assert len(ids) == len(set(ids)) > 10
    assert {mark["supersedes"] for mark in marks() if "supersedes" in mark} <= set(ids)


def test_a_source_is_a_line_that_a_person_said() -> None:
    sources = [mark["src"] for mark in marks() if "src" in mark]
    assert sources
    for source in sources:
        path, _, line = source.rpartition(":")
        said = json.loads((SAMPLE / path).read_text(encoding="utf-8").splitlines()[int(line) - 1])
        assert said["role"] == "user"


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_log_lines_are_json(path: Path) -> None:
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert {line["type"] for line in lines} <= {"session", "message", "summary"}


def test_there_is_something_to_prune_and_to_merge() -> None:
    assert any("expires" in mark and mark["expires"] < "2026-12-01" for mark in marks())
    assert any(float(mark["conf"]) < 0.5 for mark in marks() if "conf" in mark)

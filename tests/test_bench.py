"""`mem bench` on a small fixture of its own: what it counts, what it refuses, and that it leaves the fixture alone."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import Mem

from memcli.bench import fixture as fixtures
from memcli.bench.report import COLUMNS

NOTES = """# Boat

- The dinghy's outboard takes a mix of one part oil to fifty parts petrol.
- Winter storage starts on the last Saturday of October.
- 船坞的密码每年一月更换。
- The anchor chain is thirty metres of eight millimetre steel.
"""
SESSION = [
    {"type": "session", "id": "s1", "workflow": "boat", "started": "2026-05-02T08:00:00Z"},
    {
        "type": "message",
        "role": "user",
        "time": "2026-05-02T08:00:00Z",
        "content": "The bilge pump float is stuck again.",
    },
    {"type": "message", "role": "assistant", "time": "2026-05-02T08:01:00Z", "content": "Rinse it with vinegar."},
]
LATER = [
    {"type": "session", "id": "s2", "workflow": "boat", "started": "2026-07-01T08:00:00Z"},
    {
        "type": "message",
        "role": "user",
        "time": "2026-07-01T08:00:00Z",
        "content": "A new bilge pump was fitted today.",
    },
]
LOG, NEXT = "sessions/boat/s1.jsonl", "sessions/boat/s2.jsonl"
QUERIES: list[dict[str, Any]] = [
    {"query": "outboard oil petrol mix", "unit": "entry", "category": "facts", "gold": [{"path": "MEMORY.md", "line": 3}]},
    {"query": "船坞密码", "unit": "entry", "category": "中文", "gold": [{"path": "MEMORY.md", "line": 5}]},
    {"query": "winter storage", "unit": "entry", "category": "facts",
     "gold": [{"path": "MEMORY.md", "line": 4}, {"path": "MEMORY.md", "line": 6}]},
    {"query": "bilge pump", "unit": "session", "category": "facts", "gold": [{"path": LOG}], "as_of": "2026-06-01"},
    {"query": "bilge pump", "unit": "turn", "category": "facts", "gold": [{"path": LOG, "line": 2}], "within": [f"{LOG}:2"]},
    {"query": "who owns the crane", "unit": "entry", "category": "nobody knows", "gold": []},
]  # fmt: skip


@pytest.fixture
def fixture(tmp_path: Path) -> Path:
    """A fixture of one corpus and six questions."""
    top = tmp_path / "boat"
    write(top / "corpora/mine/MEMORY.md", NOTES)
    write(top / "corpora/mine" / LOG, "".join(json.dumps(line) + "\n" for line in SESSION))
    write(top / "corpora/mine" / NEXT, "".join(json.dumps(line) + "\n" for line in LATER))
    ask(top, *QUERIES)
    return top


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def ask(top: Path, *queries: Mapping[str, Any]) -> None:
    """Makes `queries` those of the fixture; each gets an id, and the corpus unless it names one."""
    lines = [{"id": f"q{number}", "corpus": "mine", **query} for number, query in enumerate(queries)]
    write(top / "queries.jsonl", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


def table(mem: Mem, *args: str) -> dict[tuple[str, str], dict[str, Any]]:
    """The records that `mem bench --json` prints, by set and category."""
    ran = mem("bench", *args, "--mode", "words", "--json")
    assert (ran.code, ran.err) == (0, "")
    return {(row["set"], row["category"]): row for row in map(json.loads, ran.out.splitlines())}


def test_measures_are_those_of_the_search(mem: Mem, fixture: Path) -> None:
    rows = table(mem, str(fixture))
    assert list(rows) == [
        ("entry", "facts"), ("entry", "nobody knows"), ("entry", "中文"), ("entry", "total"),
        ("session", "total"), ("turn", "total"),
    ]  # fmt: skip
    facts, total = rows["entry", "facts"], rows["entry", "total"]
    assert (facts["n"], facts["recall@5"], facts["mrr"]) == (
        2,
        0.75,
        1.0,
    )  # the second question's other line shares no word
    assert (total["n"], total["recall@10"]) == (3, pytest.approx((1 + 1 + 0.5) / 3, abs=1e-4))
    assert rows["session", "total"]["recall@5"] == rows["turn", "total"]["mrr"] == 1.0
    assert 0 < total["p50_ms"] <= total["p95_ms"] <= total["p99_ms"]
    assert total["index_s"] > 0
    assert facts["index_s"] is None


def test_a_question_without_an_answer_is_timed_and_not_scored(mem: Mem, fixture: Path) -> None:
    row = table(mem, str(fixture))["entry", "nobody knows"]
    assert (row["n"], row["recall@5"], row["ndcg@10"]) == (0, None, None)
    assert row["p50_ms"] > 0


def test_as_of_hides_what_came_later(mem: Mem, fixture: Path) -> None:
    late = {**QUERIES[3], "gold": [{"path": NEXT}]}
    ask(fixture, late, {**late, "as_of": "2026-08-01", "category": "seen"})
    rows = table(mem, str(fixture))
    assert (rows["session", "facts"]["recall@20"], rows["session", "seen"]["recall@20"]) == (0.0, 1.0)


def test_within_drops_other_results(mem: Mem, fixture: Path) -> None:
    broad = {key: value for key, value in QUERIES[4].items() if key != "within"} | {
        "query": "new bilge pump fitted",
        "set": "broad",
    }
    ask(fixture, broad, {**broad, "within": [LOG], "set": "narrow"})
    rows = table(mem, str(fixture))
    assert rows["broad", "total"]["mrr"] < rows["narrow", "total"]["mrr"] == 1.0


def test_k_is_how_many_hits_count(mem: Mem, fixture: Path) -> None:
    both = [{"path": "MEMORY.md", "line": 3}, {"path": "MEMORY.md", "line": 6}]
    ask(fixture, {**QUERIES[0], "query": "outboard petrol anchor chain", "gold": both})
    assert table(mem, str(fixture))["entry", "total"]["recall@5"] == 1.0
    assert table(mem, str(fixture), "-k", "1")["entry", "total"]["recall@5"] == 0.5
    write(fixture / "meta.json", '{"k": 1}')
    assert table(mem, str(fixture))["entry", "total"]["recall@5"] == 0.5


def test_a_pipe_gets_one_tab_separated_record_a_category(mem: Mem, fixture: Path) -> None:
    ran = mem("bench", str(fixture), "--mode", "words")
    cells = [line.split("\t") for line in ran.out.splitlines()]
    assert (ran.code, len(cells), {len(row) for row in cells}) == (0, 6, {len(COLUMNS)})
    assert cells[0][:5] == ["entry", "facts", "2", "0.75", "0.75"]


def test_the_fixture_is_never_written_to(mem: Mem, fixture: Path) -> None:
    def seen() -> dict[str, tuple[int, int]]:
        return {str(path): (path.stat().st_mtime_ns, path.stat().st_mode) for path in [fixture, *fixture.rglob("*")]}

    for path in [fixture / "corpora/mine", *(fixture / "corpora/mine").rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = seen()
    table(mem, str(fixture))
    assert seen() == before
    for folder, _, _ in os.walk(fixture):
        os.chmod(folder, 0o755)


def test_neither_the_users_memory_nor_the_corpus_config_counts(
    mem: Mem, fixture: Path, home: Path, tmp_path: Path
) -> None:
    write(home / "MEMORY.md", NOTES * 20)
    write(tmp_path / "MEMORY.md", NOTES * 20)
    write(fixture / "corpora/mine/config.toml", "not TOML at all")
    assert table(mem, str(fixture))["entry", "facts"]["mrr"] == 1.0


BROKEN = [
    ("{", "not JSON"),
    ("[]", "not a JSON object"),
    ({"unit": "page"}, "unit must be one of entry, turn, session, not 'page'"),
    ({"corpus": "yours"}, "there is no corpus 'yours'"),
    ({"corpus": "../corpora/mine"}, "there is no corpus '../corpora/mine'"),
    ({"gold": [{"path": "GONE.md", "line": 1}]}, "gold: there is no 'GONE.md' in the corpus"),
    ({"gold": [{"path": "MEMORY.md", "line": 7}]}, "gold: MEMORY.md has 6 lines, and the line asked for is 7"),
    ({"gold": [{"path": "MEMORY.md"}]}, "gold: MEMORY.md has 6 lines, and the line asked for is None"),
    ({"gold": "MEMORY.md"}, "gold must be a list"),
    ({"gold": ["MEMORY.md"]}, 'gold must be a list of {"path", "line"}'),
    ({"query": None}, "query must be a text"),
    ({"category": " "}, "category must be a text that is not empty"),
    ({"as_of": "yesterday"}, "as_of: 'yesterday' is no day or time"),
    ({"within": "MEMORY.md"}, "within must be a list of paths"),
]


@pytest.mark.parametrize(("line", "what"), BROKEN, ids=[what for _, what in BROKEN])
def test_a_broken_line_is_named(line: str | dict[str, Any], what: str, fixture: Path) -> None:
    whole = {"id": "q", "corpus": "mine", **QUERIES[0]}
    text = line if isinstance(line, str) else json.dumps({**whole, **line})
    write(fixture / "queries.jsonl", f"{json.dumps(whole)}\n\n{text}\n")
    found = fixtures.load(str(fixture))
    assert found.problems == [f"{fixture}/queries.jsonl:3: {what}"]
    assert len(found.cases) == 1


def test_the_rest_of_a_broken_fixture_is_measured(mem: Mem, fixture: Path) -> None:
    with (fixture / "queries.jsonl").open("a", encoding="utf-8") as file:
        file.write("oops\n")
    ran = mem("bench", "boat", "--mode", "words")
    assert (ran.code, ran.err, len(ran.out.splitlines())) == (3, "mem: boat/queries.jsonl:7: not JSON\n", 6)


def test_a_file_of_the_corpus_that_cannot_be_read_is_named(mem: Mem, fixture: Path) -> None:
    (fixture / "corpora/mine/memory").mkdir()
    (fixture / "corpora/mine/memory/gone.md").symlink_to("nowhere.md")
    ran = mem("bench", "boat", "--mode", "words")
    assert ran.code == 3
    assert "mine: " in ran.err
    assert "gone.md: a link to nowhere" in ran.err


def test_no_fixture_is_a_usage_error_with_a_hint(mem: Mem, tmp_path: Path) -> None:
    ran = mem("bench", str(tmp_path / "nothing"))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[1] == "mem: try: mem bench DIR, with DIR/queries.jsonl and DIR/corpora/"


@pytest.mark.parametrize("meta", ["[]", "{", '{"k": 0}', '{"k": "many"}', '{"k": true}'])
def test_a_broken_meta_file_is_named(mem: Mem, fixture: Path, meta: str) -> None:
    write(fixture / "meta.json", meta)
    ran = mem("bench", "boat")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("mem: boat/meta.json: ")

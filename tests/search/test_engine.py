"""The engine on a catalog of a few entries, with a meaning made by hand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from memcli.app.memory import Memory
from memcli.index import chunks
from memcli.index.dense import Meaning, NoMeaning
from memcli.search.engine import Engine
from memcli.search.query import Query

LINES = ("the lighthouse is red", "boats are painted in spring", "灯塔是红色的", "a tower that guides ships at night")


class Given:
    """Cosines by text: what a model would say."""

    english_only = False

    def __init__(self, cosines: dict[str, float]) -> None:
        self.cosines = {chunks.digest(text): value for text, value in cosines.items()}

    def nearest(self, text: str, count: int) -> dict[bytes, float]:
        return self.cosines

    def scores(self, text: str, digests: Sequence[bytes]) -> dict[bytes, float]:
        return {digest: self.cosines[digest] for digest in digests if digest in self.cosines}


@pytest.fixture
def memory(home: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    monkeypatch.setenv("MEM_ENCODER", "none")
    home.mkdir()
    (home / "MEMORY.md").write_text("".join(f"- {line}\n" for line in LINES), encoding="utf-8")
    return Memory(str(home), str(home.parent), os.environ)


def engine(memory: Memory, dense: object) -> Engine:
    return Engine(memory.catalog, memory.active, memory.moment, dense)  # type: ignore[arg-type]  # a fake


def texts(found: Engine, query: Query) -> list[str]:
    return [hit.doc.text for hit in found.search(query)]


def test_meaning_finds_what_shares_no_word(memory: Memory) -> None:
    near = Given({LINES[3]: 0.9, LINES[2]: 0.88, LINES[0]: 0.86, LINES[1]: 0.7})
    assert texts(engine(memory, near), Query("lighthouse", mode="vectors"))[:2] == [LINES[3], LINES[2]]
    assert texts(engine(memory, near), Query("lighthouse"))[0] == LINES[0]
    assert texts(engine(memory, near), Query("lighthouse", mode="words")) == [LINES[0]]


def test_an_english_encoder_counts_less_in_a_chinese_question(memory: Memory) -> None:
    near = Given({LINES[1]: 0.9, LINES[2]: 0.1})
    near.english_only = True
    assert texts(engine(memory, near), Query("灯塔"))[0] == LINES[2]


def test_when_vectors_break_words_answer_and_say_so(memory: Memory) -> None:
    class Broken(Given):
        def nearest(self, text: str, count: int) -> dict[bytes, float]:
            raise NoMeaning("the endpoint does not answer")

    found = engine(memory, Broken({}))
    assert texts(found, Query("lighthouse")) == [LINES[0]]
    assert found.notes == ["the endpoint does not answer; words only"]


def test_an_error_of_the_encoder_is_no_meaning() -> None:
    class Failing:
        english_only = False

        def query(self, text: str) -> list[float]:
            raise OSError("gone")

    with pytest.raises(NoMeaning, match="gone"):
        Meaning(Failing(), Given({})).nearest("x", 1)  # type: ignore[arg-type]  # fakes


def test_a_question_without_words_is_looked_up_as_it_stands(memory: Memory, home: Path) -> None:
    with (home / "MEMORY.md").open("a") as file:
        file.write("- 100 % of it\n")
    again = memory.again()
    assert texts(engine(again, None), Query("%")) == ["100 % of it"]
    assert texts(engine(again, None), Query("^")) == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (Query("lighthouse"), "at rank 1 with"),
        (Query("boats"), "shares no word with the question"),
        (Query("lighthouse", types=("lesson",)), "may not come back: it is of type user"),
    ],
)
def test_why_not_names_the_reason(query: Query, said: str, memory: Memory) -> None:
    (ident,) = memory.catalog.rows("select eid from doc where line = 1")[0]
    assert said in memory.why_not(query, ident)

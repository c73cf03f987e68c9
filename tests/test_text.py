"""The terms that the index and the query share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.text import match, query_terms, quoted, terms


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Deploys go out", ["deploys", "go", "out"]),
        ("parseLine", ["parse", "line", "parseline"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("list[str]", ["list", "str"]),
        ("C++ and C#", ["c", "cplusplus", "and", "c", "csharp"]),
        ("20.04", ["20", "04", "2004"]),
        ("@scope/pkg", ["scope", "pkg", "scopepkg"]),
        ("end.", ["end"]),
        ("ＡＰＩ Café", ["api", "café"]),
        ("cafe\u0301", ["café"]),
        ("重跑gen-itgc后", ["重", "重跑", "跑", "gen", "itgc", "genitgc", "后"]),
        ("2026年1月14日", ["2026", "2026年", "年", "1", "1月", "月", "14", "14日", "日"]),
        ("Straße", ["strasse"]),
        ("รถไฟ", ["ร", "รถ", "ถ", "ถไ", "ไ", "ไฟ", "ฟ"]),
        ('% * ^ ( "', []),
    ],
)
def test_text_gives_these_terms(text: str, wanted: list[str]) -> None:
    assert terms(text) == wanted


def test_a_phrase_in_the_middle_of_a_han_run_has_the_same_terms_as_alone() -> None:
    inside, alone = " ".join(terms("生物研究生命科学部")), " ".join(terms("生命科学"))
    assert alone[: alone.rindex(" ")] in inside


def test_words_of_no_weight_leave_a_question_unless_nothing_else_is_left() -> None:
    assert query_terms("what is the port of the API") == ["port", "api"]
    assert query_terms("who are you") == ["who", "are", "you"]
    assert query_terms("部署是什么时候") == [
        term for term in terms("部署是什么时候") if term in query_terms("部署是什么时候")
    ]
    assert "什么" not in query_terms("部署是什么时候")


def test_a_latin_word_is_not_outvoted_by_single_characters() -> None:
    assert query_terms("换成 pnpm") == ["换成", "pnpm"]
    assert query_terms("换成") == ["换", "换成", "成"]


@given(st.text())
def test_any_text_gives_terms_that_fts_can_quote(text: str) -> None:
    found = terms(text)
    assert all(term and '"' not in term and term == term.strip() and " " not in term for term in found)
    assert match(found).count('"') == 2 * len(found)
    assert quoted(found).count('"') == 2


@given(st.text(), st.text())
def test_terms_of_two_texts_are_the_terms_of_both(one: str, two: str) -> None:
    assert terms(f"{one}\n{two}") == terms(one) + terms(two)

"""What is worth remembering: every pattern of every language in both directions, and what takes a signal its weight."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memcli.remember.fold import fold
from memcli.remember.judge import SCORES, THRESHOLD, judge
from memcli.remember.languages import ALPHABETS, CLAUSE, language
from memcli.remember.languages.en import PATTERNS as EN
from memcli.remember.languages.ja import PATTERNS as JA
from memcli.remember.languages.ru import PATTERNS as RU
from memcli.remember.languages.zh import PATTERNS as ZH
from tests.remember.said import NO, PLAIN, YES, lines

LANGUAGES = {"en": EN, "zh": ZH, "ja": JA, "ru": RU}
SAID = [(kind, text) for (_, kind), block in YES.items() for text in lines(block)]
EVERY = [(code, kind, part) for code, found in LANGUAGES.items() for kind in SCORES for part in getattr(found, kind)]


@pytest.mark.parametrize(("kind", "text"), SAID)
def test_said_plainly_it_counts(kind: str, text: str) -> None:
    verdict = judge(text)
    assert (verdict.worth, verdict.score) == (True, SCORES[kind]), verdict
    assert kind in [signal.name for signal in verdict.signals]


@pytest.mark.parametrize("text", lines(NO))
def test_what_only_looks_like_it_does_not_count(text: str) -> None:
    assert not judge(text).worth, judge(text)


def test_ordinary_sentences_say_nothing_to_keep() -> None:
    assert len(lines(PLAIN)) == 60
    assert [text for text in lines(PLAIN) if judge(text).worth] == []


@pytest.mark.parametrize(("code", "kind", "pattern"), EVERY)
def test_every_pattern_has_a_sentence(code: str, kind: str, pattern: str) -> None:
    start = f"{CLAUSE}(?:{LANGUAGES[code].openers}){{0,4}}" if pattern.startswith("^") else ""
    alone = re.compile(fold(start + pattern.removeprefix("^")), re.I)
    assert any(alone.search(fold(text)) for text in lines(YES[code, kind]))


def test_every_language_loads() -> None:
    assert set(ALPHABETS) == set(LANGUAGES)
    assert [len(language(code).signals) for code in ALPHABETS] == [len(SCORES)] * 4


def test_the_span_is_the_whole_sentence() -> None:
    text = "Thanks.\n- always run make lint before commits\nBye."
    [signal] = judge(text).signals
    assert text[slice(*signal.span)] == "always run make lint before commits"
    assert signal.words == "always"


def test_a_wrapped_line_is_one_sentence() -> None:
    text = "From now on the deploys of the booking service go out\non Thursdays after the last sailing."
    [signal] = judge(text).signals
    assert text[slice(*signal.span)] == text


def test_the_strongest_signal_comes_first() -> None:
    names = [signal.name for signal in judge("I prefer tabs. We shipped v1.2. Remember that the gate is open.").signals]
    assert names == ["explicit", "milestone", "preference"]


def test_a_denial_of_one_thing_leaves_the_other_sentences() -> None:
    verdict = judge("You don't need to remember the old host. From now on use the new one.")
    assert [signal.name for signal in verdict.signals] == ["rule", "negation"]


@pytest.mark.parametrize("denial", ["Don't remember this.", "别记。", "不用记住这个", "Не запоминай это."])
def test_a_denial_of_everything_silences_the_text(denial: str) -> None:
    verdict = judge(f"We shipped v1.2. {denial}")
    assert (verdict.score, [signal.name for signal in verdict.signals]) == (0, ["negation"])


def test_a_question_leaves_the_order_beside_it() -> None:
    assert judge("Did that work? From now on use pnpm.").worth


def test_an_explicit_order_for_once_counts_and_says_so() -> None:
    verdict = judge("Remember to skip the slow tests for this PR.")
    assert [signal.name for signal in verdict.signals] == ["explicit", "once"]


def test_context_is_what_this_means() -> None:
    assert not judge("Remember this").worth
    assert judge("Remember this", "Staging listens on port 5433.").worth
    assert not judge("Remember this", "ok").worth
    assert judge("记住这个", "测试环境的端口是 5433。").worth


@pytest.mark.parametrize(
    "shown",
    [
        "```\nremember that x is 1\n```",
        "~~~text\nFrom now on use pnpm.\n```\nstill code: always run lint\n~~~",
        "Look:\n\n    remember that x is 1\n",
        "> From now on use pnpm.\n> We shipped v1.2.",
        "2026-11-30 12:00:01 note that the cache is cold\n2026-11-30 12:00:02 the cause was a timeout",
        'Traceback (most recent call last):\n  File "x.py", line 1\n    always run this\nError: the cause was a timeout',
        "ERROR the cause was a stale lock",
        "The manual says “from now on use pnpm”.",
        "他说「以后都用制表符」。",
        "``remember that ` is a tick``",
    ],
)
def test_what_is_shown_was_not_said(shown: str) -> None:
    assert not judge(shown).worth, judge(shown)


def test_an_order_about_code_keeps_its_code() -> None:
    assert judge("from now on use `pnpm` here").worth
    assert judge('Don\'t forget: "npm ci" deletes node_modules.').worth


def test_text_after_a_fence_counts() -> None:
    assert judge("```\ncode\n```\nRemember that the port is 1.").worth


@given(st.text(max_size=200), st.text(max_size=40))
def test_any_text_has_a_verdict(text: str, context: str) -> None:
    verdict = judge(text, context)
    assert verdict.worth == (verdict.score >= THRESHOLD)
    assert all(text[slice(*signal.span)] for signal in verdict.signals)


@given(st.sampled_from([text for _, text in SAID]), st.sampled_from(lines(PLAIN)))
def test_ordinary_talk_around_it_changes_nothing(text: str, plain: str) -> None:
    assert judge(f"{plain}\n{text}\n{plain}").score == judge(text).score

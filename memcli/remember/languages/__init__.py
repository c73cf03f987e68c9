"""The patterns of each language, as data. To add one: a module with `PATTERNS`, a line in `ALPHABETS`, tests both ways.

All are regular expressions over folded text (see fold), case ignored, searched in one sentence at a time. A pattern that
begins with `^` stands at the start of a clause: of the sentence, behind a comma or a colon, or behind one of the
language's `openers` ("please", "you should", 请). Every repetition has a bound, so that no text takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from memcli.remember.fold import fold

# What makes a letter belong to a language that is worth loading.
ALPHABETS = {
    "en": re.compile("[A-Za-z]"),
    "zh": re.compile("[\u3400-\u9fff]"),
    "ja": re.compile("[\u3040-\u30ff]"),
    "ru": re.compile("[\u0400-\u04ff]"),
}
CLAUSE = r"(?:^|[,，、:：;；(（!！—–]\s*|\s-\s+)"


@dataclass(frozen=True, slots=True)
class Patterns:
    """What one language says.

    Attributes:
        openers: words that may stand between the start of a clause and a `^` pattern.
        explicit: orders to remember.
        rule: orders that hold from now on.
        milestone, lesson, preference: statements of that kind.
        negated: orders not to remember. The sentence counts for nothing; the whole text, when `whole` follows.
        whole: what may follow `negated` to the end of its clause so that it means everything that was said.
        asked: what makes a sentence a question, besides its mark.
        tag: an ending that makes no question of an order ("..., ok?").
        request: a question in form that is an order ("can you always ...?").
        recalled: talk about remembering ("I don't remember"), which is no order.
        unsure: what stands before a statement in its clause and takes its truth away ("when", "not", "will").
        once: what limits an order to this one time.
        filler: words that say nothing by themselves ("remember this").
    """

    openers: str
    explicit: tuple[str, ...]
    rule: tuple[str, ...]
    milestone: tuple[str, ...]
    lesson: tuple[str, ...]
    preference: tuple[str, ...]
    negated: str
    whole: str
    asked: str
    tag: str
    request: str
    recalled: str
    unsure: str
    once: str
    filler: str


@dataclass(frozen=True, slots=True)
class Compiled:
    """The same, ready to search."""

    signals: tuple[tuple[str, re.Pattern[str]], ...]
    negated: re.Pattern[str]
    whole: re.Pattern[str]
    asked: re.Pattern[str]
    tag: re.Pattern[str]
    request: re.Pattern[str]
    recalled: re.Pattern[str]
    unsure: re.Pattern[str]
    once: re.Pattern[str]
    filler: re.Pattern[str]


def written(text: str) -> tuple[Compiled, ...]:
    """The patterns of the languages whose letters occur in `text`."""
    return tuple(language(code) for code, letters in ALPHABETS.items() if letters.search(text))


@cache
def language(code: str) -> Compiled:
    """The patterns of one language; ModuleNotFoundError for one that nobody wrote."""
    found: Patterns = import_module(f"memcli.remember.languages.{code}").PATTERNS
    start = f"{CLAUSE}(?:{found.openers}){{0,4}}"
    kinds = ("explicit", "rule", "milestone", "lesson", "preference")
    return Compiled(
        signals=tuple((kind, _compile(_joined(start, getattr(found, kind)))) for kind in kinds),
        negated=_compile(_joined(start, found.negated.split("\n"))),
        whole=_compile(rf"\s*(?:{found.whole})\s*(?:[,，.。:：;；!！?？]|$)"),
        unsure=_compile(rf"(?:{found.unsure})[^,，;；:：.。!！?？]*$"),
        filler=_compile(rf"(?:{found.filler})\b" if code in ("en", "ru") else f"(?:{found.filler})"),
        **{name: _compile(getattr(found, name)) for name in ("asked", "tag", "request", "recalled", "once")},
    )


def _joined(start: str, patterns: Iterable[str]) -> str:
    """One expression; its groups are what a pattern matched, without the opener."""
    parts = (start + f"({part[1:]})" if part.startswith("^") else f"({part})" for part in patterns if part)
    return "|".join(parts)


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(fold(pattern), re.I)

"""Whether something that was said is worth remembering: a score, and the words that made it. Rules only; no model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from memcli.remember.fold import fold
from memcli.remember.languages import Compiled, written
from memcli.remember.quotes import GAP, spoken
from memcli.remember.sentences import sentences
from memcli.text import is_han

THRESHOLD = 0.6  # with SCORES the values that the write gate was specified with
SCORES = {"explicit": 0.95, "rule": 0.95, "milestone": 0.85, "lesson": 0.8, "preference": 0.7}
# Words below which it is a fragment: of an order beside its trigger ("remember!", "always"), of a statement in all
# ("shipped!", but "v1.2 is out").
LEAST = {"explicit": 1, "rule": 1, "milestone": 2, "lesson": 3, "preference": 2}
ORDERS = ("explicit", "rule")
SAID_BEFORE = 3  # words of context that "remember this" may point to
LOOK_BACK = 80  # characters before a trigger in which its "when" or "not" would stand
TRIES = 8  # triggers of one kind in a sentence: after so many that do not count, none will

_WORD = re.compile(rf"[^\W_]+|{GAP}+")
_MARK = re.compile(r"[?？][\"'”’)）\]」]*\s*$")


@dataclass(frozen=True, slots=True)
class Signal:
    """One reason.

    Attributes:
        name: a key of SCORES; or, with score 0, why something does not count: negation, question, once, fragment.
        span: start and stop of its sentence in the text, in characters, without a list marker.
        words: the trigger as it was written.
    """

    name: str
    score: float
    span: tuple[int, int]
    words: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The highest score of the signals, 0 to 1, and whether it reaches the threshold; strongest signals first."""

    score: float
    signals: tuple[Signal, ...]

    @property
    def worth(self) -> bool:
        """Whether to keep it."""
        return self.score >= THRESHOLD


def judge(text: str, context: str = "") -> Verdict:
    """Whether `text`, which a person said, is worth remembering.

    An order to remember or a rule that holds from now on .95, a milestone .85, the cause of an error or a lesson .8,
    a preference .7. Nothing for a question, a denial, a single occasion, a fragment, or what is quoted, code or log.

    Args:
        context: what was said just before; "remember this" alone counts when there is something it can mean.
    """
    shown = fold(spoken(text)).replace("*", " ")
    languages = written(shown)
    found: list[Signal] = []
    for start, stop in sentences(shown):
        heard = _Sentence(shown[start:stop], languages, context)
        for name, score, (first, last) in heard.signals():
            found.append(Signal(name, score, (start, stop), text[start + first : start + last]))
            if name == "silence":
                return Verdict(0.0, (Signal("negation", 0.0, (start, stop), found[-1].words),))
    found.sort(key=lambda signal: -signal.score)
    return Verdict(max((signal.score for signal in found), default=0.0), tuple(found))


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One sentence, folded, as all the languages that occur in the text read it."""

    said: str
    languages: tuple[Compiled, ...]
    context: str

    def signals(self) -> Iterator[tuple[str, float, tuple[int, int]]]:
        """Name, score and span of what was found. "silence": nothing of the whole text may be kept."""
        if denied := self._first("negated"):
            whole = any(one.whole.match(self.said, denied.end()) for one in self.languages)
            yield ("silence" if whole else "negation"), 0.0, denied.span()
            return
        hits = [(kind, span) for language in self.languages for kind, span in self._hits(language)]
        if not hits:
            return
        asked, once, recalled = self._asked(), self._first("once"), self._first("recalled")
        for kind, span in hits:
            name = self._refused(kind, span, asked, bool(once), bool(recalled))
            yield name or kind, 0.0 if name else SCORES[kind], span
        if once and any(kind == "explicit" for kind, _ in hits):
            yield "once", 0.0, once.span()

    def _hits(self, language: Compiled) -> Iterator[tuple[str, tuple[int, int]]]:
        for kind, pattern in language.signals:
            for found in islice(pattern.finditer(self.said), TRIES):
                span = found.span(found.lastindex or 0)
                if kind in ("explicit", "rule", "preference") or not self._unsure(span[0]):
                    yield kind, span
                    break

    def _refused(self, kind: str, span: tuple[int, int], asked: bool, once: bool, recalled: bool) -> str:
        """Why a trigger does not count, or ""."""
        if asked or (recalled and kind != "explicit"):
            return "question" if asked else "recollection"
        if once and kind in ("rule", "preference"):
            return "once"
        if (self._rest(span, kind) if kind in ORDERS else _weight(self.said)) < LEAST[kind]:
            points = kind == "explicit" and _weight(self.context) >= SAID_BEFORE
            return "" if points else "fragment"
        return ""

    def _unsure(self, at: int) -> bool:
        before = self.said[max(0, at - LOOK_BACK) : at]
        return any(one.unsure.search(before) for one in self.languages)

    def _asked(self) -> bool:
        marked = _MARK.search(self.said[-LOOK_BACK:]) or self._first("asked")
        return bool(marked) and not self._first("tag") and not self._first("request")

    def _first(self, name: str) -> re.Match[str] | None:
        found = (getattr(one, name).search(self.said) for one in self.languages)
        return next((match for match in found if match), None)

    def _rest(self, span: tuple[int, int], kind: str) -> float:
        """How much is said beside the trigger."""
        rest = self.said[: span[0]] + " " + self.said[span[1] :]
        return _weight(" ".join(word for word in _WORD.findall(rest) if kind != "explicit" or not self._empty(word)))

    def _empty(self, word: str) -> bool:
        return any(re.fullmatch(f"(?:{one.filler.pattern})+", word, re.I) for one in self.languages)


def _weight(text: str) -> float:
    """How many words `text` has: two Han characters are one."""
    total = 0.0
    for word in _WORD.findall(text):
        han = sum(map(is_han, word))
        total += han / 2 + (han < len(word))
    return total

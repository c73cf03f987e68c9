"""Text that is made up, and spread like real notes: a few thousand words by Zipf's law, some Chinese, no line twice.

The words are those of Python's own manual: words that are none would cost an encoder twice the tokens.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import accumulate
from pydoc_data.topics import topics

WORDS, HAN_WORDS = 4000, 1500
# The commonest words of real notes mean nothing, and a search drops them.
SMALL = """
    the a to is and of in for on with it not we at by from when are be as that use must only after before no all this
    """.split()
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 600)]
OFFSET = 2.7  # Mandelbrot's: the first ranks of a language are flatter than 1 / rank


class Writer:
    """Makes sentences; the same seed makes the same ones."""

    def __init__(self, seed: int = 7) -> None:
        self.rng = random.Random(seed)
        self.words = list(dict.fromkeys([*SMALL, *_manual()]))[:WORDS]
        self.han = ["".join(self.rng.choices(HAN, k=2)) for _ in range(HAN_WORDS)]
        self._cum, self._cum_han = _zipf(len(self.words)), _zipf(len(self.han))

    def english(self, low: int = 8, high: int = 25) -> str:
        """A sentence of `low` to `high` words."""
        words = self.rng.choices(self.words, cum_weights=self._cum, k=self.rng.randint(low, high))
        if self.rng.random() < 0.1:
            words[-1] = f"`{words[-1]}_{self.rng.choice(self.words)}`"
        if self.rng.random() < 0.2:
            words.insert(len(words) // 2, str(self.rng.randint(2, 9999)))
        return " ".join(words).capitalize() + "."

    def chinese(self) -> str:
        words = self.rng.choices(self.han, cum_weights=self._cum_han, k=self.rng.randint(5, 14))
        return "".join(words[:5]) + "，" + "".join(words[5:]) + "。"

    def entry(self) -> str:
        """A sentence, one in twelve Chinese."""
        return self.chinese() if self.rng.random() < 1 / 12 else self.english()

    def question(self) -> str:
        """Four to eight words, common and rare as they come, as a person would ask; one in twelve Chinese."""
        if self.rng.random() < 1 / 12:
            return "".join(self.rng.choices(self.han, cum_weights=self._cum_han, k=3))
        return " ".join(
            ["when", "did", "we", *self.rng.choices(self.words, cum_weights=self._cum, k=self.rng.randint(4, 8))]
        )


def _manual() -> list[str]:
    """The words of the manual, the commonest first."""
    return [word for word, _ in Counter(re.findall(r"\b[a-z]{3,}\b", " ".join(topics.values()).lower())).most_common()]


def _zipf(count: int) -> list[float]:
    return list(accumulate(1 / (rank + OFFSET) for rank in range(1, count + 1)))

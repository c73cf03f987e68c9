"""An encoder and a vector store as the search sees them: a text against the stored vectors. Light."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class Store(Protocol):
        def nearest(self, query: list[float], k: int) -> dict[bytes, float]: ...
        def scores(self, query: list[float], digests: Sequence[bytes]) -> dict[bytes, float]: ...

    class Asker(Protocol):
        english_only: bool

        def query(self, text: str) -> list[float]: ...


class Meaning:
    """Cosines of a text with stored vectors; the last text's own vector is kept."""

    def __init__(self, encoder: Asker, store: Store) -> None:
        self.encoder, self.store = encoder, store
        self.english_only = encoder.english_only
        self._text: str | None = None
        self._vector: list[float] = []

    def nearest(self, text: str, count: int) -> dict[bytes, float]:
        return self.store.nearest(self._of(text), count)

    def scores(self, text: str, digests: Sequence[bytes]) -> dict[bytes, float]:
        return self.store.scores(self._of(text), digests)

    def _of(self, text: str) -> list[float]:
        if text != self._text:
            self._text, self._vector = text, self.encoder.query(text)
        return self._vector

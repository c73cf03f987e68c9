"""An encoder and a vector store as the search sees them: a text against the stored vectors. Light."""

from __future__ import annotations

from memcli.errors import MemError

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


class NoMeaning(MemError):
    """Vectors cannot answer; words can."""


class Meaning:
    """Cosines of a text with stored vectors; the last text's own vector is kept."""

    def __init__(self, encoder: Asker, store: Store) -> None:
        self.encoder, self.store = encoder, store
        self.english_only = encoder.english_only
        self._text: str | None = None
        self._vector: list[float] = []

    def nearest(self, text: str, count: int) -> dict[bytes, float]:
        """The nearest stored vectors: digest -> cosine.

        Raises:
            NoMeaning: the encoder or the store broke since it was opened.
        """
        try:
            return self.store.nearest(self._of(text), count)
        except (MemError, OSError) as error:
            raise NoMeaning(str(error)) from None

    def scores(self, text: str, digests: Sequence[bytes]) -> dict[bytes, float]:
        """The cosines of those of `digests` that are stored. Raises as `nearest`."""
        try:
            return self.store.scores(self._of(text), digests)
        except (MemError, OSError) as error:
            raise NoMeaning(str(error)) from None

    def _of(self, text: str) -> list[float]:
        if text != self._text:
            self._text, self._vector = text, self.encoder.query(text)
        return self._vector

"""What every encoder is: texts in, unit vectors out. Imported by type checkers only, for `typing` is heavy on the cold path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.float32]


class Encoder(Protocol):
    """Turns texts into points of one space. Any text is legal: empty, with NUL, with lone surrogates, of any length.

    Attributes:
        name: what the user calls it.
        dim: the width of its vectors.
        max_tokens: what stands after so many tokens of a text weighs little or nothing.
        identity: hex digest of the space; vectors of two identities are never compared.
        english_only: other scripts come out as noise.
    """

    name: str
    max_tokens: int
    identity: str
    english_only: bool

    @property
    def dim(self) -> int: ...

    def query(self, text: str) -> list[float]:
        """The unit vector of a question.

        Raises:
            EncoderMissing: it broke since it was chosen, or it is a remote one that does not answer.
        """
        ...

    def passages(self, texts: Sequence[str]) -> Rows:
        """The unit rows of the texts that may answer, float32 (texts, dim), in their order.

        Raises:
            EncoderMissing: as `query`.
        """
        ...

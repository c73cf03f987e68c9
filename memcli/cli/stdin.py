"""What is piped in."""

from __future__ import annotations

import sys
from typing import BinaryIO

from memcli.errors import Usage


def stdin(hint: str) -> BinaryIO:
    """The bytes of stdin, to be read.

    Raises:
        Usage: it is closed (`<&-`, some services); `hint` says what to type instead.
    """
    if sys.stdin is None:
        raise Usage("nothing to read on stdin: it is closed", hint=hint)
    return sys.stdin.buffer

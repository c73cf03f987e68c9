"""A new id."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Callable, Container

LENGTH = 6  # base-32 characters: a billion ids, and short enough to type


def fresh_id(taken: Container[str], random: Callable[[int], bytes]) -> str:
    """Six characters of a-z and 2-7 that are not in `taken` and not all digits, for those would read as a number.

    Args:
        random: gives that many random bytes, as `os.urandom` does.
    """
    while True:
        made = b32encode(random(5)).decode().lower()[:LENGTH]
        if not made.isdigit() and made not in taken:
            return made

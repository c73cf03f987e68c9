"""The id of an entry that carries none in its comment."""

from __future__ import annotations

import hashlib
from base64 import b32encode


def derived_id(place: str, text: str, nth: int) -> str:
    """The id of an entry that carries none: 8 base-32 characters of its file, its text and which of equal ones it is."""
    raw = hashlib.sha256(f"{place}\0{text}\0{nth}".encode("utf-8", "surrogateescape")).digest()
    return b32encode(raw[:5]).decode().lower()

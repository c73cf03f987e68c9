"""Text as every encoder can take it. Light: the cold path runs it."""

from __future__ import annotations


def plain(text: str, limit: int) -> str:
    """The first `limit` characters of `text`; a NUL (it would end a C string) is a space, a lone surrogate `?`."""
    return text[:limit].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")

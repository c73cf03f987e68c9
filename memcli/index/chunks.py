"""How a doc is cut for the encoder, and what a chunk is called. The same text gives the same digest wherever it stands."""

from __future__ import annotations

import hashlib

from memcli.index.documents import Doc, spoken

MAX_TOKENS = 200  # longer inputs are windowed and averaged by the encoder, at linear cost and with blurred meaning
MAX_CHUNKS = 4  # of one doc; what stands after some 800 tokens of a turn is found by its words
REPLY_CHUNKS = 1  # of a reply, which says in its first sentences what it is about and then goes on at length
MIN_TOKENS = 3  # of a turn; "ok", "thanks": words alone serve these


def of(doc: Doc) -> list[str]:
    """The texts that stand for `doc` in the vector store; none where words alone serve it."""
    if doc.unit == "session" or doc.role == "tool" or (doc.unit == "turn" and cost(doc.text) < MIN_TOKENS):
        return []
    most = REPLY_CHUNKS if doc.role == "assistant" else MAX_CHUNKS
    return cut(spoken(doc)[: most * 4 * MAX_TOKENS])[:most]


def digest(text: str) -> bytes:
    """16 bytes that name the content."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def cut(text: str) -> list[str]:
    """`text` in pieces of at most MAX_TOKENS estimated tokens, cut at line ends, sentence ends or spaces."""
    if cost(text) <= MAX_TOKENS:
        return [text]
    pieces, start, spent = [], 0, 0.0
    for at, char in enumerate(text):
        spent += 0.29 if char < "\x80" else 0.75
        if spent >= MAX_TOKENS:
            stop = _boundary(text, start, at)
            pieces.append(text[start:stop].strip())
            start, spent = stop, cost(text[stop : at + 1])
    pieces.append(text[start:].strip())
    return [piece for piece in pieces if piece]


def cost(text: str) -> float:
    """The tokens of `text`, estimated: about 3.5 ASCII characters or 1.3 others a token."""
    plain = len(text) if text.isascii() else sum(char < "\x80" for char in text)
    return 0.29 * plain + 0.75 * (len(text) - plain)


def _boundary(text: str, start: int, stop: int) -> int:
    """The best place to cut in the second half of text[start:stop]."""
    half = start + (stop - start) // 2
    for mark in ("\n", "。", ". ", "！", "？", "! ", "? ", " "):
        at = text.rfind(mark, half, stop)
        if at > half:
            return at + len(mark)
    return stop

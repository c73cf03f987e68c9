"""Which entry of a file is meant."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TypeAlias

from memcli.errors import StaleWrite, Usage
from memcli.files.markdown import Document, Item


@dataclass(frozen=True, slots=True)
class Spot:
    """An entry by its place, for one that has no id of its own or shares it.

    Attributes:
        line: its first line, 1-based.
        digest: of its bytes, see `digest`.
        id: the id that it was shown with; the entry carries it once a plan has written to it.
    """

    line: int
    digest: str
    id: str = ""


Ref: TypeAlias = "str | Spot"


def digest(span: bytes) -> str:
    """The SHA-256 of an entry's bytes, 64 hex characters; the line end of its last line does not count."""
    return hashlib.sha256(span.rstrip(b"\r\n")).hexdigest()


def spot(document: Document, item: Item, entry_id: str = "") -> Spot:
    """The spot of `item`, which is shown with that id."""
    return Spot(item.line, digest(document.data[item.start : item.end]), item.meta.id or entry_id)


def locate(document: Document, ref: Ref) -> Item:
    """The entry that `ref` means; of equal ones that on its line.

    Raises:
        Usage: no entry carries that id, or several do.
        StaleWrite: the entry of that spot is gone, or it moved and there are several like it.
    """
    found = _by_id(document, ref) if isinstance(ref, str) else _by_spot(document, ref)
    if len(found) == 1:
        return found[0]
    if isinstance(ref, Spot):
        raise StaleWrite(f"line {ref.line} no longer has that entry")
    if not found:
        raise Usage(f"no entry has the id {ref}")
    lines = ", ".join(str(item.line) for item in found)
    raise Usage(f"{len(found)} entries have the id {ref}, on lines {lines}", hint="give one of them another id")


def _by_id(document: Document, entry_id: str) -> list[Item]:
    return [item for item in document.items if item.meta.id == entry_id]


def _by_spot(document: Document, spot: Spot) -> list[Item]:
    same = [item for item in document.items if digest(document.data[item.start : item.end]) == spot.digest]
    return [item for item in same if item.line == spot.line] or same

"""An entry or a turn as the verbs that list and show it have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memcli.search.query import Doc


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry or turn, the path of its file as found, and the scope of that file."""

    doc: Doc
    path: str
    scope: str

    def record(self, place: str) -> dict[str, Any]:
        """Its JSON keys, with `place` as the path that is shown; keys that `mem search` has too mean the same."""
        doc = self.doc
        return {
            "path": place, "line": doc.line, "id": doc.eid, "unit": doc.unit, "type": doc.type, "tags": parts(doc.tags),
            "confidence": doc.conf, "created": doc.born, "updated": doc.touched, "expires": doc.expires,
            "scope": self.scope, "heading": doc.heading, "text": doc.text,
        }  # fmt: skip


def parts(joined: str) -> list[str]:
    """The words of a comma-joined column of the catalog."""
    return [part for part in joined.split(",") if part]


def over(doc: Doc, moment: str) -> str:
    """Why an entry holds no longer at `moment`: "expired" or "superseded"; "" while it does."""
    if not doc.until or doc.until > moment:
        return ""
    return "expired" if doc.until == doc.expires else "superseded"

"""How hits look: one line of tab-separated values, one JSON object, or a few lines for a person. Light."""

from __future__ import annotations

from _json import encode_basestring  # the C function behind json.dumps(ensure_ascii=False); json itself costs 12 ms
from unicodedata import combining, east_asian_width

from memcli.files.sources import show as shown
from memcli.search.query import Hit
from memcli.text import query_terms, stem, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

EXCERPT = 300  # characters of a hit's text in a pipe; --json has all of it
SHOWN = "\n\t\u200c\u200d\u200e\u200f"  # joiners and marks that emoji, Persian and Hebrew need
BOLD, DIM, MARK, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[33m", "\x1b[0m"


def tsv(hit: Hit, place: str, text: str) -> str:
    """`path:line`, score, text: one line."""
    return f"{shown(place)}:{hit.doc.line}\t{hit.score:.3f}\t{excerpt(hit.doc.text, text, EXCERPT)}"


def rows(
    hits: Sequence[Hit],
    paths: Mapping[int, str],
    text: str,
    place: Callable[[str], str],
    as_json: bool,
    explain: bool = False,
) -> Iterator[str]:
    """The lines of a pipe, one a hit."""
    for rank, hit in enumerate(hits, 1):
        where = place(paths[hit.doc.file])
        yield record(hit, where, rank, None, explain) if as_json else tsv(hit, where, text)


def record(hit: Hit, place: str, rank: int, query_id: str | None = None, explain: bool = False) -> str:
    """One JSON object: [query_id,] rank, path, line, id, score, and outside of batches type, tags, heading, text."""
    doc = hit.doc
    fields: list[tuple[str, str]] = [] if query_id is None else [("query_id", _string(query_id))]
    fields += [
        ("rank", str(rank)),
        ("path", _string(place)),
        ("line", str(doc.line)),
        ("id", _string(doc.eid)),
        ("score", f"{hit.score:.6f}"),
    ]
    if query_id is None:
        fields += [
            ("unit", _string(doc.unit)),
            ("type", _string(doc.type)),
            ("tags", _list(doc.tags)),
            ("confidence", f"{doc.conf:g}"),
        ]
        fields += [("created", _string(doc.born)), ("heading", _string(doc.heading)), ("text", _string(doc.text))]
    if explain:
        fields.append(
            ("parts", "{" + ", ".join(f"{_string(name)}: {value:.6f}" for name, value in hit.parts.items()) + "}")
        )
    return "{" + ", ".join(f'"{name}": {value}' for name, value in fields) + "}"


def lines(hit: Hit, place: str, text: str, width: int, colour: bool) -> list[str]:
    """A hit for a terminal `width` cells wide: where it is, then its text, cut to two lines."""
    words = set(map(stem, query_terms(text)))
    found = excerpt(hit.doc.text, text, 2 * (width - 4))
    head = f"{shown(place)}:{hit.doc.line}"
    about = " ".join(part for part in (f"{hit.score:.3f}", hit.doc.type, hit.doc.born[:10]) if part)
    if colour:
        head, about = BOLD + head + PLAIN, DIM + about + PLAIN
    return [
        f"{head}  {about}",
        *("    " + (_marked(line, words) if colour else line) for line in wrap(found, width - 4, 2)),
    ]


def explained(hit: Hit) -> str:
    """The parts of a score as a sum."""
    return (
        " + ".join(f"{name} {value:.3f}" for name, value in hit.parts.items() if value).replace("+ -", "- ")
        or "nothing"
    )


def excerpt(text: str, query: str, size: int) -> str:
    """`text` on one line, at most `size` characters of it, around the first word of the query when it is longer."""
    flat = " ".join(printable(text).split())
    if len(flat) <= size:
        return flat
    low, start = flat.lower(), 0
    places = [place for word in query_terms(query) if (place := low.find(word)) >= 0]
    if places and min(places) > size * 2 // 3:
        start = min(places) - size // 3
    piece = flat[start : start + size - 2]
    return ("…" if start else "") + piece.strip() + "…"


def printable(text: str) -> str:
    """`text` with what a terminal would act on, or a reader would not see, made visible: control and bidirectional characters."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in SHOWN else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return " " if char.isspace() else repr(char)[1:-1]


def wrap(text: str, width: int, most: int) -> list[str]:
    """At most `most` lines of `text`, none wider than `width` cells."""
    rows, row, used = [], "", 0
    for char in text:
        size = cells(char)
        if used + size > width:
            cut = row.rfind(" ")
            keep = cut if cut > width // 2 and char != " " and char.isascii() else len(row)
            rows.append(row[:keep])
            row = row[keep:].lstrip()
            used = sum(map(cells, row))
        row, used = row + char, used + size
    rows.append(row)
    if len(rows) > most:
        rows = rows[:most]
        rows[-1] = rows[-1][: max(0, width - 1)].rstrip("…") + "…"
    return [row.strip() for row in rows if row.strip()]


def cells(char: str) -> int:
    """The columns a character takes on a terminal."""
    if char < "\x7f":
        return 1
    return 0 if combining(char) or char in "\u200d\ufe0f" else 2 if east_asian_width(char) in "WF" else 1


def _marked(line: str, words: set[str]) -> str:
    return " ".join(MARK + word + PLAIN if words & set(map(stem, terms(word))) else word for word in line.split(" "))


def _string(text: str) -> str:
    return encode_basestring(text.encode("utf-8", "backslashreplace").decode())


def _list(joined: str) -> str:
    return "[" + ", ".join(_string(part) for part in joined.split(",") if part) + "]"


def place_for(home: str, cwd: str, for_batch: bool) -> Callable[[str], str]:
    """How a path is shown: relative to the working directory (in batches: to the home) when below it, else whole."""
    base = home if for_batch else cwd

    def place(path: str) -> str:
        below = path[len(base) + 1 :] if base != "/" and path.startswith(base + "/") else path
        return below.encode("utf-8", "backslashreplace").decode()

    return place

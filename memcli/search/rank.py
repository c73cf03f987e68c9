"""How candidates become a ranking. Pure: hits with their raw evidence in, the same hits scored and ordered out."""

from __future__ import annotations

from memcli.search.query import Hit
from memcli.text import stem, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Equal parts of words and meaning: within .002 nDCG of the best in English, between the two Chinese optima.
DENSE = 0.5
DENSE_ENGLISH_ON_HAN = 0.3  # an English-only encoder harms Chinese at more than this
NEIGHBOUR = 0.4  # of the better neighbouring turn: LoCoMo turns R@10 .767 without, .780 at .25, .785 at .4
PHRASE = 0.2  # the question stands in the text word for word
CONFIDENCE, RECENCY, SCOPE = 0.05, 0.03, 0.02  # small: they order what is about equally relevant
SAID = 0.1  # an entry was thought worth keeping, a turn was only said; counts where both are searched
STANDING = ("user", "feedback", "lesson", "decision")  # rules that do not age
# What a person said is evidence of what they want and did; a reply mostly repeats it at length, and a tool's output is noise.
ROLES = {"assistant": 0.6, "system": 0.6, "tool": 0.5}
SAME = 0.5  # two sentences whose common beginning is this share of the shorter one speak of the same thing
# Share of the best score below which an entry shares a word by chance and an agent must not be told it; cosines lie close
# together, so more is asked where they count. At .6 the first right answers go missing, at .5 one in ten hits is wrong.
FLOOR_WORDS, FLOOR = 0.4, 0.55
ENOUGH = 0.8  # of the best BM25: enough whatever the cosine, which tells many that speak alike apart by chance
TIE = 0.35  # a newer value passes an older one that scores at most this much more: BM25 and length are no sign of truth


def fuse(hits: Iterable[Hit], dense: float, *, by_role: bool = True) -> None:
    """Scores hits by the convex sum of min-max cosine and BM25 over its maximum, `dense` being the first's weight.

    `by_role` weighs a turn by who said it. A hit without a vector (not yet embedded, or too short to be) is taken to be
    as near in meaning as in words, by half.
    """
    hits = list(hits)
    top = max((hit.lexical for hit in hits), default=0.0) or 1.0
    known = [hit.cosine for hit in hits if hit.cosine is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    span = high - low or 1.0
    near = {hit.doc.id: (hit.cosine - low) / span for hit in hits if hit.cosine is not None}
    for hit in hits:
        words = hit.lexical / top
        meaning = near.get(hit.doc.id, words / 2)
        if hit.doc.unit == "turn":
            meaning += NEIGHBOUR * max(_beside(hit, near, -1), _beside(hit, near, 1))
        role = ROLES.get(hit.doc.role, 1.0) if by_role and hit.doc.unit == "turn" else 1.0
        hit.parts = {"words": (1 - dense) * words * role, "vectors": dense * meaning * role}


def total(hits: Iterable[Hit]) -> None:
    for hit in hits:
        hit.score = round(sum(hit.parts.values()), 6)


def phrase(hits: Iterable[Hit], quoted: set[int]) -> None:
    """Adds PHRASE to the docs in `quoted`, which have the whole question word for word."""
    for hit in hits:
        if hit.doc.id in quoted:
            hit.parts["phrase"] = PHRASE


def priors(hits: list[Hit], now: float, half_life_s: float, scopes: dict[int, str]) -> None:
    """Adds what confidence, age and scope are worth. `now` in seconds since the epoch."""
    mixed = any(hit.doc.unit == "entry" for hit in hits)
    for hit in hits:
        doc = hit.doc
        if doc.unit != "entry":
            hit.parts["said"] = -SAID * mixed
            continue
        hit.parts["confidence"] = CONFIDENCE * (doc.conf - 1)
        if doc.type in STANDING:
            hit.parts["recency"] = RECENCY
        elif doc.touched:
            hit.parts["recency"] = RECENCY * 0.5 ** (max(0.0, now - seconds(doc.touched)) / half_life_s)
        if scopes.get(doc.file) == "project":
            hit.parts["scope"] = SCOPE


def order(hits: list[Hit]) -> list[Hit]:
    """Best first; equal scores newest first, then in the order of the files."""
    return sorted(hits, key=_key)


def newest(hits: list[Hit], words: list[str], depth: int) -> list[Hit]:
    """`hits` with, among the first `depth`, a newer entry moved before an older one that says another value of the same thing.

    Two entries do when the sentences that answer `words` best begin alike and end differently.
    """
    wanted = {stem(word) for word in words}
    head: list[tuple[Hit, list[str]]] = []
    for hit in hits[:depth]:
        said = _sentence(hit.doc.text, wanted) if hit.doc.unit == "entry" and hit.doc.touched else []
        at = next(
            (place for place, (other, before) in enumerate(head) if _passes(hit, other, said, before, wanted)),
            len(head),
        )
        head.insert(at, (hit, said))
    for (above, _), (below, _) in zip(reversed(head[:-1]), reversed(head[1:]), strict=True):
        above.score = max(above.score, below.score)
    return [hit for hit, _ in head] + hits[depth:]


def relevant(hits: list[Hit], share: float) -> list[Hit]:
    """`hits`, best first, without the entries that have less than `share` of the best score and of the best words."""
    least = share * hits[0].score if hits else 0.0
    words = ENOUGH * max((hit.lexical for hit in hits), default=0.0)
    return [hit for hit in hits if hit.score >= least or hit.doc.unit != "entry" or 0 < words <= hit.lexical]


def collapse(hits: list[Hit]) -> list[Hit]:
    """`hits` without those whose words are the same as an earlier one's."""
    seen: set[str] = set()
    kept = []
    for hit in hits:
        key = " ".join(hit.doc.text.lower().split()) if hit.doc.unit == "entry" else str(hit.doc.id)
        if key not in seen:
            seen.add(key)
            kept.append(hit)
    return kept


def seconds(moment: str) -> float:
    """Seconds since the epoch of an RFC 3339 UTC time as the catalog writes it; proleptic Gregorian, no leap seconds."""
    year, month, day = int(moment[:4]), int(moment[5:7]), int(moment[8:10])
    clock = int(moment[11:13]) * 3600 + int(moment[14:16]) * 60 + int(moment[17:19])
    year -= month <= 2
    days = 365 * year + year // 4 - year // 100 + year // 400 + (153 * ((month + 9) % 12) + 2) // 5 + day - 719469
    return days * 86400.0 + clock


def _beside(hit: Hit, near: dict[int, float], step: int) -> float:
    return near.get(hit.doc.id + step, 0.0)


def _key(hit: Hit) -> tuple[float, float, int]:
    return (-hit.score, -seconds(hit.doc.touched) if hit.doc.touched else 0.0, hit.doc.id)


def _passes(hit: Hit, other: Hit, said: list[str], before: list[str], wanted: set[str]) -> bool:
    """True when `hit` is newer than `other` and says something else of the same thing, with a score not much lower."""
    if not said or not before or hit.doc.touched <= other.doc.touched or other.score - hit.score > TIE:
        return False
    shared = 0
    for one, two in zip(said, before, strict=False):
        if one != two:
            break
        shared += 1
    short = min(len(said), len(before))
    alike = shared >= max(2, SAME * short) if short > 2 else shared == 1
    about = {stem(word) for word in said[:shared]}
    return alike and bool(wanted & about) and wanted & set(map(stem, before)) <= about


def _sentence(text: str, wanted: set[str]) -> list[str]:
    """The terms of the sentence of `text` that has the most of `wanted`."""
    for mark in "。！？；!?;":
        text = text.replace(mark, "\n")
    parts = [terms(part) for part in text.replace(". ", "\n").split("\n")]
    return max(parts, key=lambda part: len(wanted & set(map(stem, part))), default=[])

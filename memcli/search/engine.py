"""Gathers the candidates for a question from words and vectors, and ranks them. The vectors are whatever `Dense` is handed in."""

from __future__ import annotations

from memcli.index.dense import NoMeaning
from memcli.search import rank
from memcli.search.query import Doc, Hit, Query, refusal
from memcli.text import is_han, match, query_terms, quoted, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Protocol

    from memcli.index.catalog import Catalog

    class Dense(Protocol):
        """A query vector against the stored ones: digest -> cosine."""

        english_only: bool

        def nearest(self, text: str, count: int) -> dict[bytes, float]: ...
        def scores(self, text: str, digests: Sequence[bytes]) -> dict[bytes, float]: ...


# Candidates of each kind; the centred sign bits keep 96 % of the true top 10 at 200, 99 % at 500.
LEXICAL, NEAREST = 100, 400
PHRASE_WORDS = 24  # a longer question is a text, and stands nowhere as it is
VERSIONS = 20  # places within which a newer value passes an older one
DEEP = 4  # a list of k hits is cut from at least this many times k candidates


class Engine:
    """One catalog, one set of active files, perhaps vectors; answers any number of queries.

    Attributes:
        scopes: file id -> scope of every file that is read here.
        now: the moment that expiry and age are reckoned from, RFC 3339 UTC.
    """

    def __init__(
        self,
        catalog: Catalog,
        scopes: dict[int, str],
        now: str,
        dense: Dense | None = None,
        half_life_days: float = 30.0,
    ) -> None:
        self.catalog, self.scopes, self.now, self.dense = catalog, scopes, now, dense
        self.half_life_s = half_life_days * 86400.0
        self.notes: list[str] = []

    def search(self, query: Query) -> list[Hit]:
        """The hits, best first, at most `query.limit`."""
        if "session" in query.units:
            from memcli.search.sessions import ranked

            return ranked(self, query)[: query.limit]
        return self.ranked(query)[: query.limit]

    def why_not(self, query: Query, doc: Doc) -> str:
        """Why `doc` is no hit of `query`, or at which rank it is, in a sentence."""
        refused = refusal(doc, query, self.now, self.scopes)
        if refused:
            return f"{doc.eid} may not come back: {refused}"
        hits = self.ranked(query)
        place = next((at for at, hit in enumerate(hits, 1) if hit.doc.id == doc.id), 0)
        if not place:
            return self._left_out(query, doc, len(hits))
        last = hits[min(query.limit, len(hits)) - 1].score
        verdict = (
            "it is a hit" if place <= query.limit else f"-k {place} would show it; the last hit shown has {last:.3f}"
        )
        return f"{doc.eid} is at rank {place} with {hits[place - 1].score:.3f}: {verdict}"

    def evidence(self, query: Query) -> list[Hit]:
        """Every turn that speaks for a session, best first: what was replied tells a session as well as what was asked."""
        return rank.order(self._candidates(query, by_role=False)[0])

    def _left_out(self, query: Query, doc: Doc, hits: int) -> str:
        found, weight = self._candidates(query)
        mine = next((hit for hit in found if hit.doc.id == doc.id), None)
        if mine is None:
            return f"{doc.eid} shares no word with the question, and {hits} passages are nearer in meaning"
        best, share = max(hit.score for hit in found), rank.FLOOR if weight else rank.FLOOR_WORDS
        if mine.score < share * best:
            return (
                f"{doc.eid} has {mine.score:.3f}, less than {share:.0%} of the best ({best:.3f}): not relevant enough"
            )
        return f"{doc.eid} says the same as a hit that ranks higher"

    def ranked(self, query: Query) -> list[Hit]:
        """Every candidate that is relevant enough, in order."""
        hits, weight = self._candidates(query)
        kept = rank.relevant(rank.order(hits), rank.FLOOR if weight else rank.FLOOR_WORDS)
        return rank.newest(rank.collapse(kept), query_terms(query.text), VERSIONS)

    def _candidates(self, query: Query, *, by_role: bool = True) -> tuple[list[Hit], float]:
        """(every candidate, scored; the weight of meaning in the scores)."""
        found: dict[int, Hit] = {}
        depth = max(LEXICAL, DEEP * query.limit if query.limit < 1000 else query.limit)
        if query.mode != "vectors":
            for unit in query.units:
                for hit in self.lexical(query, unit, depth):
                    found[hit.doc.id] = hit
        weight = self._weigh(query, found) if query.mode != "words" else 0.0
        hits = list(found.values())
        rank.fuse(hits, 1.0 if query.mode == "vectors" and weight else weight, by_role=by_role)
        rank.phrase(hits, self._quoted(query))
        rank.priors(hits, rank.seconds(query.as_of or self.now), self.half_life_s, self.scopes)
        rank.total(hits)
        return hits, weight

    def lexical(self, query: Query, unit: str, depth: int) -> list[Hit]:
        """The best `depth` docs by BM25 that the filters let through; a literal look-up when the question has no words."""
        words = query_terms(query.text)
        if not words:
            return list(self._literal(query, unit, depth))
        limit = depth + 28
        while True:
            rows = self.catalog.search(unit, match(words), limit)
            kept = self._kept(dict(rows), query)
            if len(kept) >= depth or len(rows) < limit:
                return kept[:depth]
            limit *= 8

    def _kept(self, scores: dict[int, float], query: Query) -> list[Hit]:
        hits = []
        for doc in map(Doc, self.catalog.docs(list(scores))):
            if not refusal(doc, query, self.now, self.scopes):
                hit = Hit(doc)
                hit.lexical = scores[doc.id]
                hits.append(hit)
        hits.sort(key=lambda hit: (-hit.lexical, hit.doc.id))
        return hits

    def _quoted(self, query: Query) -> set[int]:
        """The docs that have the whole question, of two words or more, word for word."""
        words = terms(query.text)
        if not 2 <= len(words) <= PHRASE_WORDS:
            return set()
        return {doc for unit in query.units for doc in self.catalog.holders(unit, "text : " + quoted(words), LEXICAL)}

    def _literal(self, query: Query, unit: str, depth: int) -> Iterator[Hit]:
        needle = query.text.strip()
        if needle:
            rows = self.catalog.rows(
                "select id, 1.0 from doc where unit = ? and instr(text, ?) limit ?", (unit, needle, depth)
            )
            yield from self._kept(dict(rows), query)

    def _weigh(self, query: Query, found: dict[int, Hit]) -> float:
        """What `_add_dense` says; 0 without vectors, or when they break on the way: words answer then, with a note."""
        if self.dense is None or not terms(query.text):
            return 0.0  # nothing near a lone bracket means anything
        try:
            return self._add_dense(query, found)
        except NoMeaning as error:
            self.dense = None
            self.notes.append(f"{error}; words only")
            return 0.0

    def _add_dense(self, query: Query, found: dict[int, Hit]) -> float:
        """Adds the nearest docs and every candidate's cosine; the weight that meaning deserves here."""
        assert self.dense is not None
        near = self.dense.nearest(query.text, NEAREST)
        best = self._best(self.catalog.owners(list(near)), near)
        for doc in map(Doc, self.catalog.docs([doc for doc in best if doc not in found])):
            if not refusal(doc, query, self.now, self.scopes):
                found[doc.id] = Hit(doc)
        rest = [(digest, doc) for doc, digest in self.catalog.chunks([doc for doc in found if doc not in best])]
        scores = self.dense.scores(query.text, list({digest for digest, _ in rest}))
        best.update(self._best(rest, scores))
        for ident, hit in found.items():
            hit.cosine = best.get(ident)
        han = any(map(is_han, query.text))
        return rank.DENSE_ENGLISH_ON_HAN if han and self.dense.english_only else rank.DENSE

    @staticmethod
    def _best(owners: list[tuple[bytes, int]], scores: dict[bytes, float]) -> dict[int, float]:
        best: dict[int, float] = {}
        for digest, doc in owners:
            if digest in scores:
                best[doc] = max(scores[digest], best.get(doc, -1.0))
        return best

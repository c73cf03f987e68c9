"""From what was typed to a Query: names checked, times made whole. Light: the cold path uses it too."""

from __future__ import annotations

from memcli.errors import Usage
from memcli.search.query import MODES, SOURCES, UNITS, Query

SCOPES = ("user", "project")
LOGGED = ("turn", "session")  # the types of what a log holds, beside those of entries
DEEPEST = 10_000  # hits; past that a search is a listing (mem list)


class Options:
    """The filters of a search, checked; makes the query for any text."""

    __slots__ = ("as_of", "conf", "limit", "mode", "scopes", "since", "tags", "types", "units", "until")

    def __init__(
        self,
        *,
        limit: int,
        mode: str,
        unit: str = "",
        source: str = "",
        types: tuple[str, ...] = (),
        tags: tuple[str, ...] = (),
        scopes: tuple[str, ...] = (),
        since: str = "",
        until: str = "",
        conf: float = 0.0,
        as_of: str = "",
    ) -> None:
        self.mode = _one(mode, MODES, "--mode")
        self.limit = _number(limit)
        self.units = units(unit, source)
        self.types, self.tags, self.conf = _types(types), tags, _share(conf)
        self.scopes = tuple(_one(scope, SCOPES, "--scope") for scope in scopes)
        self.since, self.until, self.as_of = (
            moment(since, "--since"),
            moment(until, "--until"),
            moment(as_of, "--as-of"),
        )

    def query(self, text: str, as_of: str = "") -> Query:
        """The query for `text`, without bytes that are no UTF-8: they stand in no text."""
        text = text if text.isascii() else text.encode("utf-8", "ignore").decode()
        return Query(
            text, limit=self.limit, mode=self.mode, units=self.units, types=self.types, tags=self.tags, scopes=self.scopes,
            since=self.since, until=self.until, conf=self.conf, as_of=as_of or self.as_of,
        )  # fmt: skip


def units(unit: str, source: str) -> tuple[str, ...]:
    """The units that --unit and --source leave: entries and turns when neither is given."""
    if source:
        _one(source, SOURCES, "--source")
    if unit:
        return (_one(unit, UNITS, "--unit"),)
    return {"memory": ("entry",), "sessions": ("turn",)}.get(source, ("entry", "turn"))


def moment(text: str, option: str) -> str:
    """`text`, a day or a time, as the catalog writes times; "" stays "".

    Raises:
        Usage: it is no RFC 3339 day or time.
    """
    if not text:
        return ""
    from memcli import clock

    found = clock.parse(text)
    if found is None:
        raise Usage(
            f"{option}: {text!r} is no day or time", hint=f"{option} 2026-11-30 or {option} 2026-11-30T09:12:00Z"
        )
    return clock.render(found)


def _one(name: str, allowed: tuple[str, ...], option: str) -> str:
    if name not in allowed:
        raise Usage(f"{option}: {name!r} is not one of {', '.join(allowed)}", hint="mem search --help")
    return name


def _number(limit: int) -> int:
    if not 1 <= limit <= DEEPEST:
        raise Usage(f"-k: {limit} is not between 1 and {DEEPEST}", hint="mem search -k 10 WORDS")
    return limit


def _share(conf: float) -> float:
    if not 0 <= conf <= 1:  # NaN is in no range
        raise Usage(f"--min-conf: {conf:g} is not between 0 and 1", hint="--min-conf 0.5")
    return conf


def _types(names: tuple[str, ...]) -> tuple[str, ...]:
    """`names`, each a type that an entry, a turn or a session can have."""
    if not names:
        return names
    from memcli.entry import TYPES  # loads `re`, which a search without --type need not wait for

    for name in names:
        if name not in (*TYPES, *LOGGED):
            from difflib import get_close_matches

            near = get_close_matches(name, (*TYPES, *LOGGED), n=1)
            known = f"did you mean {near[0]}?" if near else "there are " + ", ".join((*TYPES, *LOGGED))
            raise Usage(f"--type: {name!r} is no type ({known})", hint=f"--type {near[0]}" if near else "mem status")
    return names

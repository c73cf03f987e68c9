"""Who supersedes whom: each claim names another entry that exists, and none leads back to itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from memcli.doctor.finding import Finding, edit


@dataclass(frozen=True, slots=True)
class Claim:
    """The entry `ident`, at a line of a file, says that it supersedes `olds`."""

    path: str
    line: int
    ident: str
    olds: tuple[str, ...]


def broken(claims: Collection[Claim], known: Collection[str]) -> Iterator[Finding]:
    """Claims that hide nothing, or hide everything. `known` are the ids of all entries, the archived too."""
    for claim in claims:
        for old in claim.olds:
            if old not in known:
                yield _finding(claim, f"{claim.ident} supersedes {old}, which is not there")
    named: dict[str, Claim] = {}
    for claim in claims:
        named.setdefault(claim.ident, claim)  # an id that is taken twice is another finding
    for circle in circles({ident: claim.olds for ident, claim in named.items()}):
        first = named[circle[0]]
        if len(circle) == 1:
            yield _finding(first, f"{first.ident} supersedes itself")
        else:
            chain = " supersedes ".join((*circle, first.ident))
            yield _finding(first, f"a circle, so none of them holds: {chain}")


def circles(olds: Mapping[str, Collection[str]]) -> Iterator[list[str]]:
    """The ids of each circle in the graph id -> ids; no recursion, for a chain may be as long as a memory."""
    done: set[str] = set()
    for start in olds:
        path: list[str] = []
        on: set[str] = set()
        stack = [iter((start,))]
        while stack:
            name = next(stack[-1], None)
            if name is None:
                stack.pop()
                done.update(path[-1:])
                on.difference_update(path[-1:])
                del path[-1:]
            elif name in on:
                yield path[path.index(name) :]
            elif name in olds and name not in done:
                path.append(name)
                on.add(name)
                stack.append(iter(tuple(olds[name])))


def _finding(claim: Claim, what: str) -> Finding:
    return Finding("ids", claim.path, claim.line, what, edit(claim.path, claim.line))

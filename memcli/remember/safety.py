"""What may not be stored as it is: secrets, hidden characters, orders to the model, and entries of no reasonable size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memcli.errors import MemError
from memcli.remember.hidden import bare, escape, hidden
from memcli.remember.orders import orders
from memcli.remember.secrets import secrets

# Claude Code loads 200 lines or 25 KB of a MEMORY.md: no entry may take more than a fifth of its lines, and 2,000
# characters (at most 6 KB, in Chinese) are ten passages of the index.
MAX_CHARS = 2_000
MAX_LINES = 40
ROUNDS = 8  # masking changes what stands beside a secret; it has settled after two rounds in every test
NAMED = 5  # places a refusal names

SECRET, HIDDEN, INSTRUCTION, SIZE = "secret", "hidden", "instruction", "size"
TAG = "instruction-like"
_SAID = {HIDDEN: "hidden character ", INSTRUCTION: "instruction-like text, "}


class Refused(MemError):
    """The text holds what is not stored; the message names the places, never what stands there."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One place. `line` and `column` count from 1, in characters; `start` and `stop` from 0 in the whole text.

    Attributes:
        kind: SECRET, HIDDEN, INSTRUCTION or SIZE.
        name: which: "github token", "U+202E", "override", "2,431 characters, 2,000 at most".
    """

    kind: str
    name: str
    start: int
    stop: int
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column} {_SAID.get(self.kind, '')}{self.name}"


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found, in the order of the text."""

    every: tuple[Finding, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.every)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.every)

    def of(self, *kinds: str) -> tuple[Finding, ...]:
        """Those of these kinds."""
        return tuple(finding for finding in self.every if finding.kind in kinds)


@dataclass(frozen=True, slots=True)
class Passed:
    """What may be stored, and the tags it has to carry."""

    text: str
    tags: tuple[str, ...]


def inspect(text: str) -> Findings:
    """Everything in `text` that is not stored as it is.

    Secrets and orders are looked for in what a reader sees, so that a hidden character inside of one hides nothing.
    """
    unseen = hidden(text)
    places = list(bare(text, unseen)) if unseen else range(len(text))
    seen = "".join(text[at] for at in places) if unseen else text
    spans = [(start, stop, HIDDEN, name) for start, stop, name in unseen]
    for kind, find in ((SECRET, secrets), (INSTRUCTION, orders)):
        spans += [(places[start], places[stop - 1] + 1, kind, name) for start, stop, name in find(seen)]
    spans += _oversize(text)
    return Findings(tuple(_placed(text, sorted(spans))))


def redact(text: str, findings: Findings) -> str:
    """`text` with every secret as `[redacted: github token]` and every hidden character shown as `\\u{202E}`.

    The mask does not depend on the secret, so the same sentence redacted twice is the same text. What masking brings to
    light is masked too; instruction-like text and size stay.
    """
    for _ in range(ROUNDS):
        masked = _masked(text, findings.of(SECRET), findings.of(HIDDEN))
        if masked == text:
            break
        text, findings = masked, inspect(masked)
    return text


def visible(text: str) -> str:
    """`text` with every hidden character shown as `\\u{202E}`; emoji, Hebrew and the like stay as they are."""
    parts, done = [], 0
    for start, stop, _ in hidden(text):
        parts += [text[done:start], escape(text[start])]
        done = stop
    return "".join((*parts, text[done:]))


def gate(text: str, *, redact: bool = False, allow_instructions: bool = False) -> Passed:
    """What of `text` may be stored.

    Args:
        redact: mask secrets and show hidden characters instead of refusing them.
        allow_instructions: store text that gives orders to a model, with TAG.

    Raises:
        Refused: something else was found; nothing else is raised, whatever the text.
    """
    findings = inspect(text)
    if redact and findings.of(SECRET, HIDDEN):
        text = _redacted(text, findings)
        findings = inspect(text)
    refused = findings.of(SECRET, HIDDEN, SIZE, *(() if allow_instructions else (INSTRUCTION,)))
    if refused:
        raise Refused(_told(refused), hint=_hint(refused))
    return Passed(text, (TAG,) if findings.of(INSTRUCTION) else ())


_redacted = redact  # the argument of `gate` has its name


def _masked(text: str, found: tuple[Finding, ...], unseen: tuple[Finding, ...]) -> str:
    """Secrets masked whole, with the hidden characters inside of them; the other hidden ones escaped."""
    covered = {at for finding in found for at in range(finding.start, finding.stop)}
    marks = [(one.start, one.stop, f"[redacted: {one.name}]") for one in found]
    marks += [(one.start, one.stop, escape(text[one.start])) for one in unseen if one.start not in covered]
    parts, done = [], 0
    for start, stop, mark in sorted(marks):
        parts += [text[done:start], mark]
        done = stop
    return "".join((*parts, text[done:]))


def _oversize(text: str) -> list[tuple[int, int, str, str]]:
    found = []
    if len(text) > MAX_CHARS:
        found.append((MAX_CHARS, len(text), SIZE, f"{len(text):,} characters, {MAX_CHARS:,} at most"))
    lines = text.rstrip("\n").count("\n") + 1
    if lines > MAX_LINES:
        at = -1
        for _ in range(MAX_LINES):
            at = text.index("\n", at + 1)
        found.append((at + 1, len(text), SIZE, f"{lines:,} lines, {MAX_LINES} at most"))
    return found


def _placed(text: str, spans: list[tuple[int, int, str, str]]) -> Iterator[Finding]:
    line, begun, done = 1, 0, 0
    for start, stop, kind, name in spans:
        ends = text.count("\n", done, start)
        if ends:
            line, begun = line + ends, text.rfind("\n", done, start) + 1
        done = start
        yield Finding(kind, name, start, stop, line, start - begun + 1)


def _told(refused: tuple[Finding, ...]) -> str:
    more = f" and {len(refused) - NAMED} more" if len(refused) > NAMED else ""
    return f"not stored: {'; '.join(map(str, refused[:NAMED]))}{more}"


def _hint(refused: tuple[Finding, ...]) -> str:
    kinds = {finding.kind for finding in refused}
    if SIZE in kinds:
        return "shorten it, or keep it in a file of its own and store where that is"
    wanted = [
        *(["--redact"] if kinds & {SECRET, HIDDEN} else []),
        *(["--allow-instructions"] if INSTRUCTION in kinds else []),
    ]
    return " ".join(wanted)

"""Memory for programs: what the verbs do, as typed calls. `from memcli import open_memory` is the way in.

    from memcli import open_memory

    memory = open_memory()
    kept = memory.add("Deploys go out on Thursdays", type="project", tags=["deploy"], sources=["sessions/web/4f1c.jsonl:88"])
    for hit in memory.search("when do we deploy"):
        print(hit.path, hit.line, hit.text)
    memory.undo(kept.operation)

Every call looks at the files anew, so an object may live as long as its program. Nothing is printed; what a person should
know is in `notes`. Errors are those of `memcli.errors`: each carries `exit_code` and `hint`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memcli.app.keep import WAIT_S, Keeper, Kept
from memcli.app.trace import Trace
from memcli.app.why import Reason, Why
from memcli.home import home as home_of
from memcli.remember import safety
from memcli.search import ask
from memcli.store import writers
from memcli.store.change import Expiry
from memcli.store.draft import Draft
from memcli.store.expiry import expiry
from memcli.store.history import Operation

__all__ = ["Found", "Home", "Kept", "Operation", "Reason", "open_memory"]


@dataclass(frozen=True, slots=True)
class Found:
    """A hit of a search: an entry (`unit` "entry") or a turn of a session.

    Attributes:
        path: absolute; `line` in it, 1-based.
        score: higher is better; comparable within one search.
        created: RFC 3339, "" when not known.
    """

    id: str
    path: str
    line: int
    score: float
    text: str
    unit: str
    type: str
    tags: tuple[str, ...]
    confidence: float
    created: str
    heading: str


def open_memory(
    home: str | os.PathLike[str] | None = None,
    *,
    cwd: str | os.PathLike[str] | None = None,
    environ: Mapping[str, str] | None = None,
    actor: str = "api",
    wait_s: float = WAIT_S,
) -> Home:
    """The memory in `home` ($HARNESS_HOME or ~/.harness without it), seen from the project around `cwd`.

    Args:
        actor: who writes, for the log: the name of your program.
        wait_s: seconds that a write waits for another writer before it raises Busy.
    """
    known = dict(os.environ if environ is None else environ)
    place = home_of(known) if home is None else os.path.abspath(os.fspath(home))
    return Home(Keeper(place, os.path.abspath(cwd or os.getcwd()), known, actor=actor, wait_s=wait_s))


class Home:
    """One home. Use `open_memory`.

    Attributes:
        notes: what a person should know of the last search.
    """

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self.notes: tuple[str, ...] = ()

    def add(
        self,
        text: str,
        *,
        type: str | None = None,
        tags: Sequence[str] = (),
        confidence: float = 1.0,
        expires: datetime | str | None = None,
        supersedes: Sequence[str] = (),
        sources: Sequence[str] = (),
        to: str = "",
        section: str | None = None,
        scope: str = "user",
        redact: bool = False,
        allow_instructions: bool = False,
    ) -> Kept:
        """The entry that was written, or the one that says the same already (its `operation` is "" then).

        Args:
            type: user, feedback, project, reference, lesson, decision.
            expires: a moment, or as `mem add --expires` takes it: "2027-03-01", "90d".
            supersedes: ids, or beginnings of ids, of the entries that this one replaces.
            sources: where it was learned, each "path:line", relative to the home.
            to: a Markdown file instead of the MEMORY.md of `scope` ("user" or "project").
            section: a heading, made if missing; by the type without it.
            redact: mask secrets and show hidden characters instead of refusing them.

        Raises:
            Refused: it holds a secret, a hidden character, orders to a model, or is too long.
            Usage: no such type, scope, file, or entry to supersede.
            StaleWrite, Busy: nothing was written; try again.
        """
        draft = Draft(
            text, type=type, tags=tuple(tags), conf=confidence, expires=self._moment(expires),
            supersedes=tuple(supersedes), src=tuple(sources), section=section,
        )  # fmt: skip
        return self._keeper.add(draft, to=to, scope=scope, redact=redact, allow_instructions=allow_instructions)

    def edit(
        self,
        ref: str,
        text: str | None = None,
        *,
        value: str | None = None,
        type: str | None = None,
        tags: Sequence[str] | None = None,
        confidence: float | None = None,
        expires: datetime | str | None = None,
        sources: Sequence[str] | None = None,
        redact: bool = False,
        allow_instructions: bool = False,
    ) -> Kept:
        """The entry after its change; what is None stays.

        Args:
            ref: an id, the beginning of one, or "path:line".
            value: of a `key: value` entry, the new value.
            expires: "never" takes the expiry away.

        Raises:
            Missing: there is no such entry.
            Usage: several are meant, or one that is no list item.
            Refused, StaleWrite, Busy: as `add`.
        """
        moment: Expiry = "never" if expires == "never" else self._moment(expires)
        return self._keeper.edit(
            ref, text=text, value=value, type=type, tags=tags, conf=confidence, expires=moment, src=sources,
            redact=redact, allow_instructions=allow_instructions,
        )  # fmt: skip

    def confirm(self, ref: str) -> Kept:
        """The entry, noted as true now and surer than before; errors as `edit`."""
        return self._keeper.confirm(ref)

    def retire(self, ref: str, reason: str = "") -> Kept:
        """The entry, moved to the archive; errors as `edit`."""
        return self._keeper.retire(ref, reason)

    def restore(self, ref: str) -> Kept:
        """The retired entry, back in its file; errors as `edit`."""
        return self._keeper.restore(ref)

    def search(self, text: str, k: int = 10, *, mode: str = "hybrid", unit: str = "", types: Sequence[str] = (),
               tags: Sequence[str] = (), scopes: Sequence[str] = ()) -> list[Found]:  # fmt: skip
        """The best `k` hits, best first; never one that is no longer in its file.

        Args:
            mode: "hybrid" (words and meaning), "words" or "vectors".
            unit: "entry", "turn" or "session"; entries and turns without it.
        """
        options = ask.Options(limit=k, mode=mode, unit=unit, types=tuple(types), tags=tuple(tags), scopes=tuple(scopes))
        memory = self._keeper.look()
        answer = memory.search(options.query(text))
        self.notes, paths = tuple(answer.notes), memory.paths()
        return [
            Found(
                hit.doc.eid, paths[hit.doc.file], hit.doc.line, hit.score, hit.doc.text, hit.doc.unit, hit.doc.type,
                tuple(part for part in hit.doc.tags.split(",") if part), hit.doc.conf, hit.doc.born, hit.doc.heading,
            )
            for hit in answer.hits
        ]  # fmt: skip

    def undo(self, operation: str | None = None) -> Operation:
        """The operation that took `operation` (an id of `log`), or the last write, back.

        Raises:
            StaleWrite: what came later contradicts the undo; nothing was written.
            MemError: there is nothing to undo.
        """
        return self._keeper.undo(operation)

    def log(self, limit: int | None = None, *, entry: str = "") -> list[Operation]:
        """The operations, newest first, at most `limit`; with `entry` those that touched this id."""
        return list(Trace(self._keeper.home, self._keeper.cwd, self._keeper.environ).log(limit, entry))

    def why(self, ref: str) -> Reason:
        """What an entry was learned from, what it replaced, and who wrote it; errors as `edit`."""
        return Why(self._keeper.look()).of(ref)

    def save_user_profile(self, key: str, value: str) -> Kept:
        """The entry `**key**: value` of the user's profile; one with that key gets the value. Errors as `add`."""
        return self._keeper.save(writers.user_profile(key, value), value)

    def record_feedback(self, action: str, approved: bool, reason: str = "") -> Kept:
        """The entry that says whether the user approved of an action, and why. Errors as `add`."""
        return self._keeper.add(writers.feedback(action, approved, reason))

    def update_project_context(self, updates: Mapping[str, str], *, scope: str = "project") -> list[Kept]:
        """An entry a key in the project's memory, in the order of `updates`; those with a known key get the value.

        Raises:
            Usage: `cwd` is in no project (`scope="user"` keeps it in the home), or a value is empty.
            Refused: one of them is not stored; nothing was written then.
        """
        drafts = writers.project_update(updates)
        for draft in drafts:
            safety.gate(draft.text)
        return [
            self._keeper.save(draft, value, scope=scope) for draft, value in zip(drafts, updates.values(), strict=True)
        ]

    def add_reference(self, category: str, content: str, tags: Sequence[str] = ()) -> Kept:
        """The entry that says where something is to be found. Errors as `add`."""
        return self._keeper.add(writers.reference(category, content, tags))

    def record_lesson(self, lesson: str, confidence: float = 1.0) -> Kept:
        """The entry of what was learned, and how sure that is, 0 to 1. Errors as `add`."""
        return self._keeper.add(writers.lesson(lesson, confidence))

    def _moment(self, value: datetime | str | None) -> datetime | None:
        return expiry(value, self._keeper.now) if isinstance(value, str) else value

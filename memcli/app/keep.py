"""Writing: a plan of store/ on the bytes of a file, let in by the gate, applied with its history. Decides nothing itself.

When a file moved on between our look and our turn to write, the plan is made anew on what it holds by then. Each write
imports its own plan: an add pays for no other.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memcli import clock, limits
from memcli.app.ids import fresh
from memcli.app.notes import long, told
from memcli.app.stamped import stamped
from memcli.app.target import target
from memcli.errors import StaleWrite, Usage
from memcli.files.atomic import ABSENT, content
from memcli.files.markdown import Item, parse
from memcli.remember import safety
from memcli.store import history
from memcli.store.add import add
from memcli.store.blank import blank
from memcli.store.draft import Draft, Edit
from memcli.store.find import Spot, spot
from memcli.store.history import Change, Operation
from memcli.store.history.data import BY_HAND, DONE
from memcli.store.stamp import is_ours

if TYPE_CHECKING:
    from memcli.app.memory import Memory
    from memcli.store.change import Expiry
    from memcli.store.retire import Removal

WAIT_S = 10.0
TRIES = 3  # looks at a file that changes while it is read

Plan = Callable[[bytes], Edit]


@dataclass(frozen=True, slots=True)
class Kept:
    """What came of a write.

    Attributes:
        path: the file of the entry, absolute; `line` in it, 1-based (of a retired entry: where it was).
        summary: what was done, in one line.
        operation: its id in the log; "" when nothing had to change, or nothing was to be written.
        files: path, bytes before and bytes after of each file that a dry run would have changed.
        notes: what the person should know.
    """

    entry_id: str
    path: str
    line: int
    summary: str
    operation: str = ""
    files: tuple[tuple[str, bytes, bytes], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Aim:
    """One file, and what is to be made of whatever it holds; `empty` is what a missing one is taken to hold."""

    path: str
    plan: Plan
    empty: bytes = b""


@dataclass(frozen=True, slots=True)
class Held:
    """An entry in its file, as it was found a moment ago."""

    path: str
    spot: Spot
    item: Item
    scope: str


class Keeper:
    """The writing half of one home, seen from one working directory.

    Args:
        actor: who writes, for the log; "": the command, as `mem add`.
        dry: plans only; nothing is written.
    """

    def __init__(
        self,
        home: str,
        cwd: str,
        environ: Mapping[str, str],
        *,
        actor: str = "",
        wait_s: float = WAIT_S,
        dry: bool = False,
    ) -> None:
        self.home, self.cwd, self.environ = home, cwd, environ
        self.actor, self.wait_s, self.dry = actor, wait_s, dry

    def look(self) -> Memory:
        """The reading half, as the files are now. Only what has to find an entry asks: an add needs no index."""
        from memcli.app.memory import Memory

        return Memory(self.home, self.cwd, self.environ)

    @property
    def now(self) -> datetime:
        return clock.now(self.environ)

    def add(
        self, draft: Draft, *, to: str = "", scope: str = "user", redact: bool = False, allow_instructions: bool = False
    ) -> Kept:
        """The entry that was written, or that said the same already.

        Raises:
            Refused: the gate does not let it in, see `safety.gate`.
            Usage: no such file, type or entry to supersede.
            StaleWrite, Busy, MemError: as `history.apply`.
        """
        path = target(self.home, self.cwd, self.environ, to, scope)
        passed = safety.gate(draft.text, redact=redact, allow_instructions=allow_instructions)
        for said in (draft.section or "", *draft.tags, *draft.src):
            safety.gate(said, allow_instructions=allow_instructions)
        olds = tuple(self._eid(ref) for ref in draft.supersedes)
        draft = replace(draft, text=passed.text, tags=(*draft.tags, *passed.tags), supersedes=olds)
        now, place = self.now, self._place(path)

        def plan(data: bytes) -> Edit:
            new_id = fresh(self.home, path, data, draft.text, now)
            return add(data, draft, now=now, new_id=new_id, ours=is_ours(data), place=place)

        empty = b"" if to else blank(now, "mem add")
        return self._write("add", [Aim(path, plan, empty)])

    def save(self, draft: Draft, value: str, *, to: str = "", scope: str = "user", redact: bool = False) -> Kept:
        """The entry that has the key of `draft` and, now, that value; errors as `add`."""
        from memcli.store.save import save

        path = target(self.home, self.cwd, self.environ, to, scope)
        passed = safety.gate(draft.text, redact=redact)
        value = safety.gate(value, redact=redact).text
        draft, now, place = replace(draft, text=passed.text), self.now, self._place(path)

        def plan(data: bytes) -> Edit:
            new_id = fresh(self.home, path, data, draft.text, now)
            return save(data, draft, value, now=now, new_id=new_id, scope=scope, ours=is_ours(data), place=place)

        return self._write("save", [Aim(path, plan, b"" if to else blank(now, "mem save"))])

    def edit(
        self,
        ref: str,
        *,
        text: str | None = None,
        value: str | None = None,
        tags: Sequence[str] | None = None,
        conf: float | None = None,
        expires: Expiry = None,
        type: str | None = None,
        src: Sequence[str] | None = None,
        redact: bool = False,
        allow_instructions: bool = False,
    ) -> Kept:
        """The entry `ref` (as `refs.find` takes it) after its change; what is None stays. Errors as `add` and `change`."""
        from memcli.store.change import change

        held = self._held(ref)
        marks: tuple[str, ...] = ()
        words = {"text": text, "value": value}
        for name, said in words.items():
            if said is not None:
                passed = safety.gate(said, redact=redact, allow_instructions=allow_instructions)
                words[name], marks = passed.text, (*marks, *passed.tags)
        for said in (*(tags or ()), *(src or ())):
            safety.gate(said, allow_instructions=allow_instructions)
        whole = (*(held.item.meta.tags if tags is None else tags), *marks)
        now = self.now

        def plan(data: bytes) -> Edit:
            return change(
                data, held.spot, text=words["text"], value=words["value"], conf=conf, expires=expires, type=type, src=src,
                tags=tags if not marks else whole, now=now, ours=is_ours(data),
            )  # fmt: skip

        return self._write("edit", [Aim(held.path, plan)])

    def confirm(self, ref: str) -> Kept:
        """The entry `ref`, surer than before; errors as `edit`."""
        from memcli.store.change import confirm

        held, now = self._held(ref), self.now
        aim = Aim(held.path, lambda data: confirm(data, held.spot, now=now, ours=is_ours(data)))
        return self._write("confirm", [aim])

    def retire(self, ref: str, reason: str = "") -> Kept:
        """The entry `ref`, which is in the archive of this month now and no longer in its file; errors as `edit`."""
        from memcli.store.archive import archive
        from memcli.store.retire import retire

        safety.gate(reason)
        held, now = self._held(ref), self.now
        name = self._name(held.path)
        taken: list[Removal] = []

        def take(data: bytes) -> Edit:
            taken.append(
                retire(data, held.spot, now=now, path=name, reason=reason, scope=held.scope, ours=is_ours(data))
            )
            return taken[-1].edit

        def store(data: bytes) -> Edit:
            return Edit(archive(data, [taken[-1].record], now=now), "", 0, "")

        month = os.path.join(self.home, "archive", f"{now.astimezone(UTC):%Y-%m}.md")
        return self._write("retire", [Aim(held.path, take), Aim(month, store)])

    def restore(self, ref: str) -> Kept:
        """The retired entry `ref` (its id, or the beginning of it), back in the file and section it was in."""
        from memcli.app import shelf
        from memcli.store.archive import put_back, revive

        path, eid = shelf.find(self.home, ref)
        now = self.now
        record, _ = revive(content(path) or b"", eid)
        home = os.path.join(self.home, record.path or limits.INDEX)
        back = Aim(home, lambda data: put_back(data, record, now=now, ours=is_ours(data)))
        left = Aim(path, lambda data: Edit(revive(data, eid)[1], "", 0, ""))
        return self._write("restore", [back, left])

    def undo(self, op_id: str | None = None) -> Operation:
        """The operation that took `op_id` back, or the last one; errors as `history.undo`.

        What was edited by hand is taken back by its id, or when nothing else is left: who wants mem's last write gone
        has perhaps edited the file since.
        """
        now = self.now
        return history.undo(
            self.home,
            op_id or self._last(),
            actor=self.actor or "mem undo",
            now=now,
            wait_s=self.wait_s,
            merge=stamped(now),
        )

    def _last(self) -> str | None:
        live = (one for one in history.operations(self.home) if one.state == DONE and not one.of)
        return next((one.id for one in live if one.verb != BY_HAND), None)

    def _write(self, verb: str, aims: Sequence[Aim]) -> Kept:
        """What came of the plans; that of the first aim has the entry."""
        mended = [] if self.dry else history.recover(self.home, wait_s=self.wait_s)
        olds = [content(aim.path) for aim in aims]
        edits = [aim.plan(aim.empty if old is None else old) for aim, old in zip(aims, olds, strict=True)]
        changes = [_change(aim.path, old, edit) for aim, old, edit in zip(aims, olds, edits, strict=True)]
        files = tuple(
            (aim.path, old or b"", edit.data)
            for aim, old, edit in zip(aims, olds, edits, strict=True)
            if edit.data != old
        )
        operation = None
        if files and not self.dry:
            operation = self._apply(verb, aims, changes, edits)
        edit = edits[0]
        notes = (*mended, *(operation.notes if operation else ()), *told(aims[0].path, edit), *long(aims, edits))
        done = operation.id if operation else ""
        return Kept(edit.entry_id, aims[0].path, edit.line, edit.summary, done, files if self.dry else (), tuple(notes))

    def _apply(self, verb: str, aims: Sequence[Aim], changes: Sequence[Change], edits: list[Edit]) -> Operation:
        """The operation; `edits` are those that were made in the end."""
        by_base = {change.base or b"": number for number, change in enumerate(changes)}

        def anew(base: bytes, ours: bytes, theirs: bytes) -> bytes:
            number = by_base[base]
            edits[number] = aims[number].plan(theirs)
            return edits[number].data

        return history.apply(
            self.home,
            changes,
            verb=verb,
            actor=self.actor or f"mem {verb}",
            summary=[(verb, edits[0].entry_id, edits[0].summary.partition(": ")[2])],
            now=self.now,
            wait_s=self.wait_s,
            merge=anew,
        )

    def _held(self, ref: str) -> Held:
        from memcli.app.refs import find

        for _ in range(TRIES):
            memory = self.look()
            doc = find(memory, ref)
            if doc.unit != "entry":
                raise Usage(f"{ref} is in a session log, which is evidence: it is never changed", hint="mem list")
            path, digest = memory.catalog.rows("select path, digest from file where id = ?", (doc.file,))[0]
            data = content(os.fsdecode(path))
            if data is not None and hashlib.blake2b(data, digest_size=16).digest() == digest:
                document = parse(data)
                item = next(item for item in document.items if item.start == doc.start)
                where = spot(document, item, doc.eid)
                return Held(os.fsdecode(path), where, item, memory.active[doc.file])
        raise StaleWrite(f"{ref}: its file changes all the time", hint=f"mem show {ref}")

    def _eid(self, ref: str) -> str:
        from memcli.app.refs import find

        found: str = find(self.look(), ref).eid
        return found

    def _place(self, path: str) -> str:
        """What ids of entries without one are derived from, as the index does it for a file of the home."""
        if path.startswith(self.home + os.sep):
            return os.path.basename(self.home) + path[len(self.home) :]
        return ""

    def _name(self, path: str) -> str:
        """How the archive calls a file: relative in the home, which may move, else absolute."""
        return path.removeprefix(self.home + os.sep)


def _change(path: str, old: bytes | None, edit: Edit) -> Change:
    before = ABSENT if old is None else hashlib.sha256(old).hexdigest()
    return Change(path, before, edit.data, old)

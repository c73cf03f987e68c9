"""Where a home keeps its history, and how the journal names files."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from memcli.files.atomic import private_dir
from memcli.files.lock import held

# A path of bytes that are no UTF-8 has no JSON form. No path contains NUL, so this marks its hexadecimal form.
_HEX = "\0"


@dataclass(frozen=True, slots=True)
class Place:
    """The files of one home's history.

    `home` is absolute and free of symlinks, and so is every path that a history knows: CLAUDE.md may lead to AGENTS.md.
    """

    home: str

    @property
    def objects(self) -> str:
        return os.path.join(self.home, "state", "objects")

    @property
    def staging(self) -> str:
        """Half-written objects; whatever a new holder of the lock finds here is litter."""
        return os.path.join(self.objects, "new")

    @property
    def journal(self) -> str:
        return os.path.join(self.home, "state", "journal.jsonl")

    @contextmanager
    def locked(self, wait_s: float) -> Iterator[bool]:
        """Whether the lock keeps others out (see `held`), held within the block; `staging` is there.

        Who waits for the lock holds `write.turn`: else the process that just let go would be the first to take it
        again, and 8 busy writers starve each other for seconds.
        """
        private_dir(self.staging)
        late = time.monotonic() + wait_s
        with ExitStack() as stack:
            with held(os.path.join(self.home, "state", "write.turn"), wait_s):
                lock = held(os.path.join(self.home, "state", "write.lock"), max(0.0, late - time.monotonic()))
                sure = stack.enter_context(lock)
            yield sure

    def name(self, path: str) -> str:
        """How the journal names `path`: relative in the home, which may move, else absolute."""
        path = os.path.realpath(path)
        inside = self.home.rstrip(os.sep) + os.sep
        name = path.removeprefix(inside)
        try:
            name.encode()
        except UnicodeEncodeError:
            return _HEX + os.fsencode(name).hex()
        return name

    def path(self, name: str) -> str:
        """The absolute path that `name` stands for; ValueError for what is no name."""
        if name.startswith(_HEX):
            name = os.fsdecode(bytes.fromhex(name.removeprefix(_HEX)))
        return os.path.join(self.home, name)


def at(home: str) -> Place:
    """The place of the history of `home`."""
    return Place(os.path.realpath(home))

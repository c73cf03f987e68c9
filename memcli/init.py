"""Makes a home, and finds what other harnesses keep on this machine. It never writes over a file, nor reads one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase

from memcli.config import FILE, template
from memcli.errors import MemError
from memcli.home import user_home
from memcli.store.blank import blank

FOLDERS = ("memory", "projects", "sessions", "archive", "state", "cache")
# Where each harness keeps its files, below its own folder. `**` is any depth, links are not followed.
KEPT: Mapping[str, tuple[tuple[str, str], ...]] = {
    "claude-code": (
        ("memory", "CLAUDE.md"),
        ("memory", "rules/**/*.md"),
        ("memory", "projects/*/memory/*.md"),
        ("memory", "agent-memory/*/*.md"),
        ("transcripts", "projects/*/*.jsonl"),
    ),
    "codex": (
        ("memory", "AGENTS.md"),
        ("memory", "AGENTS.override.md"),
        ("memory", "memories/*.md"),
        ("transcripts", "sessions/**/rollout-*.jsonl"),
        ("transcripts", "archived_sessions/**/rollout-*.jsonl"),
    ),
    "openclaw": (
        ("memory", "workspace/MEMORY.md"),
        ("memory", "workspace/USER.md"),
        ("memory", "workspace/memory/**/*.md"),
        ("transcripts", "agents/*/sessions/*.jsonl"),
    ),
}


@dataclass(frozen=True, slots=True)
class Found:
    """What one harness keeps of one kind."""

    harness: str
    kind: str  # memory or transcripts
    count: int  # files, >= 1
    path: str  # the pattern they match, below an absolute folder


@dataclass(frozen=True, slots=True)
class Made:
    """What `make` did: names below the home, in the order they were made; empty when it was all there."""

    names: tuple[str, ...]  # the home itself is "/"
    open_to_others: bool  # an existing home that other users of the machine may read


def make(home: str, now: datetime) -> Made:
    """What was made in `home`: folders for the owner alone (0700), MEMORY.md and config.toml (0600).

    What exists stays as it is, its mode too. Running it twice changes nothing.

    Raises:
        MemError: a folder's name is taken by something else.
        OSError: no space or no permission.
    """
    made = ["/"] if _folder(home) else []
    made += [name + "/" for name in FOLDERS if _folder(os.path.join(home, name))]
    files = {"MEMORY.md": blank(now, "mem init"), FILE: template()}
    made += [name for name, data in files.items() if _file(os.path.join(home, name), data)]
    return Made(tuple(made), bool(os.stat(home).st_mode & 0o077) and os.name == "posix")


def find(environ: Mapping[str, str]) -> list[Found]:
    """What other harnesses keep, by harness and pattern; what cannot be read is passed over."""
    found = []
    for harness, folder in _folders(environ).items():
        for kind, pattern in KEPT[harness]:
            if count := sum(1 for _ in _match(folder, pattern.split("/"))):
                found.append(Found(harness, kind, count, os.path.join(folder, pattern)))
    return found


def _folders(environ: Mapping[str, str]) -> dict[str, str]:
    user = user_home(environ)
    return {
        "claude-code": environ.get("CLAUDE_CONFIG_DIR") or os.path.join(user, ".claude"),
        "codex": environ.get("CODEX_HOME") or os.path.join(user, ".codex"),
        "openclaw": os.path.join(user, ".openclaw"),
    }


def _match(folder: str, parts: list[str]) -> Iterator[str]:
    head, *rest = parts
    if head == "**":
        yield from _match(folder, rest)
    for entry in _entries(folder):
        deeper = entry.is_dir(follow_symlinks=False)
        if head == "**" and deeper:
            yield from _match(entry.path, parts)
        elif head != "**" and fnmatchcase(entry.name, head):
            if rest and deeper:
                yield from _match(entry.path, rest)
            elif not rest and not deeper:
                yield entry.path


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if not entry.name.startswith(".")]
    except OSError:
        return []


def _folder(path: str) -> bool:
    """Whether the folder had to be made."""
    if os.path.isdir(path):
        return False
    if os.path.lexists(path):
        raise MemError(f"{path} is in the way: it is not a folder", hint=f"mv {path} {path}.old")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.mkdir(path, 0o700)
    return True


def _file(path: str, data: bytes) -> bool:
    """Whether the file had to be made."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return False
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return True

"""The version of a file that mem made, in its front matter. No other file gets one, and no key is ever added."""

from __future__ import annotations

import re
from datetime import datetime

from memcli import clock
from memcli.files import frontmatter
from memcli.files.frontmatter import Front
from memcli.files.markdown import splice

_VERSION = re.compile(rb"^(version:[ \t]*)(\d{1,9})(?=[ \t]*(?:#[^\n]*)?\r?$)", re.MULTILINE)
_MODIFIED = re.compile(rb"^(last_modified:[ \t]*)(\S+)(?=[ \t]*(?:#[^\n]*)?\r?$)", re.MULTILINE)
_BY = re.compile(rb"^(modified_by:[ \t]*)(mem\b[\w .-]*?)(?=[ \t]*(?:#[^\n]*)?\r?$)", re.MULTILINE)


def is_ours(data: bytes) -> bool:
    """Whether mem made this file: its front matter is whole and says that `mem …` modified it."""
    return _ours(frontmatter.read(data)) is not None


def stamp(data: bytes, *, now: datetime, actor: str) -> bytes:
    """The bytes of a file of ours with the next version, this moment, and who did it; of any other file unchanged.

    Args:
        actor: the command, as `mem add`.
    """
    front = _ours(frontmatter.read(data))
    return data if front is None else splice(data, front.start, front.end, _next(data, front, now, actor))


def _ours(front: Front | None) -> Front | None:
    ours = front is not None and not front.problems and front.get("modified_by").split(" ")[0] == "mem"
    return front if ours else None


def _next(data: bytes, front: Front, now: datetime, actor: str) -> bytes:
    block = data[front.start : front.end]
    block = _VERSION.sub(lambda found: found[1] + b"%d" % (int(found[2]) + 1), block, count=1)
    block = _MODIFIED.sub(lambda found: found[1] + clock.render(now).encode(), block, count=1)
    return _BY.sub(lambda found: found[1] + actor.encode(), block, count=1)


def carry(data: bytes, other: bytes) -> bytes:
    """`data` with the stamp of `other`, when both are files of ours: so that no merge sees two versions differ."""
    front, given = _ours(frontmatter.read(data)), _ours(frontmatter.read(other))
    if front is None or given is None:
        return data
    block, source = data[front.start : front.end], other[given.start : given.end]
    for pattern in (_VERSION, _MODIFIED, _BY):
        value = pattern.search(source)
        if value is not None:
            said = value[2]
            block = pattern.sub(lambda found, said=said: found[1] + said, block, count=1)  # type: ignore[misc]  # a default of a lambda
    return splice(data, front.start, front.end, block)

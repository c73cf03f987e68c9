"""A MEMORY.md to begin with."""

from __future__ import annotations

from datetime import datetime

from memcli import clock

_TEXT = """\
---
version: 1
last_modified: {now}
modified_by: {actor}
---
# Memory

## User

## Feedback

## Projects

## Lessons

## References
"""


def blank(now: datetime, actor: str) -> bytes:
    """A MEMORY.md without entries, made at `now` by a command (`mem init`)."""
    return _TEXT.format(now=clock.render(now), actor=actor).encode()

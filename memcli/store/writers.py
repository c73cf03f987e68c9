"""The five things that are worth keeping, each as a draft: who the user is, what pleased, what goes on, where to look,
what was learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memcli.errors import Usage
from memcli.store.draft import Draft
from memcli.text import is_han


def user_profile(key: str, value: str) -> Draft:
    """A fact about the user: `**key**: value`."""
    return Draft(_pair(key, value), type="user")


def feedback(action: str, approved: bool, reason: str = "") -> Draft:
    """What the user said of an action, and why: `Approved: action. Why: reason`."""
    han = any(map(is_han, action))
    verdict = ("认可" if approved else "否定") if han else ("Approved" if approved else "Rejected")
    text = _pair(verdict, action)
    if reason.strip():
        mark = "" if text.endswith((".", "!", "?", "。", "！", "？", "…")) else "。" if han else "."
        text = f"{text}{mark}原因：{reason.strip()}" if han else f"{text}{mark} Why: {reason.strip()}"
    return Draft(text, type="feedback")


def project_update(updates: Mapping[str, str]) -> tuple[Draft, ...]:
    """What changed in the project, one draft a key: `**key**: value`."""
    return tuple(Draft(_pair(key, value), type="project") for key, value in updates.items())


def reference(category: str, content: str, tags: Sequence[str] = ()) -> Draft:
    """Where something is to be found: `**category**: content`."""
    return Draft(_pair(category, content), type="reference", tags=tuple(tags))


def lesson(lesson: str, confidence: float = 1.0) -> Draft:
    """What was learned, and how sure that is, 0 to 1."""
    return Draft(lesson, type="lesson", conf=confidence)


def _pair(key: str, value: str) -> str:
    """A key and its value as most memory files have them; no key: the value alone; Usage for no value."""
    if not value.strip():
        raise Usage(f"there is nothing to keep for {key!r}" if key.strip() else "there is no text to keep")
    key = " ".join(key.split()).strip("*: ：")
    colon = "：" if any(map(is_han, key)) else ": "
    return f"**{key}**{colon}{value.strip()}" if key else value.strip()

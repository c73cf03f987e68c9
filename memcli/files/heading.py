"""What a heading says of the entries below it, in any spelling and in two languages."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import category, normalize

from memcli.text import is_han

# The heading words that tell a type, as people write them; the first that occurs in the innermost heading counts.
HEADINGS = (
    ("feedback", ("feedback", "correction", "反馈", "纠正")),
    ("lesson", ("lesson", "learned", "learnt", "gotcha", "pitfall", "教训", "经验", "踩坑")),
    ("decision", ("decision", "decided", "adr", "决定", "决策")),
    ("reference", ("reference", "link", "resource", "docs", "参考", "链接", "资料")),
    ("error", ("error", "bug", "incident", "错误", "故障", "事故")),
    ("user", ("preference", "profile", "about me", "user", "style", "偏好", "习惯", "用户", "喜好")),
    ("project", ("project", "status", "roadmap", "architecture", "项目", "进度", "架构")),
)
# Headings that are one and the same, by the type of what stands below. The first is what a new one is called in
# English, the first with Han characters what it is called in Chinese; names come as `name` gives them.
NAMES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("user", ("preferences", "preference", "user preferences", "user preference", "my preferences", "personal preferences",
              "偏好", "用户偏好", "个人偏好", "我的偏好", "偏好设置", "喜好", "习惯")),
    ("user", ("user", "user profile", "profile", "about me", "about the user", "users",
              "用户", "用户画像", "用户信息", "用户资料", "个人资料", "个人信息", "关于我")),
    ("feedback", ("feedback", "user feedback", "corrections", "feedback and corrections",
                  "反馈", "用户反馈", "纠正", "反馈与纠正")),
    ("lesson", ("lessons", "lesson", "lessons learned", "lessons learnt", "learned", "gotchas", "gotcha", "pitfalls",
                "经验教训", "教训", "经验", "踩坑", "踩坑记录", "经验与教训")),
    ("decision", ("decisions", "decision", "design decisions", "decision log", "adr", "adrs",
                  "决定", "决策", "设计决策", "决策记录")),
    ("reference", ("references", "reference", "resources", "links", "docs", "useful links",
                   "参考", "参考资料", "资料", "链接", "参考链接")),
    ("error", ("errors", "error", "bugs", "incidents", "known errors", "known bugs", "错误", "错误记录", "故障", "事故")),
    ("project", ("project", "projects", "project status", "status", "项目", "项目进度", "项目状态", "项目信息", "进度")),
    ("summary", ("summaries", "summary", "摘要", "总结", "小结")),
    ("", ("notes", "note", "笔记", "备注", "记录")),
)  # fmt: skip

# A cue begins a word, for "preferences" are no "references"; Chinese has no such borders.
_CUES = tuple(
    (kind, re.compile("|".join(rf"(?<![a-z]){cue}" if cue.isascii() else cue for cue in cues)))
    for kind, cues in HEADINGS
)
_CLOSING = re.compile(r"(?:\s+#+|[\s:.])+$")


def heading_type(headings: tuple[str, ...], scope: str) -> str:
    """The type that the heading path names, innermost first; else `project` or `user` by scope."""
    return named_type(headings) or ("project" if scope == "project" else "user")


def named_type(headings: tuple[str, ...]) -> str:
    """The type that the heading path names, innermost first, or "" when it names none."""
    return next(filter(None, map(_own_type, reversed(headings))), "")


@lru_cache(maxsize=1024)
def _own_type(heading: str) -> str:
    low = heading.lower()
    return next((kind for kind, cue in _CUES if cue.search(low)), "")


def name(heading: str) -> str:
    """`heading` as it is compared: without case, width, emphasis, emoji and the colon at its end."""
    folded = normalize("NFKC", heading).casefold()
    plain = "".join(" " if char in "*_`~" or category(char) in ("So", "Sk", "Cf", "Mn") else char for char in folded)
    return " ".join(_CLOSING.sub("", plain.replace("&", " and ")).split())


def names(heading: str) -> tuple[str, ...]:
    """All the names that mean the same as `heading`, its own first."""
    own = name(heading)
    return (own, *(other for _, same in NAMES if own in same for other in same if other != own))


def title(kind: str, *, han: bool) -> str:
    """What a new heading for entries of a type is called; of no type: notes."""
    same = next(same for named, same in NAMES if named == kind)
    return next(other for other in same if is_han(other[0])) if han else same[0].capitalize()

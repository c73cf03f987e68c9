"""What one entry says about itself: its types, its metadata comment, the hashtags and code in its text.

The comment is `<!-- mem: key=value ... -->`: words between white space, lists joined by commas. White space, `>`, a
backtick, and in lists a comma are written as `%20`, `%3E`, `%60`, `%2C`. Nothing a person typed raises here: a known
key whose value means nothing is kept like an unknown one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from memcli import clock

TYPES = ("user", "feedback", "project", "reference", "lesson", "decision", "error", "summary")

_COMMENT = re.compile(r"<!--\s*mem:(?:\s(.*))?-->", re.DOTALL)
_CODES = "09|0A|0B|0C|0D|20|3E|60"
# A `%` is escaped only where it would else be read as the start of an escape, so that foreign values keep their bytes.
_ESCAPE = re.compile(rf"%25(?=(?:25)*(?:{_CODES}))|%(?:{_CODES})")
_UNSAFE = re.compile(rf"[\t\n\v\f\r >`]|%(?=(?:25)*(?:{_CODES}))")
_PART_ESCAPE = re.compile(rf"%25(?=(?:25)*(?:{_CODES}|2C))|%(?:{_CODES}|2C)")
_PART_UNSAFE = re.compile(rf"[\t\n\v\f\r >`,]|%(?=(?:25)*(?:{_CODES}|2C))")
_SPACE = re.compile(r"[ \t\n\v\f\r]+")
_HASHTAG = re.compile(r"(?<![\w&#/)\]])(?<!\]\()#([^\W\d_][\w-]*(?:/\w[\w-]*)*)")
_TICKS = re.compile(r"`+")
# A code span ends with its paragraph or list item.
_BREAK = re.compile(r"\n[ \t]*(?:\n|[-*+>#] |\d{1,9}[.)] )")
_FENCE = re.compile(r"[ \t>]*(?:[-*+] +|\d+[.)] +)*(`{3,}|~{3,})([^\n]*)")


@dataclass(frozen=True, slots=True)
class Meta:
    """The metadata of one entry; what the comment does not say is None or ().

    Attributes:
        conf: confidence, 0 to 1.
        v: the version of the entry, 1 or more.
        src: where it was learned, each `path:line`.
        supersedes: ids of the entries that this one replaces.
        extra: unknown keys, and known ones whose value means nothing, in the order of the comment.
    """

    id: str | None = None
    type: str | None = None
    tags: tuple[str, ...] = ()
    conf: float | None = None
    created: datetime | None = None
    updated: datetime | None = None
    expires: datetime | None = None
    v: int | None = None
    src: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    extra: tuple[tuple[str, str], ...] = ()


def parse_comment(text: str) -> Meta | None:
    """The metadata in `text`, one whole HTML comment, or None when it is not a `mem:` comment."""
    found = _COMMENT.fullmatch(text.strip())
    if found is None:
        return None
    known: dict[str, Any] = {}
    extra: list[tuple[str, str]] = []
    for word in _SPACE.split((found[1] or "").strip(" \t\n\v\f\r")):
        key, _, raw = word.partition("=")
        value = _READ[key](raw) if key in _READ and key not in known else None
        if value is not None:
            known[key] = value
        elif key or raw:
            extra.append((_unquote(key), _unquote(raw)))
    return Meta(**known, extra=tuple(extra))


def render_comment(meta: Meta) -> str:
    """The comment that `parse_comment` reads back as `meta`."""
    words = ["<!-- mem:"]
    for key, write in _WRITE.items():
        value = getattr(meta, key)
        if value not in (None, ()):
            words.append(f"{key}={write(value)}")
    words += [_quote(key) + (f"={_quote(value)}" if value else "") for key, value in meta.extra]
    return " ".join([*words, "-->"])


def hashtags(text: str) -> tuple[str, ...]:
    """The `#hashtags` of `text` without the `#`, each once, in order; none from code, links, `#123` or headings."""
    if "#" not in text:
        return ()
    return tuple(dict.fromkeys(tag.rstrip("-") for tag in _HASHTAG.findall(blank_code(text))))


def blank_code(text: str) -> str:
    """`text` with code spans and fenced code overwritten by spaces: same length, same lines."""
    if "`" not in text and "~~~" not in text:
        return text
    out: list[str] = []
    prose: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        opens = not fence and mark is not None and not (mark[1][0] == "`" and "`" in mark[2])
        if not (opens or fence):
            prose.append(line)
            continue
        out += _flush(prose)
        out.append(" " * len(line))
        if opens and mark is not None:
            fence = mark[1]
        elif _closes(line.strip(" \t>\r"), fence):
            fence = ""
    return "\n".join(out + _flush(prose))


def _closes(line: str, fence: str) -> bool:
    return line.startswith(fence) and not line.strip(fence[0])


def _flush(prose: list[str]) -> list[str]:
    """The gathered lines without their code spans; `prose` is empty afterwards."""
    lines = _blank_spans("\n".join(prose)).split("\n") if prose else []
    prose.clear()
    return lines


def _blank_spans(text: str) -> str:
    """`text` with code spans overwritten. Linear: each run of backticks looks up the next one of its length."""
    runs = [(run.start(), run.end()) for run in _TICKS.finditer(text)]
    following: dict[int, int] = {}
    closing = [-1] * len(runs)
    for i in range(len(runs) - 1, -1, -1):
        size = runs[i][1] - runs[i][0]
        closing[i] = following.get(size, -1)
        following[size] = i
    out: list[str] = []
    at = i = 0
    while i < len(runs):
        start, end = runs[i][0], runs[closing[i]][1]
        if closing[i] < 0 or _BREAK.search(text, start, end):
            i += 1
            continue
        out += [text[at:start], _blank(text[start:end])]
        at, i = end, closing[i] + 1
    return "".join([*out, text[at:]])


def _blank(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))


def _quote(text: str, unsafe: re.Pattern[str] = _UNSAFE) -> str:
    return unsafe.sub(lambda found: f"%{ord(found[0]):02X}", text)


def _unquote(text: str, escape: re.Pattern[str] = _ESCAPE) -> str:
    return escape.sub(lambda found: chr(int(found[0][1:], 16)), text)


def _join(values: tuple[str, ...]) -> str:
    return ",".join(_quote(value, _PART_UNSAFE) for value in values)


def _split(text: str) -> tuple[str, ...] | None:
    return tuple(_unquote(part, _PART_ESCAPE) for part in text.split(",") if part) or None


def _one(text: str) -> str | None:
    return _unquote(text) or None


def _type(text: str) -> str | None:
    return text if text in TYPES else None


def _conf(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None


def _version(text: str) -> int | None:
    # Nine digits: a longer one is no count of changes, and int() refuses to read 4,301.
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0 else None


def _moment(moment: datetime) -> str:
    """A midnight as a date, anything else as a time, precise to the microsecond when it has any."""
    utc = moment.astimezone(UTC)
    if utc.time() == datetime.min.time():
        return utc.date().isoformat()
    return utc.isoformat().replace("+00:00", "Z")


_READ: dict[str, Callable[[str], object]] = {
    "id": _one,
    "type": _type,
    "tags": _split,
    "conf": _conf,
    "created": clock.parse,
    "updated": clock.parse,
    "expires": clock.parse,
    "v": _version,
    "src": _split,
    "supersedes": _split,
}
_WRITE: dict[str, Callable[[Any], str]] = {
    "id": _quote,
    "type": _quote,
    "tags": _join,
    "conf": repr,
    "created": _moment,
    "updated": _moment,
    "expires": _moment,
    "v": str,
    "src": _join,
    "supersedes": _join,
}

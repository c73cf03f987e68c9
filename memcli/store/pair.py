"""`key: value` entries, as nearly half of all memory files have them: `**Port**: 8080`, `**Port:** 8080`, `Port：8080`."""

from __future__ import annotations

import re

from memcli.errors import Usage
from memcli.files.markdown import Document, Item
from memcli.store.wording import folded

# A key is short and has no sentence in it; `https://` and `12:30` are no keys.
_PAIR = re.compile(
    r"(?P<bold>\*\*|__)(?P<in>[^*_:：\n]{1,60}?)\s*[:：]\s*(?P=bold)[ \t]*(?=\S)"
    r"|(?P<mark>\*\*|__|`)(?P<out>[^*`:：\n]{1,60}?)(?P=mark)[ \t]*(?:：|:(?=[ \t]|[^\x00-\x7f]))[ \t]*(?=\S)"
    r"|(?P<bare>[^\s*`\[\]<>:：.。][^*`\[\]<>:：.。\n]{0,40}?)[ \t]*(?:：|:(?=[ \t]))[ \t]*(?=\S)"
)


def key(text: str) -> str:
    """The key of a `key: value` text as it is compared, or "" when it has none."""
    found = _PAIR.match(text)
    return folded(next(filter(None, (found["in"], found["out"], found["bare"])), "")) if found is not None else ""


def keyed(document: Document, name: str) -> Item | None:
    """The first list item whose key is `name`, in any case and width."""
    wanted = folded(name)
    return next((item for item in document.items if item.kind == "item" and wanted and key(item.text) == wanted), None)


def keep_key(old: str, new: str) -> str:
    """`new` with its key as `old` writes it, when both have the same one."""
    before, after = _PAIR.match(old), _PAIR.match(new)
    if before is None or after is None or key(old) != key(new):
        return new
    return before[0] + new[after.end() :]


def with_value(old: str, value: str) -> str:
    """`old` with another value behind its key; Usage when it has no key."""
    found = _PAIR.match(old)
    if found is None:
        raise Usage("this entry is not `key: value`", hint="give the whole text")
    return found[0] + value.strip()

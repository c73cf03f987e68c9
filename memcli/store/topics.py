"""The file a topic is kept in: one that is there under any spelling of the name, else a new name that is safe anywhere."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from unicodedata import category, normalize

SUFFIX = ".md"
LONG = 100  # bytes of a name: with a suffix and a temporary one well below the 255 that a file system takes
# Names that Windows keeps for itself, whatever their suffix.
_KEPT = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$")
_SIGNS = (("++", "plusplus"), ("#", "sharp"))  # C, C++ and C# are three topics


def pick(title: str, names: Iterable[str]) -> str:
    """The name of the file for a topic: that of `names` which means the same (`site_roadmap.md` for "Site Roadmap"),
    else a new one."""
    wanted = _key(title)
    same = sorted(name for name in names if name.lower().endswith(SUFFIX) and _key(name[: -len(SUFFIX)]) == wanted)
    return same[0] if same else filename(title)


def filename(title: str) -> str:
    """A file name for a topic: lower case, words joined by `-`, no sign that a path or a file system gives a meaning.

    A title without a letter, and one that has to be cut, are told apart by six digits of their digest.
    """
    slug = "-".join(_words(title))
    digest = hashlib.sha256(normalize("NFC", title).encode("utf-8", "replace")).hexdigest()[:6]
    if not slug:
        return f"topic-{digest}{SUFFIX}"
    if len(slug.encode()) > LONG:
        slug = slug.encode()[: LONG - 7].decode("utf-8", "ignore").rstrip("-") + f"-{digest}"
    return (f"{slug}-topic" if _KEPT.match(slug) else slug) + SUFFIX


def _key(title: str) -> str:
    """What the spellings of one name have in common."""
    return "".join(_words(title)) or title


def _words(title: str) -> list[str]:
    for sign, word in _SIGNS:
        title = re.sub(rf"(?<=\w){re.escape(sign)}", word, title)
    folded = normalize("NFC", normalize("NFKC", title).casefold())
    # Marks belong to the letter before: the vowels of Indic scripts, accents that do not compose.
    return "".join(char if char.isalnum() or category(char)[0] == "M" else " " for char in folded).split()

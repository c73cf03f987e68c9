"""Words as the index and the query both see them. Pure, and light: the cold search imports it."""

from __future__ import annotations

from unicodedata import category, normalize

# What carries no meaning in a question. English from the usual lists, less the words that matter in notes ("not", "no").
STOP = frozenset(
    """
    a an the and or but if then of to in on at by for from with about as into is are was were be been being am do does did
    done have has had having it its this that these those there here i you he she we they me him her us them my your his our
    their mine what which who whom whose when where why how can could should would will shall may might must so than too very
    just also s t d ll re ve m any some tell use used uses using
    """.split()
)
# Chinese function words, as the single characters and pairs that `terms` makes of them.
STOP_HAN = frozenset(
    """
    的 了 是 在 吗 呢 吧 啊 我 你 他 她 它 们 和 与 或 及 也 都 就 还 又 被 把 对 从 到 向 让 给 这 那 哪 谁 几 么 个 之 其
    我们 你们 他们 她们 它们 什么 怎么 怎样 如何 为什 哪些 哪个 哪里 哪儿 哪一 多少 这个 那个 这些 那些 一个 是否 是不
    不是 有没 没有 时候 的时 关于 以及 曾经 请问 了什 了哪 了多 是什 是怎 是哪 是谁 在哪 的是 了吗
    """.split()
)
JOINERS = "_-./:@"
SUFFIXES = "+#"
DATE_HAN = "年月日号"


def is_han(char: str) -> bool:
    """True for a character of a script written without spaces: Han, kana, Hangul; Thai, Lao, Khmer, Burmese."""
    code = ord(char)
    return (
        0x0E00 <= code <= 0x0EFF
        or 0x1000 <= code <= 0x109F
        or 0x1780 <= code <= 0x17FF
        or 0x3040 <= code <= 0x30FF
        or 0x3400 <= code <= 0x9FFF
        or 0xAC00 <= code <= 0xD7A3
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x3FFFF
    )


class _Table(dict[int, str]):
    """Code point -> what `terms` makes of it: a letter, a space, or HAN and a Han character. Filled as they occur."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char.isalnum():
            kept = HAN + char if is_han(char) else char
        elif category(char)[0] == "M":
            # FTS5 ends a token at a mark; a vowel sign of a script without spaces must not end our pairs.
            kept = "" if is_han(char) else char
        else:
            kept = char if char in JOINERS or char in SUFFIXES else " "
        self[code] = kept
        return kept


HAN = "\x01"
_TABLE = _Table()


def terms(text: str) -> list[str]:
    """The terms of `text` in order, lower case.

    Full-width and compatibility forms are folded (NFKC). An identifier gives its parts and, joined, itself
    (`gen-itgc` -> gen itgc genitgc; `parseLine` -> parse line parseline; `C++` -> c cplusplus). A run of Han
    characters gives each character and each pair.
    """
    if not text.isascii():
        text = normalize("NFKC", text)
    found: list[str] = []
    for word in text.translate(_TABLE).split():
        if HAN in word:
            _mixed(word, found)
        elif word.isalnum() and (word.islower() or word[1:].islower() or word.isdigit()):
            found.append(word.casefold())
        else:
            _identifier(word, found)
    return found


def query_terms(text: str) -> list[str]:
    """The terms of a question, each once, without words of no weight; all of them when nothing else is left."""
    every = list(dict.fromkeys(terms(text)))
    kept = [term for term in every if term not in STOP and term not in STOP_HAN] or every
    if all(is_han(term[0]) for term in kept):
        return kept
    # A question in two scripts: the Latin word is what it asks about, and single characters would outvote it.
    return [term for term in kept if len(term) > 1 or not is_han(term)] or kept


def stem(word: str) -> str:
    """A word without its plural or tense ending: enough to tell whether a question's word is meant."""
    for ending in ("ing", "ed", "es", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word


def match(words: list[str]) -> str:
    """The FTS5 query that asks for any of `words`."""
    return " OR ".join(f'"{word}"' for word in words)


def quoted(words: list[str]) -> str:
    """The FTS5 query that asks for `words` as one phrase."""
    return '"' + " ".join(words) + '"'


def _mixed(word: str, found: list[str]) -> None:
    """Adds the terms of a word with Han characters in it: each is followed by what stands before the next."""
    first, *pieces = word.split(HAN)
    if first:
        _identifier(first, found)
        if first.isdigit() and pieces[0][0] in DATE_HAN:
            found.append(first + pieces[0][0])  # 1月, 14日: alone, the number says nothing
    for at, piece in enumerate(pieces):
        char, rest = piece[0], piece[1:]
        after = pieces[at + 1][0] if at + 1 < len(pieces) else ""
        found.append(char)
        if not rest and after:
            found.append(char + after)  # before the next character, so that a phrase is found in the middle of a run
        elif rest:
            _identifier(rest, found)
            if rest.isdigit() and after and after in DATE_HAN:
                found.append(rest + after)


def _identifier(word: str, found: list[str]) -> None:
    """Adds a word's parts, split at joiners and camel humps, and its whole."""
    core = word.strip(JOINERS).rstrip(SUFFIXES + JOINERS)
    flat = core
    for mark in JOINERS + SUFFIXES:
        flat = flat.replace(mark, " ")
    small = [piece for part in flat.split() for piece in _humps(part)]
    whole = "".join(small)
    found += small
    if 1 < len(small) <= 8:
        found.append(whole)
    suffix = word[len(core) :] if word.startswith(core) else ""
    if small and suffix.startswith("++"):
        found.append(whole + "plusplus")
    elif small and suffix.startswith("#"):
        found.append(whole + "sharp")


def _humps(part: str) -> list[str]:
    if not part.isascii() or part.islower() or part.isupper() or part[1:].islower() or part.isdigit():
        return [part.casefold()]
    pieces, start = [], 0
    for at in range(1, len(part)):
        if part[at].isupper() and (part[at - 1].islower() or part[at + 1 : at + 2].islower()):
            pieces.append(part[start:at].lower())
            start = at
    pieces.append(part[start:].lower())
    return pieces

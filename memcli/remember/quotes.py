"""Which parts of a text somebody says, and which are only shown: code, quotations, pasted logs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

GAP = "\ufffc"  # OBJECT REPLACEMENT CHARACTER: something stands here, and it says nothing

_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_TICKS = re.compile("`+")
_BLANK = re.compile(r"\n[ \t]*\n")
# A mark that opens stands before a word, not after one: 5" and don't open nothing. No quotation is longer than a
# paragraph of a few sentences, so a lone mark costs 400 characters at most.
_MARKED = re.compile(
    r"""(?<!\w)"[^"\n]{1,400}" | “[^“”\n]{1,400}” | „[^„“\n]{1,400}“ | «[^«»\n]{1,400}»
      | (?<!\w)'(?!\s)[^'\n]{1,200}(?:'\w[^'\n]{0,200})?'(?!\w) | (?<!\w)‘[^‘’\n]{1,200}’(?!\w)
      | 「[^「」\n]{1,400}」 | 『[^『』\n]{1,400}』 | 《[^《》\n]{1,400}》""",
    re.X,
)
# The first characters of a line that a program wrote.
_LOG = re.compile(
    r"""\s*(?:
        \[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d | \[?\d\d:\d\d:\d\d\b | \w{3}\s+\d{1,2}\ \d\d:\d\d:\d\d\s
      | \[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)\b[\]:\s|]
      | Traceback\ \(most | File\ "[^"\n]*",\ line\ \d | at\ [\w.$<>]+\([^)\n]*\)
      | npm\ (?:ERR!|WARN|error) | error(?:\[E\d+\])?: | warning: | E\ \ \  | FAILED\ \w+.*:: | PASSED\ \w+
      | [$%]\ \w | >>>\ | \.\.\.\ \  | diff\ --git | index\ [0-9a-f]{7,}\.\. | @@\ -\d | [+-]{3}\ [ab]/
    )""",
    re.X,
)
_TRACE = re.compile(r"\s*Traceback \(most")
_QUOTE = re.compile(r" {0,3}>(?!>)")
_INDENT = re.compile(r"(?: {4}|\t)[ \t]*\S")


def spoken(text: str) -> str:
    """`text` with the same length, every character that is quoted, code or log replaced by GAP; line ends stay."""
    shown = _cover(text, _blocks(text))
    shown = _cover(shown, _spans(shown))
    return _cover(shown, (found.span() for found in _MARKED.finditer(shown)))


def _cover(text: str, spans: Iterator[tuple[int, int]]) -> str:
    parts, done = [], 0
    for start, stop in spans:
        parts += [text[done:start], re.sub(r"[^\n]", GAP, text[start:stop])]
        done = stop
    return "".join((*parts, text[done:]))


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Whole lines: fenced and indented code, block quotations, logs, tracebacks up to the line that names the error."""
    fence, trace, open_ = "", False, True  # open_: an indented line is code here, not the rest of a paragraph
    for found in _LINE.finditer(text):
        line = found[0]
        mark = _FENCE.match(line)
        if fence:
            hit = True
            if mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
                fence = ""
        elif mark:
            hit, fence = True, mark[1]
        elif trace:
            hit, trace = True, line[:1].isspace()
        else:
            trace = bool(_TRACE.match(line))
            hit = bool(_LOG.match(line) or _QUOTE.match(line) or (open_ and _INDENT.match(line)))
        open_ = not line.strip() or (open_ and hit)
        if hit:
            yield found.span()


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Code spans: from a run of backticks to the next run of the same length in the same paragraph."""
    runs = [found.span() for found in _TICKS.finditer(text)]
    if not runs:
        return
    places: dict[int, list[int]] = defaultdict(list)
    for start, stop in runs:
        places[stop - start].append(start)
    breaks = [found.start() for found in _BLANK.finditer(text)]
    done = 0
    for start, stop in runs:
        same = places[stop - start]
        at = bisect_right(same, start)
        paragraph = bisect_right(breaks, start)
        limit = breaks[paragraph] if paragraph < len(breaks) else len(text)
        if start >= done and at < len(same) and same[at] < limit:
            done = same[at] + stop - start
            yield start, done

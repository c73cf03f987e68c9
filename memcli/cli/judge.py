"""`mem judge`: whether a text is worth remembering, and which words say so."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from memcli.cli import output
from memcli.cli.options import Json
from memcli.cli.stdin import stdin
from memcli.errors import Usage

NOT_WORTH = 1
COLUMNS = ("score", "verdict", "signals")


def command(
    words: Annotated[
        list[str] | None, typer.Argument(help="The text; stdin without it, or with -.", show_default=False)
    ] = None,
    context: Annotated[
        str, typer.Option(help='What was said before: what "remember this" may mean.', show_default=False)
    ] = "",
    as_json: Json = False,
) -> None:
    """Say whether a text is worth remembering, and why."""
    from memcli.remember.judge import judge

    text = _text(words or [])
    if not text.strip():
        raise Usage("no text was given", hint="mem judge TEXT")
    verdict = judge(text, output.typed(context))
    if as_json:
        signals = [
            {"name": one.name, "score": one.score, "start": one.span[0], "stop": one.span[1], "words": one.words}
            for one in verdict.signals
        ]
        record = {"score": verdict.score, "worth": verdict.worth, "signals": signals}
        output.rows([record], (), as_json=True)
    else:
        told = "; ".join(f"{one.name}: {one.words}" for one in verdict.signals)
        word = "worth" if verdict.worth else "no"
        output.rows([{"score": f"{verdict.score:.2f}", "verdict": word, "signals": told}], COLUMNS)
    if not verdict.worth:
        raise typer.Exit(NOT_WORTH)


def _text(words: list[str]) -> str:
    """The arguments as one text, or all of stdin; bytes that are no UTF-8 as lone surrogates."""
    if words and words != ["-"]:
        return output.typed(" ".join(words))
    if not words and sys.stdin is not None and sys.stdin.isatty():
        return ""
    return stdin("mem judge TEXT").read().decode("utf-8-sig", "surrogateescape")

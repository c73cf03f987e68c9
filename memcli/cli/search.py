"""`mem search`: find entries, turns or sessions. In a pipe most calls are answered before this module is loaded (cold.py)."""

from __future__ import annotations

import os
import shutil
from shlex import quote
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from memcli.cli import output
from memcli.cli.options import Json, Kinds, Moment, Scopes, Source, Tags, filled, split
from memcli.cli.stdin import stdin
from memcli.errors import Unreadable, Usage

if TYPE_CHECKING:
    from memcli.app.memory import Memory
    from memcli.search.ask import Options
    from memcli.search.query import Query

NO_HIT, PARTLY = 1, 3


def command(
    words: Annotated[
        list[str] | None, typer.Argument(help="The question; any text is one.", show_default=False)
    ] = None,
    limit: Annotated[int | None, typer.Option("-k", "--limit", help="Hits at most.", show_default=False)] = None,
    mode: Annotated[str, typer.Option(callback=filled, help="hybrid, words or vectors.", show_default=False)] = "",
    unit: Annotated[str, typer.Option(callback=filled, help="entry, turn or session.", show_default=False)] = "",
    source: Source = "",
    kinds: Kinds = None,
    tags: Tags = None,
    scopes: Scopes = None,
    since: Moment = "",
    until: Moment = "",
    min_conf: Annotated[float, typer.Option(help="The least confidence, 0 to 1.", show_default=False)] = 0.0,
    as_of: Moment = "",
    archived: Annotated[bool, typer.Option("--archived", help="Search what was retired as well.")] = False,
    explain: Annotated[bool, typer.Option(help="Show what each score is made of.")] = False,
    why_not: Annotated[
        str, typer.Option(callback=filled, help="Say why the entry with this id is no hit.", show_default=False)
    ] = "",
    batch: Annotated[
        str, typer.Option(callback=filled, help="A file of JSON queries, one a line, or -.", show_default=False)
    ] = "",
    as_json: Json = False,
) -> None:
    """Find memories by words and by meaning."""
    from memcli.app.memory import Memory
    from memcli.home import home
    from memcli.search.ask import Options

    memory = Memory(home(os.environ), os.getcwd(), os.environ, archived=archived)
    defaults = memory.config.search
    options = Options(
        limit=defaults.k if limit is None else limit,
        mode=mode or defaults.mode,
        unit=unit,
        source=source,
        types=split(kinds),
        tags=split(tags),
        scopes=split(scopes),
        since=since,
        until=until,
        conf=min_conf,
        as_of=as_of,
    )
    if batch:
        if words or why_not:
            other = "--why-not" if why_not else "a question"
            raise Usage(f"--batch and {other} exclude each other", hint=f"mem search --batch {quote(batch)}")
        _batch(memory, options, batch, explain)
        return
    text = output.typed(" ".join(words or []))
    if not text.strip():
        raise Usage("no question was given", hint="mem search WORDS")
    if why_not:
        output.text(memory.why_not(options.query(text), _ident(why_not)))
        return
    _single(memory, options.query(text), as_json, explain)


def _single(memory: Memory, query: Query, as_json: bool, explain: bool) -> None:
    from memcli.search import show

    answer = memory.search(query)
    for said in answer.notes:
        output.note(said)
    paths, place = memory.paths(), show.place_for(memory.home, memory.cwd, False)
    if output.terminal() and not as_json:
        width = shutil.get_terminal_size().columns
        rows = [
            row
            for hit in answer.hits
            for row in show.lines(hit, place(paths[hit.doc.file]), query.text, width, output.colour())
        ]
    else:
        rows = list(show.rows(answer.hits, paths, query.text, place, as_json, explain))
    output.raw(rows)
    if explain and not as_json:
        for hit in answer.hits:
            output.note(f"{place(paths[hit.doc.file])}:{hit.doc.line} {hit.score:.3f} = {show.explained(hit)}")
    if not answer.hits:
        output.note("nothing found")
    if answer.partial or not answer.hits:
        raise typer.Exit(PARTLY if answer.partial else NO_HIT)


def _ident(typed: str) -> str:
    """An id as the catalog may have it; bytes that are no UTF-8 stand in none, and are told as escapes."""
    return output.typed(typed).encode("utf-8", "backslashreplace").decode()


def _queries(name: str) -> BinaryIO:
    if name == "-":
        return stdin("mem search --batch FILE")
    from memcli.files.sources import reason, show

    try:
        return open(name, "rb")
    except OSError as error:
        raise Unreadable(f"--batch {show(name)}: {reason(error)}", hint="mem search --help") from None


def _batch(memory: Memory, options: Options, name: str, explain: bool) -> None:
    from memcli.search import batch

    engine, bad = memory.engine(options.mode), 0
    with _queries(name) as lines:
        for row in batch.answers(engine, options, lines, memory.paths(), memory.home, explain):
            if isinstance(row, str):
                output.raw([row])
            else:
                bad += 1
                output.note(f"{name}: {row}")
    for said in [*memory.notes, *engine.notes, *memory.report.failed]:
        output.note(said)
    if bad or memory.report.failed:
        raise typer.Exit(PARTLY)

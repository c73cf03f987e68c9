"""The `mem` command: finds the verb, and turns every failure into one line and an exit code.

A verb is a module of this package that has a function `command`. It is imported only when it is called (or its own help
is asked for), so `mem --help` loads nothing but Typer.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup, TyperOption
from typer.main import get_command

from memcli import __version__
from memcli.cli import output
from memcli.cli.boundary import guard

COMPLETING = "_MEM_COMPLETE"  # set by the completion scripts

# What `mem --help` lists, in this order. The text is the first line of the command's docstring (a test compares).
VERBS = {
    "init": "Make the home, and say what other harnesses keep on this machine.",
    "index": "Bring the index up to date: words first, then vectors, newest first.",
    "search": "Find memories by words and by meaning.",
    "list": "List entries in the order of their files.",
    "show": "Print entries whole, as they stand in their files.",
    "add": "Keep a new entry, unless it is there already; print its id.",
    "save": "Keep a profile, feedback, project, reference or lesson entry; a known key gets the value.",
    "edit": "Change the text of an entry, or what is known about it.",
    "confirm": "Note that an entry still holds: it is newer and surer from then on.",
    "retire": "Move an entry to the archive; searches no longer find it.",
    "restore": "Bring a retired entry back to the file and the heading it was under.",
    "why": "Say where an entry comes from: its sources, what it replaced, who wrote it when.",
    "log": "List what was written, the last first; edits by hand too.",
    "undo": "Take back the last operation, or the one named; this can be undone too.",
    "judge": "Say whether a text is worth remembering, and why.",
    "status": "Say what is kept, what is indexed and what is too long.",
    "doctor": "Check the home, the index and every file; name the repair.",
    "config": "Print the settings and where each comes from, or set one.",
    "bench": "Measure recall and latency on questions with known answers.",
    "completion": "Print the completion script for a shell.",
}

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

# Typer exports this one class of its usage errors; its parent stands for all of them.
UsageError: type[Exception] = typer.BadParameter.__bases__[0]


class Boundary(TyperGroup):
    """The verbs, each loaded when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in VERBS and not ctx.resilient_parsing:
            raise UsageError(f"no such command {cmd_name!r}{_nearest(cmd_name)}", ctx)
        return _load(cmd_name) if cmd_name in VERBS else None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Lists the verbs without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


app = typer.Typer(
    cls=Boundary,
    add_completion=False,  # its options guess the shell from the parent process; `mem completion` is told
    rich_markup_mode=None,  # Rich takes longer to load than everything else together
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
)


@app.callback(invoke_without_command=True)
def mem(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notes on stderr; errors stay.")] = False,
) -> None:
    """Memory you can read: search, keep and consolidate what coding agents learn, in plain Markdown."""
    if quiet:
        output.hush()
    if version:
        output.text(f"mem {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        raise UsageError("no command was given")


def run(argv: list[str] | None = None) -> None:
    """Runs the command line `argv`, by default this process's, and exits."""
    output.start()
    arguments = sys.argv[1:] if argv is None else argv
    sys.exit(guard(lambda: _dispatch(arguments)))


def _dispatch(arguments: Sequence[str]) -> int:
    group = get_command(app)
    if COMPLETING in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]  # untyped there

        completion_init()
        group.main(list(arguments), prog_name="mem", complete_var=COMPLETING)
    with group.make_context("mem", list(arguments)) as ctx:
        try:
            group.invoke(ctx)
        except UsageError as error:
            raise _placed(error, group, ctx) from None
    return 0


def _placed(error: Any, group: Any, ctx: Any) -> Exception:
    """A usage error that knows its verb: the parser tells a missing value without one."""
    if error.ctx is None and ctx.invoked_subcommand in VERBS:
        error.ctx = typer.Context(group, info_name=ctx.invoked_subcommand, parent=ctx)
    found: Exception = error
    return found


def _load(verb: str) -> Any:
    module = importlib.import_module(f"memcli.cli.{verb}")
    single = typer.Typer(add_completion=False, rich_markup_mode=None, context_settings=SETTINGS)
    single.command(verb, context_settings=SETTINGS | getattr(module, "SETTINGS", {}))(module.command)
    command = get_command(single)
    command.params.append(_quiet())
    return command


def _nearest(verb: str) -> str:
    from difflib import get_close_matches

    found = get_close_matches(verb, VERBS, n=1)
    return f" (did you mean {found[0]}?)" if found else ""


def _quiet() -> TyperOption:
    """`--quiet` after the verb too, where people type it."""
    return TyperOption(
        param_decls=["--quiet", "-q"],
        is_flag=True,
        expose_value=False,
        help="No notes on stderr; errors stay.",
        callback=lambda ctx, param, value: output.hush() if value else None,
    )

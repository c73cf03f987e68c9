"""Turns every failure into one line and an exit code. Knows Typer only where it is loaded already."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from memcli import __version__
from memcli.cli import output
from memcli.errors import MemError

BUG = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # 128 + SIGINT, as a shell reports it


def guard(work: Callable[[], int]) -> int:
    """The exit code of `work`, with what it raised told in one line and stdout flushed."""
    try:
        code = _outcome(work)
        sys.stdout.flush()
    except BrokenPipeError:  # `head` has seen enough: that is success
        output.muffle(sys.stdout)
        return 0
    except OSError as error:  # stdout is a full disk
        output.muffle(sys.stdout)
        return _refused(error)
    return code


def _outcome(work: Callable[[], int]) -> int:
    try:
        return work()
    except BrokenPipeError:
        raise
    except KeyboardInterrupt:
        return INTERRUPTED
    except MemError as error:
        output.fail(str(error), hint=error.hint)
        return error.exit_code
    except OSError as error:  # the machine's refusal (a full disk, a mode), whoever met it
        return _refused(error)
    except Exception as error:  # the only one in mem: what Typer did not mean is our bug
        code = _parsed(error)
        return _crashed() if code is None else code


def _parsed(error: Exception) -> int | None:
    """The exit code of what Typer raises to end or to refuse a command line, None of anything else."""
    typer = sys.modules.get("typer")
    if typer is None:
        return None
    if isinstance(error, typer.Exit):
        return int(error.exit_code)
    if isinstance(error, typer.Abort):
        return INTERRUPTED
    # Typer exports this one class of its usage errors; its parent stands for all of them.
    return _misused(error) if isinstance(error, typer.BadParameter.__bases__[0]) else None


def _misused(error: Any) -> int:
    """Typer's sentence in our style: lower case, one line, and where the help is."""
    said = error.format_message().rstrip(".")
    path = error.ctx.command_path if error.ctx is not None else "mem"
    output.fail(said[:1].lower() + said[1:], hint=f"{path} --help")
    return int(error.exit_code)


def _refused(error: OSError) -> int:
    name = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
    output.fail(f"{name}{error.strerror or error}")
    return MemError.exit_code


def _crashed() -> int:
    """Tells where the traceback is, and the exit code."""
    import traceback

    path = _keep(f"mem {__version__}, Python {sys.version}\n{traceback.format_exc()}")
    output.fail(f"this is a bug in mem; the details are in {path}")
    return BUG


def _keep(report: str) -> str:
    """The file that holds `report` now: the home's state/crash.log, else a temporary one."""
    import tempfile

    from memcli.home import home

    data = report.encode("utf-8", "backslashreplace")
    try:
        path = os.path.join(home(os.environ), "state", "crash.log")
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except (OSError, MemError):
        handle, path = tempfile.mkstemp(prefix="mem-crash-", suffix=".log")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    return path

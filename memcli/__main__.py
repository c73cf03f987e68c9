"""The entry point of the `mem` command. `mem search` and `mem add` are tried before Typer is imported (50 to 265 ms)."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Runs this process's command line and exits."""
    if sys.argv[1:2] == ["search"] and _cold(sys.argv[2:]):
        return
    if sys.argv[1:2] == ["add"] and _added(sys.argv[2:]):
        return
    from memcli.cli.main import run

    run()


def _added(args: list[str]) -> bool:
    """False when the full path has to read this command line; else the process ends here, with the entry kept."""
    import gc

    gc.disable()  # a file of 2,000 entries is parsed in two thirds of the time, and the process ends anyway
    from memcli.cli import adding, boundary, output

    asked = adding.parse(args)
    if asked is None:
        return False
    output.start()
    code = boundary.guard(lambda: adding.add(asked))
    sys.stderr.flush()
    os._exit(code)


def _cold(args: list[str]) -> bool:
    """True when the cold path has answered; the process ends here then."""
    from memcli.app import cold

    if (
        not all(arg.strip(" ,") for arg in args)  # an empty option: the full path refuses it
        or sys.stdout is None
        or sys.stderr is None
        or sys.stdout.isatty()
        or "FORCE_COLOR" in os.environ
        or "PYTHONIOENCODING" in os.environ
    ):
        return False
    try:
        found = cold.answer(args, os.environ, os.getcwd())
    except OSError:  # there is no working directory any more: the full path says so
        return False
    if found is None:
        return False
    _tell(found.notes)
    try:
        _write(found.out)
    except BrokenPipeError:
        found.code = 0
    except OSError as error:  # stdout is a full disk
        found.code = 2
        _tell([str(error.strerror)])
    # Interpreter teardown costs 5 to 10 ms, and nothing is left to flush.
    os._exit(found.code)


def _tell(notes: list[str]) -> None:
    try:
        os.write(2, "".join(f"mem: {note}\n" for note in notes).encode("utf-8", "backslashreplace"))
    except OSError:
        return  # nobody reads stderr; the exit code still tells


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    main()

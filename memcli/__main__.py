"""The entry point of the `mem` command. `mem search` is tried on the cold path first, before Typer is imported (265 ms)."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Runs this process's command line and exits."""
    if sys.argv[1:2] == ["search"] and _cold(sys.argv[2:]):
        return
    from memcli.cli.main import run

    run()


def _cold(args: list[str]) -> bool:
    """True when the cold path has answered; the process ends here then."""
    from memcli.app import cold

    if (
        sys.stdout is None
        or sys.stderr is None
        or sys.stdout.isatty()
        or "FORCE_COLOR" in os.environ
        or "PYTHONIOENCODING" in os.environ
    ):
        return False
    found = cold.answer(args, os.environ, os.getcwd())
    if found is None:
        return False
    for note in found.notes:
        os.write(2, f"mem: {note}\n".encode())
    try:
        _write(found.out)
    except BrokenPipeError:
        found.code = 0
    # Interpreter teardown costs 5 to 10 ms, and nothing is left to flush.
    os._exit(found.code)


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    main()

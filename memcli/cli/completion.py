"""`mem completion SHELL`: the script is printed, and installing it is the user's line in the shell's own file."""

from __future__ import annotations

from typing import Annotated

import typer

from memcli.cli import output
from memcli.errors import Usage

SHELLS = ("bash", "zsh", "fish", "powershell")


def command(shell: Annotated[str, typer.Argument(help=", ".join(SHELLS))]) -> None:
    """Print the completion script for a shell.

    For bash or zsh, put this into ~/.bashrc or ~/.zshrc: eval "$(mem completion bash)"
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]  # untyped there

    if shell not in SHELLS:
        raise Usage(f"no completion for {shell!r}, only for {', '.join(SHELLS)}", hint="mem completion bash")
    output.text(get_completion_script(prog_name="mem", complete_var="_MEM_COMPLETE", shell=shell))

"""The entry point of the `mem` command."""

from __future__ import annotations


def main() -> None:
    """Runs this process's command line and exits."""
    from memcli.cli.main import run

    run()


if __name__ == "__main__":
    main()

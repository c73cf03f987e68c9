"""Every test runs in a sealed home: no network, nothing of the real user, the same zone, width and environment."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

TESTS = Path(__file__).parent
ROOT = TESTS.parent
os.environ.setdefault("SEALED_HOME", os.path.expanduser("~"))
sys.path.insert(0, str(TESTS / "sealed"))
sys.modules.pop("sitecustomize", None)  # the interpreter may have one of its own
import sitecustomize  # noqa: E402, F401  # for its audit hook

# PYTHON* would change what the command prints, the rest where it reads.
LEAKS = ("MEM_", "CLAUDE", "CODEX", "OPENCLAW", "HARNESS", "XDG_", "GIT_", "PYTHON", "LC_", "FORCE_COLOR", "OMP_")
TIMEOUT_S = 60
UPDATE = bool(os.environ.get("MEM_UPDATE"))  # read before the environment is sealed


class Ran(NamedTuple):
    """What one run of the real command came to."""

    code: int
    out: str
    err: str


class Mem(Protocol):
    """Runs the real `mem` in a process of its own; `env` is added to the sealed environment, None removes."""

    def __call__(
        self, *args: str, stdin: str = "", cwd: Path | None = None, env: Mapping[str, str | None] | None = None
    ) -> Ran: ...


def sealed(folder: Path) -> dict[str, str]:
    """The environment in which `folder` is the home of the user and ~/.harness that of the harness."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(LEAKS)}
    return kept | {
        "HOME": str(folder),
        "HARNESS_HOME": str(folder / ".harness"),
        "XDG_CONFIG_HOME": str(folder / ".config"),
        "XDG_CACHE_HOME": str(folder / ".cache"),
        "XDG_DATA_HOME": str(folder / ".local/share"),
        "XDG_STATE_HOME": str(folder / ".local/state"),
        "TZ": "UTC",
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        "COLUMNS": "80",
        "TERM": "xterm-256color",
        "MEM_NOW": "2026-12-01T09:00:00Z",
        "MEM_SERVER": "off",
        "PYTHONPATH": f"{TESTS / 'sealed'}{os.pathsep}{ROOT}",
    }


def spawn(args: Sequence[str], *, folder: Path, stdin: str = "", env: Mapping[str, str | None] | None = None) -> Ran:
    """What the process `args` did, in `folder`, in the sealed environment that pytest itself runs in."""
    changed = dict(os.environ) | (env or {})
    given = {name: value for name, value in changed.items() if value is not None}
    done = subprocess.run(args, cwd=folder, env=given, input=stdin.encode(), capture_output=True, timeout=TIMEOUT_S)
    return Ran(done.returncode, done.stdout.decode("utf-8", "surrogateescape"), done.stderr.decode("utf-8", "replace"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The harness home of this test, not made yet: ~/.harness of a sealed user."""
    folder = sealed(tmp_path)
    for name in set(os.environ) - set(folder):
        if name not in ("PYTEST_CURRENT_TEST", "SEALED_HOME"):
            monkeypatch.delenv(name)
    for name, value in folder.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return tmp_path / ".harness"


@pytest.fixture
def mem(tmp_path: Path) -> Mem:
    """The real command, in a process of its own."""

    def run(*args: str, stdin: str = "", cwd: Path | None = None, env: Mapping[str, str | None] | None = None) -> Ran:
        return spawn([sys.executable, "-P", "-m", "memcli", *args], folder=cwd or tmp_path, stdin=stdin, env=env)

    return run

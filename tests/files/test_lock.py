"""One writer at a time."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from memcli.errors import Busy, Unreadable
from memcli.files.lock import held

HOLD = (
    "import sys; from memcli.files.lock import held\nwith held(sys.argv[1], 5):\n  print('held', flush=True); input()"
)


def test_a_lock_held_elsewhere_is_busy_and_then_free(tmp_path: Path) -> None:
    path = str(tmp_path / "dream.lock")
    command = [sys.executable, "-c", HOLD, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        with pytest.raises(Busy, match="locked") as caught, held(path, 0.05):
            pass
        other.communicate("\n")
    assert (caught.value.exit_code, "--wait" in caught.value.hint) == (5, True)
    with held(path, 0.05):
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    command = [sys.executable, "-c", HOLD, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        other.kill()
    with held(path, 0.05):
        assert os.path.exists(path)


def test_a_lock_is_free_after_an_error(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with pytest.raises(KeyError), held(path, 0):
        raise KeyError
    with held(path, 0):
        assert os.path.exists(path)


def test_threads_exclude_each_other(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    caught: list[BaseException] = []

    def second() -> None:
        try:
            with held(path, 0.05):
                pass
        except Busy as error:
            caught.append(error)

    with held(path, 0):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
    assert len(caught) == 1


def test_a_planted_symlink_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (tmp_path / "lock").symlink_to(victim)
    with pytest.raises(Unreadable, match="no lock file"), held(str(tmp_path / "lock"), 0):
        pass
    assert victim.read_bytes() == b"precious"


def test_a_directory_is_no_lock_file(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no lock file"), held(str(tmp_path), 0):
        pass

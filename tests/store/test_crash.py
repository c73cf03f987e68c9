"""Killed anywhere: after the next start every file is wholly before or wholly after, the log agrees, nothing is left."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest
from store.rig import NOW, Doom, change, ended, forked, litter, put, read, spawned, states, write

from memcli.files.atomic import digest
from memcli.store.history import Change, operations, recover, undo, verify

KILLS = int(os.environ.get("MEM_KILLS", "40"))
TEXT = b"".join(b"- entry number %d\n" % number for number in range(100))

Contents = tuple[bytes | None, ...]


class Scene:
    """Three files, one to be changed, one to be removed, one to be made, and an operation that does all three."""

    def __init__(self, home: Path, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.home, self.folder = home, folder
        self.paths = [folder / name for name in ("changed.md", "removed.md", "made.md")]
        put(home, self.paths[0], TEXT)
        self.paths[1].write_bytes(b"- to go\n")
        self.before = self.contents()
        self.after: Contents = (TEXT + b"- more\n", None, b"- new\n")

    def contents(self) -> Contents:
        return tuple(read(path) for path in self.paths)

    def act(self) -> None:
        write(self.home, *(change(path, after) for path, after in zip(self.paths, self.after, strict=True)))

    def undo(self) -> None:
        undo(str(self.home), None, actor="tester", now=NOW)

    def check(self) -> bool:
        """Whether the operation is done, after a recovery that left all in order."""
        recover(str(self.home))
        assert self.contents() in (self.before, self.after)
        assert (verify(str(self.home)), litter(self.home, self.folder)) == ([], [])
        newest = next(operations(str(self.home)))
        done = newest.state == "done" and newest.verb == "add" and len(newest.steps) == 3
        assert done == (self.contents() == self.after)
        assert recover(str(self.home)) == []
        return done


def doomed(scene: Scene, step: int, *, half: bool = False) -> int:
    def act() -> None:
        Doom(step, half=half)
        scene.act()

    return forked(act)


@pytest.mark.parametrize("half", [False, True])
def test_a_writer_killed_before_or_in_any_call_that_writes(tmp_path: Path, half: bool) -> None:
    seen = []
    for step in range(200):
        scene = Scene(tmp_path / f"h{step}", tmp_path / f"w{step}")
        killed = doomed(scene, step, half=half)
        seen.append(scene.check())
        if not killed:
            break
    # Both outcomes, the old one first, and far more than a handful of steps.
    assert seen == sorted(seen) and len(seen) > 30 and seen[-2]


def test_a_recovery_killed_anywhere_is_done_by_the_next(tmp_path: Path) -> None:
    for step in range(20, 46, 2):
        for again in range(60):
            scene = Scene(tmp_path / f"h{step}-{again}", tmp_path / f"w{step}-{again}")
            if not doomed(scene, step):
                return

            def mend(scene: Scene = scene, again: int = again) -> None:
                Doom(again)
                recover(str(scene.home))

            killed = forked(mend)
            scene.check()
            if not killed:
                break


def test_an_undo_killed_anywhere_is_whole(tmp_path: Path) -> None:
    for step in range(200):
        scene = Scene(tmp_path / f"h{step}", tmp_path / f"w{step}")
        scene.act()

        def back(scene: Scene = scene, step: int = step) -> None:
            Doom(step)
            scene.undo()

        killed = forked(back)
        recover(str(scene.home))
        undone = ("add", "undone") in states(scene.home)
        assert scene.contents() == (scene.before if undone else scene.after)
        assert (verify(str(scene.home)), litter(scene.home, scene.folder)) == ([], [])
        if not killed:
            assert undone
            return


def test_what_was_edited_after_the_crash_stays_and_is_named(tmp_path: Path) -> None:
    for step in range(20, 60):
        scene = Scene(tmp_path / f"h{step}", tmp_path / f"w{step}")
        doomed(scene, step)
        if scene.contents()[0] == scene.after[0] and next(operations(str(scene.home))).state == "pending":
            break
    scene.paths[0].write_bytes(b"- by hand\n")
    notes = recover(str(scene.home))
    assert any("changed.md was changed since" in note for note in notes)
    assert scene.contents() == (b"- by hand\n", *scene.before[1:])
    newest = next(operations(str(scene.home)))
    assert (newest.state, newest.left) == ("rolled back", (str(scene.paths[0]),))


def generation(path: Path) -> int:
    """The number that every line of `path` says."""
    numbers = {int(line.split()[-1]) for line in path.read_bytes().splitlines()}
    assert len(numbers) == 1, f"{path} is half one and half another"
    return numbers.pop()


def rewrite(home: Path, paths: list[Path], reached: int) -> None:
    """Writes one generation after the other until it is killed; every operation changes all of `paths`."""
    for number in range(reached + 1, 10_000):
        text = b"- a line of generation %d\n" % number * 200
        write(home, *(Change(str(path), digest(str(path)), text) for path in paths))


def test_random_kills_of_a_real_process(home: Path, tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.md", "b.md")]
    for path in paths:
        put(home, path, b"- a line of generation 0\n")
    chance = random.Random(7)
    reached = 0
    for _ in range(KILLS):
        pid = spawned(lambda: rewrite(home, paths, reached))  # noqa: B023
        time.sleep(chance.uniform(0.005, 0.12))
        os.kill(pid, signal.SIGKILL)
        assert ended(pid) == signal.SIGKILL
        recover(str(home))
        newest = next(item for item in operations(str(home)) if item.state == "done")
        assert {generation(path) for path in paths} == {generation(paths[0])}
        assert [digest(step.path) for step in newest.steps] == [step.after for step in newest.steps]
        assert litter(home, tmp_path) == []
        assert generation(paths[0]) >= reached
        reached = generation(paths[0])
    assert verify(str(home)) == []
    assert reached, "every process was killed before its first operation"

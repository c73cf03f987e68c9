"""Which files hold memory, for a home and a working directory. Looks only at names; light, for the cold search."""

from __future__ import annotations

import os
from os.path import basename, dirname, isdir, join, realpath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MEMORY, GUIDE, LOG = "memory", "guide", "log"
ARCHIVE = "archive"  # the scope of what was retired
# At each level of a project, in the order in which the harnesses load them.
PROJECT_FILES = (
    ("MEMORY.md", MEMORY),
    ("CLAUDE.md", GUIDE),
    (".claude/CLAUDE.md", GUIDE),
    ("AGENTS.md", GUIDE),
    ("CLAUDE.local.md", GUIDE),
)
MAX_DEPTH = 12  # of folders below memory/ or sessions/; deeper ones are somebody's tree, not notes


class Source:
    """One file.

    Attributes:
        path, real: as found, and with symlinks resolved.
        scope: user or project.
        kind: MEMORY, GUIDE or LOG.
        root: the folder it was found under.
        via: the real path of the guide that imports it, or "".
    """

    __slots__ = ("kind", "path", "real", "root", "scope", "via")

    def __init__(self, path: str, scope: str, kind: str, root: str, link: bool = False, via: str = "") -> None:
        self.path, self.scope, self.kind, self.root, self.via = path, scope, kind, root, via
        self.real = realpath(path) if link else path


class Sources:
    """The files found, each real file once, and what could not be read on the way."""

    def __init__(self) -> None:
        self.files: list[Source] = []
        self.roots: list[str] = []
        self.problems: list[str] = []
        self._seen: set[str] = set()

    def add(self, source: Source) -> None:
        if source.real not in self._seen:
            self._seen.add(source.real)
            self.files.append(source)

    def file(self, path: str, scope: str, kind: str, root: str) -> None:
        """Adds `path` when a regular file is there."""
        try:
            link = os.lstat(path).st_mode & 0o170000 == 0o120000
            mode = os.stat(path).st_mode & 0o170000
        except OSError as error:
            if not isinstance(error, (FileNotFoundError, NotADirectoryError)) or os.path.islink(path):
                self.problems.append(f"{show(path)}: {reason(error)}")
            return
        if mode == 0o100000:
            self.add(Source(path, scope, kind, root, link))
        else:
            self.problems.append(f"{show(path)}: not a regular file")

    def tree(self, top: str, ending: str, scope: str, kind: str, root: str) -> None:
        """Adds every file below `top` whose name ends in `ending`, by name."""
        for path, link in _walk(top, ending, self.problems, set(), MAX_DEPTH):
            self.add(Source(path, scope, kind, root, link))


def discover(
    home: str, cwd: str, environ: Mapping[str, str], extra: Sequence[str] = (), *, archived: bool = False
) -> Sources:
    """Every source of `home` and of the project around `cwd`, the `extra` files and folders, and on request the archive."""
    found = Sources()
    _home(found, home)
    if archived:
        found.tree(join(home, "archive"), ".md", ARCHIVE, MEMORY, join(home, "archive"))
    for path in extra:
        if isdir(path):
            found.tree(path, ".md", "user", MEMORY, path)
        else:
            found.file(path, "user", LOG if path.endswith(".jsonl") else MEMORY, dirname(path))
    _agents(found, environ, home)
    _project(found, cwd, environ, home)
    return found


def project_root(cwd: str) -> str:
    """The git root above `cwd`, or `cwd` itself."""
    for folder in _upwards(cwd):
        if os.path.lexists(join(folder, ".git")):
            return folder
    return cwd


def project_key(root: str) -> str:
    """The name of a project's folder in the home: its folder's name and a digest of its git directory.

    The digest keeps names apart that differ only in punctuation or in non-ASCII letters; worktrees share it.
    """
    from hashlib import blake2b

    common = _common_dir(root)
    name = basename(dirname(common) if basename(common) == ".git" else root)
    safe = "".join(char if char.isascii() and char.isalnum() else "-" for char in name).strip("-")[:40]
    return f"{safe or 'project'}-{blake2b(os.fsencode(common), digest_size=5).hexdigest()}"


def show(path: str) -> str:
    """`path` as text that any stream can print: undecodable bytes and control characters escaped."""
    return "".join(
        char if char.isprintable() else repr(char)[1:-1]
        for char in path.encode("utf-8", "backslashreplace").decode("utf-8")
    )


def reason(error: OSError) -> str:
    """What the system says, in a few words."""
    return (error.strerror or str(error)).lower()


def _home(found: Sources, home: str) -> None:
    found.roots.append(home)
    found.file(join(home, "MEMORY.md"), "user", MEMORY, home)
    found.tree(join(home, "memory"), ".md", "user", MEMORY, home)
    found.tree(join(home, "sessions"), ".jsonl", "user", LOG, home)


def _agents(found: Sources, environ: Mapping[str, str], home: str) -> None:
    user = environ.get("HOME") or os.path.expanduser("~")
    claude = environ.get("CLAUDE_CONFIG_DIR") or join(user, ".claude")
    found.file(join(claude, "CLAUDE.md"), "user", GUIDE, claude)
    found.tree(join(claude, "rules"), ".md", "user", GUIDE, claude)
    space = join(user, ".openclaw", "workspace")
    for name in ("MEMORY.md", "USER.md"):
        found.file(join(space, name), "user", MEMORY, space)
    found.tree(join(space, "memory"), ".md", "user", MEMORY, space)
    found.roots += [claude, space]


def _project(found: Sources, cwd: str, environ: Mapping[str, str], home: str) -> None:
    root, user = project_root(cwd), environ.get("HOME") or ""
    for folder in reversed([level for level in _levels(cwd, root, {home, user, "/"}) if level not in (home, "/")]):
        found.roots.append(folder)
        for name, kind in PROJECT_FILES:
            found.file(join(folder, name), "project", kind, folder)
        found.tree(join(folder, ".claude", "rules"), ".md", "project", GUIDE, folder)
        found.tree(join(folder, "memory"), ".md", "project", MEMORY, folder)
    if root not in (home, user, "/"):
        _kept_elsewhere(found, root, environ, home)


def _kept_elsewhere(found: Sources, root: str, environ: Mapping[str, str], home: str) -> None:
    """The memory of this project that lies outside of its tree: in our home, and Claude Code's auto memory."""
    if isdir(join(home, "projects")):
        folder = join(home, "projects", project_key(root))
        found.file(join(folder, "MEMORY.md"), "project", MEMORY, folder)
        found.roots.append(folder)
    user = environ.get("HOME") or os.path.expanduser("~")
    projects = join(environ.get("CLAUDE_CONFIG_DIR") or join(user, ".claude"), "projects")
    if isdir(projects):
        common = _common_dir(root)
        main = dirname(common) if basename(common) == ".git" else root
        slug = "".join(char if char.isascii() and char.isalnum() else "-" for char in main)
        folder = join(projects, slug, "memory")
        found.tree(folder, ".md", "project", MEMORY, folder)
        found.roots.append(folder)


def _common_dir(root: str) -> str:
    """The git directory that all worktrees of `root` share; `root` when it is no repository."""
    git = join(root, ".git")
    if isdir(git):
        return realpath(git)
    own = _first_line(git)
    if not own.startswith("gitdir: "):
        return realpath(root)
    own = join(root, own[8:])
    common = _first_line(join(own, "commondir"))
    return realpath(join(own, common)) if common else realpath(own)


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline(4096).strip()
    except OSError:
        return ""


def _upwards(folder: str) -> Iterator[str]:
    while True:
        yield folder
        above = dirname(folder)
        if above == folder:
            return
        folder = above


def _levels(cwd: str, root: str, never: set[str]) -> Iterator[str]:
    """The folders from `cwd` up to `root`; without a repository, up to the first that others can write to.

    A CLAUDE.md that somebody else can plant in /tmp must not speak for the user.
    """
    inside = os.path.lexists(join(root, ".git"))
    for folder in _upwards(cwd):
        if folder != cwd and (folder in never or not (inside or _private(folder))):
            return
        yield folder
        if inside and folder == root:
            return


def _private(folder: str) -> bool:
    try:
        status = os.stat(folder)
    except OSError:
        return False
    return status.st_uid == os.getuid() and not status.st_mode & 0o002 if hasattr(os, "getuid") else True


def _walk(
    top: str, ending: str, problems: list[str], seen: set[tuple[int, int]], depth: int
) -> Iterator[tuple[str, bool]]:
    """(path, is a link) of the files below `top`, by name; each folder once, however links lead to it."""
    try:
        status = os.stat(top)
        with os.scandir(top) as listing:
            entries = sorted(listing, key=_name)
    except (FileNotFoundError, NotADirectoryError):
        if os.path.islink(top):
            problems.append(f"{show(top)}: a link to nowhere")
        return
    except OSError as error:
        problems.append(f"{show(top)}: {reason(error)}")
        return
    place = (status.st_dev, status.st_ino)
    if place in seen or not depth:
        return
    seen.add(place)
    for entry in entries:
        if entry.name.startswith("."):
            continue
        try:
            folder, file = entry.is_dir(), entry.is_file()
        except OSError as error:
            problems.append(f"{show(entry.path)}: {reason(error)}")
            continue
        if folder and not entry.name.endswith(ending):
            yield from _walk(entry.path, ending, problems, seen, depth - 1)
        elif file and entry.name.endswith(ending):
            yield entry.path, entry.is_symlink()
        elif entry.name.endswith(ending):
            problems.append(
                f"{show(entry.path)}: {'not a regular file' if os.path.exists(entry.path) else 'a link to nowhere'}"
            )


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name

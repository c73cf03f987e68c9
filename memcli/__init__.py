"""memcli: memory for people and their coding agents, kept in Markdown you can read."""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:  # a search starts here, and has no time for imports that it does not need
    from memcli.api import open_memory

__all__ = ["__version__", "open_memory"]


def __getattr__(name: str) -> object:
    if name == "open_memory":
        from memcli.api import open_memory

        return open_memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

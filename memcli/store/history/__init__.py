"""What every write leaves behind: images of before and after, a journal, and the way back.

A home's history is `state/objects/ab/cdef…` (each content that a file had or got, zlib, named by its SHA-256),
`state/journal.jsonl` (see `journal`) and `state/write.lock`, which one writer holds at a time.
"""

from memcli.store.history.bounds import trim
from memcli.store.history.check import verify
from memcli.store.history.data import Change, Line, Operation, Step
from memcli.store.history.lines import lines_merge
from memcli.store.history.notice import notice
from memcli.store.history.read import image, operations
from memcli.store.history.recover import recover
from memcli.store.history.undo import undo
from memcli.store.history.write import apply

__all__ = [
    "Change",
    "Line",
    "Operation",
    "Step",
    "apply",
    "image",
    "lines_merge",
    "notice",
    "operations",
    "recover",
    "trim",
    "undo",
    "verify",
]

"""The five writers, fresh ids, and names of topic files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memcli.errors import Usage
from memcli.store.draft import Draft
from memcli.store.fresh import fresh_id
from memcli.store.writers import feedback, lesson, project_update, reference, user_profile


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        (user_profile("Editor", "Helix"), Draft("**Editor**: Helix", type="user")),
        (user_profile("编辑器：", "Helix"), Draft("**编辑器**：Helix", type="user")),
        (user_profile("", " likes tea "), Draft("likes tea", type="user")),
        (feedback("Squash merges", True, "keeps main linear"),
         Draft("**Approved**: Squash merges. Why: keeps main linear", type="feedback")),
        (feedback("Long replies!", False), Draft("**Rejected**: Long replies!", type="feedback")),
        (feedback("长回复", False, "浪费时间"), Draft("**否定**：长回复。原因：浪费时间", type="feedback")),
        (reference("API docs", "https://x.example", ["api"]),
         Draft("**API docs**: https://x.example", type="reference", tags=("api",))),
        (lesson("Pin it", 0.7), Draft("Pin it", type="lesson", conf=0.7)),
    ],
)  # fmt: skip
def test_each_writer_gives_an_entry_of_its_type(draft: Draft, expected: Draft) -> None:
    assert draft == expected


def test_a_project_update_is_one_entry_a_key() -> None:
    drafts = project_update({"Status": "beta", "Port": "8080"})
    assert [(draft.text, draft.type) for draft in drafts] == [
        ("**Status**: beta", "project"),
        ("**Port**: 8080", "project"),
    ]


@pytest.mark.parametrize(
    "write", [lambda: user_profile("k", " "), lambda: feedback("", True), lambda: reference("", "\n")]
)
def test_nothing_to_keep_is_refused(write: Callable[[], Draft]) -> None:
    with pytest.raises(Usage):
        write()


def test_an_id_is_six_characters_that_nobody_has() -> None:
    draws = iter([b"\xd6\xb5\xad\x6b\x5a", b"\0\0\0\0\0", b"\0\0\0\0\1", b"\xff\0\0\0\0"])
    assert fresh_id({"aaaaaa"}, lambda _: next(draws)) == "74aaaa"

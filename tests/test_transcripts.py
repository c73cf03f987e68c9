"""Every session in tests/transcripts/*.txt gives what the file says.

`MEM_UPDATE=1 pytest tests/test_transcripts.py` rewrites them; read the diff before you commit it. A file that begins
with `# home: sample` runs in a copy of sample_memory; lines before the first `$` may only be comments.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import TESTS, UPDATE
from replay import replay


@pytest.mark.parametrize("path", sorted((TESTS / "transcripts").glob("*.txt")), ids=lambda path: path.stem)
def test_session_gives_what_the_transcript_says(path: Path, tmp_path: Path) -> None:
    wanted = path.read_text(encoding="utf-8")
    got = replay(wanted, tmp_path)
    if UPDATE:
        path.write_text(got, encoding="utf-8")
    else:
        assert got == wanted

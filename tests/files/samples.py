"""Documents that trip parsers, by the id of the pattern or the case they stand for."""

from __future__ import annotations

SAMPLES: dict[str, str] = {
    "01-plain": "- use pnpm\n- port is 8080",
    "02-skipped-level": "## Rules\n#### Deep\n- a\n## Next\n- b\n",
    "03-equal-headings": "## Notes\n- a\n\n## Notes\n- b\n",
    "04-daily": "# 2026-02-03 (Tue)\n\n## 14:30 - fix\n- did x\n\n## 下午\n- next\n\n### ~14:30 CET deploy\n- z\n",
    "05-key-value": "- **Port**: 8080\n- **Port:** 8080\n- Port：8080\n- Port: 8080\n",
    "06-first-word": "- `make x` builds\n- ✅ done\n- [Title](topic.md) - hook\n- **bold** move\n",
    "07-checkbox": "- [ ] a\n- [x] b\n- [X] c\n- [y] d\n- [x](u.md) e\n",
    "08-lazy": "- first line\n  second line\nlazy third\n",
    "09-second-paragraph": "- head\n\n  more of the same item\n- next\n",
    "10-nested": "- a\n\t* b\n\t\t+ c\n1. d\n   - e\n",
    "11-ordered": "3. c\n4. d\n\n1) x\n",
    "12-fences": "- item\n\n  ```\n  - in\n  ```\n\n"
    "~~~~\n- no entry\n# no heading\n~~~\n---\n~~~~\n\n````\n```\n- x\n````\n- y\n",
    "13-unclosed": "- a\n\n```sh\n- still code\n",
    "14-indented": "para\n\n    code line\n    - no item\n\n- a\n    - nested\n",
    "15-table": "leading\n| 键 | v |\n|---|---|\n| a\\|b | 1 |\n| 值 | `x` |\n\n- a\n",
    "16-quote": "> - quoted rule\n> - second\n\n- a\n",
    "17-comments": "<!-- - one -->\n- a\n<!--\n- two\n\n# no\n-->\n<!-- mem:start -->\n- auto\n<!-- mem:end -->\n- b\n",
    "18-rules": "---\n\nJust text\n\n---\n\nmore\n\nTitle here\n---\n- a\n",
    "19-front": "---\nzeta: 1\n# note\nempty:\nno: x\nversion: 1.10\ntime: 12:30\nnote: |\n  a\n  ---\n  b\n---\n- a\n",
    "20-setext": "Title\n=====\n- a\n\nSub\n---\n- b\n",
    "21-imports": "@docs/a.md\n\n"
    "See @README and @x/y.md:\n\nme@x.io `@scope/pkg`\n\n```py\n@decorator\n```\n\n@~/.p/x.md\n",
    "22-wikilinks": "- [[topic]] - one line\n- [Topic](topic.md) — one line\n",
    "23-cjk": "# 部署\n- 部署前先跑make test再合并\n",
    "24-unicode": "- שלום עולם\n- 👩‍👩‍👧 family\n- ❤️ heart\n- cafe\u0301\n- no\u00a0break\n",
    "25-ends": "- a  \n- b\r\n- c\f\n- d\0e\n\n\n   \n",
    "26-long": "- " + "word " * 500 + "\n" + "## H\n- x\n" * 430,
    "27-twice": "- same bullet\n- other\n- same bullet\n",
    "28-paragraph": "## Deploy\nWe ship on Tuesdays. Never on Fridays.\n",
    "29-xml": "<rules>\n- a\n</rules>\n\n<notes>\nNever push.\n</notes>\n",
    "30-conflict": "- a\n<<<<<<< HEAD\n- b\n||||||| base\n- o\n=======\n- c\n>>>>>>> topic\n- d\n",
    "30-empty": "",
    "markdown-02": "~~~\n- in\n```\n- in\n~~~\n\n## C#\n- a\n\n## Closed ##\n- b\n",
    "markdown-04": "- step\n\n  ```bash\n  # c\n  ```\n- next\n",
    "frontmatter-02": "---\ndescription: fix: the thing\n---\n- a\n",
    "frontmatter-08": "---\n\nJust text\n",
}

HOSTILE: dict[str, bytes] = {
    "nul": b"- a\0b\n\0\0\0\n- c\n",
    "latin-1": b"- caf\xe9\n## \xff\n- b\n",
    "bom": b"\xef\xbb\xbf- a\n",
    "bom-crlf-front": b"\xef\xbb\xbf---\r\nname: n\r\n---\r\n- a\r\n",
    "open-front": b"---\nname: [\n---\n",
    "deep-front": b"---\nname: " + b"[" * 5_000 + b"\n---\n- a\n",
    "deep-quote": b">" * 2_000 + b" a\n",
    "deep-list": b"- " * 2_000 + b"a\n",
    "blanks": b" " * 60_000 + b"x" + b" " * 60_000 + b"#\n",
    "dashes": b"- " * 30_000 + b"x\n",
    "ticks": b"- " + b"".join(b"`" * n + b" " for n in range(1, 300)) + b"\n",
    "comments": b"- " + b"<!--" * 20_000 + b"\n",
    "bare-cr": b"- a\r- b\r",
    "marks": b"=======\n>>>>>>>\n<<<<<<<\n",
}

ALL: dict[str, bytes] = {**{key: text.encode() for key, text in SAMPLES.items()}, **HOSTILE}

"""What secrets look like, as data: shapes with a fixed beginning, from the issuers' documentation.

detect-secrets knows more issuers; here is what it lacks, what it takes too narrowly, and what must be found without
loading it. Every repetition has a bound or a single class, so that no text takes long.
"""

from __future__ import annotations

import re

_START = r"(?<![A-Za-z0-9])"

# Name -> expression; the group, when there is one, is the secret.
SHAPES = {
    "github token": _START + r"(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{30,255})",
    "gitlab token": _START + r"gl(?:pat|dt|ft|rt|soat|ptt|oas|agent|imt|cbt)-[A-Za-z0-9_-]{20,255}",
    "aws key": _START + r"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    "slack token": _START + r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,255}|" + _START + r"xapp-\d-[A-Za-z0-9-]{10,255}",
    "slack webhook": r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9_/+-]{20,255}",
    "anthropic key": _START + r"sk-ant-[A-Za-z0-9_-]{16,255}",
    "openai key": _START + r"sk-(?:proj-|svcacct-|admin-|None-)?(?=[A-Za-z_-]{0,255}\d)[A-Za-z0-9_-]{20,255}",
    "stripe key": _START + r"(?:[sr]k|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,255}",
    "google key": _START + r"AIza[A-Za-z0-9_-]{35}|" + _START + r"ya29\.[A-Za-z0-9_-]{20,255}|"
    + _START + r"GOCSPX-[A-Za-z0-9_-]{20,60}",
    "huggingface token": _START + r"hf_[A-Za-z0-9]{30,60}",
    "npm token": _START + r"npm_[A-Za-z0-9]{30,60}",
    "pypi token": _START + r"pypi-AgE[A-Za-z0-9_-]{40,255}",
    "age key": r"AGE-SECRET-KEY-1[A-Z0-9]{50,70}",
    "jwt": _START + r"eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{4,4096}(?:\.[A-Za-z0-9_-]{0,1024})?",
    "bearer token": r"(?i:\bBearer\s{1,3})((?=[A-Za-z._~+/-]{0,255}\d)[A-Za-z0-9._~+/-]{20,1024}={0,2})",
    "password in a url": r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/@:\"'<>]{0,100}:"
    r"(?!(?:password|passwd|pass|pwd|secret|x+|\*+|\.+)@)([^\s/@\"'<>{}$*]{1,200})@(?=[A-Za-z0-9\[])",
}  # fmt: skip

PEM = re.compile(r"-----(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")

_LINK = (
    r"(?:\s?\([^)\n]{1,40}\))?(?:\s+(?:for|of|to|in|on)\s+[\w./-]{1,40}(?:\s+[\w./-]{1,40})?)?"
    r"[\"'`]?\s{0,3}(?:(?:is|was|are)\b(?:\s+now\b)?\s{0,2}:?|:=|=>|[=:：]|是|为|為|は)\s{0,3}"
)
_VALUE = r"[\"'`「“]?([^\s\"'`<>(){}\[\],;，。；、！？「」“”\u3000]{6,512})"
# "The API key is <opaque>", `DB_PASSWORD=...`, 「密码是 ...」: the name of a secret, a link, and a word that no one would say.
TOKENS = re.compile(
    r"(?:api[ _-]?keys?|access[ _-]?keys?|secret[ _-]?(?:access[ _-]?)?keys?|private[ _-]?keys?|signing[ _-]?keys?"
    r"|encryption[ _-]?keys?|auth[ _-]?keys?|account[ _-]?keys?|secrets?|tokens?|credentials?|密钥|密鑰|令牌|钥匙|アクセスキー"
    r"|トークン|ключ|токен)"
    r"(?![a-z])" + _LINK + _VALUE,
    re.I,
)
PASSWORDS = re.compile(
    r"(?:passwords?|passwd|passphrases?|passcodes?|\bpwd|_pwd|_pass|密码|密碼|口令|パスワード|пароль)(?![a-z])"
    + _LINK
    + _VALUE,
    re.I,
)

"""Where a text holds secrets: keys, tokens, passwords. The only importer of detect-secrets.

detect-secrets takes 160 ms to load (it brings an HTTP client with it; its checks against the issuers are never called) and
its entropy and keyword plugins take every identifier for a secret, so prose never loads it: our own shapes are
looked for first, and only an opaque word that none of them explains is put before its plugins with a fixed shape.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from math import log2
from typing import Protocol

from memcli.remember.shapes import PASSWORDS, PEM, SHAPES, TOKENS

# Plugins that have a shape of their own. Left out: entropy, keyword, IP address (no secrets in notes), and those that
# our shapes cover or that take ordinary words (artifactory: "APACHEFOUNDATION").
PLUGINS = {
    "azure_storage_key": "AzureStorageKeyDetector",
    "discord": "DiscordBotTokenDetector",
    "gitlab_token": "GitLabTokenDetector",
    "ibm_cloud_iam": "IbmCloudIamDetector",
    "ibm_cos_hmac": "IbmCosHmacDetector",
    "mailchimp": "MailchimpDetector",
    "npm": "NpmDetector",
    "openai": "OpenAIDetector",
    "pypi_token": "PypiTokenDetector",
    "sendgrid": "SendGridDetector",
    "slack": "SlackDetector",
    "softlayer": "SoftlayerDetector",
    "square_oauth": "SquareOAuthDetector",
    "stripe": "StripeDetector",
    "telegram_token": "TelegramBotTokenDetector",
    "twilio": "TwilioKeyDetector",
}
WIDTH = 400  # characters around a word that a plugin sees: some of its expressions take the square of a line's length
_BODY = re.compile(r"(?:\s*[A-Za-z0-9+/=]{16,}(?=\s|\Z))*")  # of a key without an END
ENTROPY = 2.5  # bits a character; `aaaaaaa1` has 0.5, a random key of 12 characters 3.3 or more

_OPAQUE = re.compile(r"(?<![\w/+=-])[\w+=-]{20,}(?![\w+=-])", re.A)
_DIGEST = re.compile(r"(?:[0-9a-f]{20,}|[0-9A-F]{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z", re.I)
# A word with perhaps a number behind it, as in `import.meta.env.KEY`, `sk-learn2`, `max_tokens`, `/run/secrets/db`.
_PIECE = re.compile(r"[^\W\d_]?[^\W\d_A-Z]*(?:[A-Z][a-z]+)*\d{0,4}\Z|[A-Z]+\d{0,4}\Z|\d+[a-z]{0,3}\Z")
_SPLIT = re.compile(r"[._/:\\@+=-]+")
_PLACE = re.compile(r"[$%~/\\*.]|\w{1,20}://|x+\Z|redacted|example|your[_-]|\d{4}-\d\d-\d\d|v?\d+(?:\.\d+)+\Z", re.I)
_NAMED = re.compile(
    r"(?:sha-?\d+|md5|base-?\d+|utf-?\d+|oauth-?\d(?:\.\d)?|argon2\w*|[hre]s\d{3}|aes-?\d+\S*|ed25519|pbkdf2|x509|k8s|i18n"
    r"|bcrypt|scrypt|required|optional|rotated|expired|invalid|missing|secret|changed|stored|hashed|encrypted)\Z",
    re.I,
)

Span = tuple[int, int, str]


class _Plugin(Protocol):
    secret_type: str

    def analyze_string(self, string: str) -> Iterator[str]: ...


def secrets(text: str) -> list[Span]:
    """Start, stop and name of every secret, in order, none overlapping another."""
    found = [*_keys(text), *_shaped(text), *_named(text)]
    taken = _merged(found)
    return _merged([*taken, *_foreign(text, taken)])


def _keys(text: str) -> Iterator[Span]:
    """PEM blocks, from BEGIN to END; without an END to where the lines of base64 stop."""
    marks = list(PEM.finditer(text))
    for mark, after in zip(marks, [*marks, None][1:], strict=True):
        if mark[1] == "BEGIN":
            closed = after is not None and after[1] == "END"
            body = _BODY.match(text, mark.end())
            yield mark.start(), after.end() if after and closed else body.end() if body else mark.end(), "private key"


def _shaped(text: str) -> Iterator[Span]:
    for name, shape in _shapes():
        for found in shape.finditer(text):
            yield *found.span(found.lastindex or 0), name


@cache
def _shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(shape)) for name, shape in SHAPES.items())


def _named(text: str) -> Iterator[Span]:
    """What stands behind the name of a secret, when it is no word."""
    for found in TOKENS.finditer(text):
        value = _value(text, found)
        if _opaque(value):
            yield found.start(1), found.start(1) + len(value), "key or token"
    for found in PASSWORDS.finditer(text):
        value = _value(text, found)
        if _guarded(value, text[found.end(1) :][:1]) or _opaque(value):
            yield found.start(1), found.start(1) + len(value), "password"


def _value(text: str, found: re.Match[str]) -> str:
    """The value without the sentence's own mark, and without the next parameter of a URL."""
    value = found[1].rstrip(".!?:*_")
    return value.partition("&")[0] if text[: found.start()][-1:] in ("?", "&") else value


def _opaque(value: str) -> bool:
    """Whether no person would say it: letters and digits mixed, or humps that are no words. A digest is opaque here."""
    if len(value) < 8 or _PLACE.match(value) or _NAMED.match(value) or not value.isascii() or _bits(value) < ENTROPY:
        return False
    if _DIGEST.match(value):
        return True
    pieces = [piece for piece in _SPLIT.split(value) if piece]
    return any(not _PIECE.match(piece) for piece in pieces) and any(map(str.isalnum, value))


def _guarded(value: str, after: str) -> bool:
    """Whether it is a password a person would choose: one piece with a digit or a sign in it (`hunter2`)."""
    if (
        len(value) < 6
        or not value.isascii()
        or _PLACE.match(value)
        or _NAMED.match(value)
        or re.search(r"[./:]", value)
    ):
        return False
    return any(char.isdigit() or char in "!#%^&@$*?~+" for char in value) and len(set(value)) > 2


def _bits(value: str) -> float:
    """Shannon's entropy a character."""
    counts = [value.count(char) / len(value) for char in set(value)]
    return -sum(share * log2(share) for share in counts)


def _foreign(text: str, taken: list[Span]) -> Iterator[Span]:
    """What the plugins find around opaque words that are not explained yet."""
    covered = bytearray(len(text))
    for start, stop, _ in taken:
        covered[start:stop] = b"\1" * (stop - start)
    for found in _OPAQUE.finditer(text):
        word = found[0][:WIDTH]
        mixed = any(map(str.isdigit, word)) and any(map(str.isalpha, word))
        if mixed and not covered[found.start()] and not _DIGEST.match(word):
            low = max(text.rfind("\n", 0, found.start()) + 1, found.start() - WIDTH // 4)
            yield from _asked(text[low : found.start() + WIDTH], low)


def _asked(piece: str, offset: int) -> Iterator[Span]:
    for plugin in _plugins():
        for value in set(plugin.analyze_string(piece)):
            at = piece.find(value) if value else -1
            while at >= 0:
                yield offset + at, offset + at + len(value), plugin.secret_type.lower()
                at = piece.find(value, at + len(value))


@cache
def _plugins() -> tuple[_Plugin, ...]:
    return tuple(getattr(import_module(f"detect_secrets.plugins.{name}"), kind)() for name, kind in PLUGINS.items())


def _merged(spans: list[Span]) -> list[Span]:
    """In order; of those that overlap one, with the name of the first and the extent of both."""
    merged: list[Span] = []
    for start, stop, name in sorted(spans, key=lambda span: (span[0], -span[1])):
        if merged and start < merged[-1][1]:
            first, last, kept = merged[-1]
            merged[-1] = (first, max(last, stop), kept)
        else:
            merged.append((start, stop, name))
    return merged

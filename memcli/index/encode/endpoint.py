"""Vectors from an OpenAI-compatible `/v1/embeddings` endpoint: the user's own server, or a company's. Texts leave this
machine; nothing but the user's own config can choose it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from http.client import HTTPException, HTTPMessage
from typing import IO, TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import numpy as np

from memcli.errors import EncoderMissing
from memcli.index.encode import fingerprint
from memcli.index.encode.batches import unit
from memcli.index.encode.plain import plain

if TYPE_CHECKING:
    from memcli.index.encode.protocol import Rows

PATH = "/v1/embeddings"
MAX_CHARS = 4000
BATCH = 64  # texts a request; servers refuse more than some hundreds
TIMEOUT_S = 30.0


class _Stay(HTTPRedirectHandler):
    """A redirect is an error: the key would be sent on to another host."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None


class Endpoint:
    """See Encoder. The width is asked for with the first request."""

    max_tokens = 512
    english_only = False

    def __init__(self, place: str, key: str = "", timeout_s: float = TIMEOUT_S) -> None:
        """Checks the address; connects to nothing.

        Args:
            place: `URL#MODEL`; the URL with or without /v1/embeddings.
            key: sent as a bearer token, or "".

        Raises:
            EncoderMissing: no http(s) URL, or no model.
        """
        url, _, model = place.partition("#")
        if not _fits(url) or not model:
            raise EncoderMissing(f"{place!r} is not URL#MODEL", hint="openai:http://localhost:11434#nomic-embed-text")
        self.name = f"openai:{place}"
        self.identity = fingerprint.of("openai", "1", _full(url), model)
        self._url, self._model, self._key, self._timeout_s = _full(url), model, key, timeout_s
        self._opener = build_opener(_Stay)
        self._dim = 0

    @property
    def dim(self) -> int:
        """Raises EncoderMissing when the endpoint does not answer."""
        if not self._dim:
            self.query("width")
        return self._dim

    def query(self, text: str) -> list[float]:
        return [float(value) for value in self.passages([text])[0]]

    def passages(self, texts: Sequence[str]) -> Rows:
        kept = [plain(text, MAX_CHARS).strip() or "." for text in texts]  # empty input is refused by many
        rows = [row for at in range(0, len(kept), BATCH) for row in self._rows(kept[at : at + BATCH])]
        if not rows:
            return np.zeros((0, self.dim), np.float32)
        return unit(np.array(rows, np.float32))

    def _rows(self, texts: list[str]) -> list[list[float]]:
        """The vectors of one request, all of one width, in the order of `texts`."""
        answer = self._ask({"model": self._model, "input": texts, "encoding_format": "float"})
        try:
            found = sorted(answer["data"], key=lambda item: int(item["index"]))
            rows = [[float(value) for value in item["embedding"]] for item in found]
        except (KeyError, TypeError, ValueError) as error:
            raise self._broken("its answer has no vectors") from error
        if len(rows) != len(texts) or not rows[0]:
            raise self._broken(f"it gave {len(rows)} vectors for {len(texts)} texts")
        self._dim = self._dim or len(rows[0])
        if {len(row) for row in rows} != {self._dim}:
            raise self._broken(f"its vectors are {len(rows[0])} wide, before they were {self._dim}")
        return rows

    def _ask(self, body: dict[str, Any]) -> Any:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        request = Request(self._url, json.dumps(body).encode(), headers)
        try:
            with self._opener.open(request, timeout=self._timeout_s) as answer:
                return json.load(answer)
        except HTTPError as error:
            with error:
                raise self._broken(f"HTTP status {error.code}") from error
        except (OSError, HTTPException) as error:
            raise self._broken(str(getattr(error, "reason", "") or error or type(error).__name__)) from error
        except ValueError as error:
            raise self._broken("its answer is no JSON") from error

    def _broken(self, why: str) -> EncoderMissing:
        return EncoderMissing(f"{self._url} gives no vectors: {why}", hint="check the server and index.encoder")


def _fits(url: str) -> bool:
    """Whether `url` is one that can be asked."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:  # a bracket without its end, a port that is no number
        return False


def _full(url: str) -> str:
    url = url.rstrip("/")
    return url if url.endswith("/embeddings") else url.removesuffix("/v1") + PATH

"""The remote encoder, against a server on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from memcli.errors import EncoderMissing
from memcli.index import encode
from memcli.index.encode.endpoint import BATCH, Endpoint
from memcli.index.encode.hashed import Hashed
from memcli.index.encode.protocol import Encoder
from tests.index.contract import TEXTS, Contract

Reply = Callable[[dict[str, Any]], tuple[int, bytes]]


class Server(ThreadingHTTPServer):
    """Answers with `reply`, and keeps what was asked."""

    reply: Reply
    asked: list[tuple[str, str | None, dict[str, Any]]]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        status, answer = self.server.reply(body)
        self.send_response(status)
        if status == 302:
            self.send_header("Location", self.server.url + "/elsewhere")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:
        pass


def vectors(body: dict[str, Any]) -> tuple[int, bytes]:
    """As a server answers that has the hash encoder: not of unit length, and in any order."""
    rows = Hashed().passages(body["input"]) * 3
    data = [{"index": at, "embedding": row.tolist()} for at, row in enumerate(rows)]
    return 200, json.dumps({"data": data[::-1]}).encode()


def says(status: int, answer: object) -> Reply:
    return lambda body: (status, answer if isinstance(answer, bytes) else json.dumps(answer).encode())


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as server:
        server.reply, server.asked = vectors, []
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def server(running: Server) -> Server:
    running.reply, running.asked = vectors, []
    return running


class TestEndpoint(Contract):
    @pytest.fixture
    def encoder(self, server: Server) -> Encoder:
        found = encode.choose(f"openai:{server.url}#small", key="secret")
        assert found is not None
        return found


def test_it_sends_the_model_and_the_key_to_the_usual_path(server: Server) -> None:
    Endpoint(server.url + "/v1/#small", "secret").query("coffee")
    assert server.asked == [
        ("/v1/embeddings", "Bearer secret", {"model": "small", "input": ["coffee"], "encoding_format": "float"})
    ]


def test_it_sends_no_key_where_there_is_none(server: Server) -> None:
    Endpoint(server.url + "#small").query("coffee")
    assert server.asked[0][1] is None


def test_choosing_it_asks_nothing_and_its_width_asks_once(server: Server) -> None:
    encoder = Endpoint(server.url + "#small")
    assert encoder.identity and server.asked == []
    assert encoder.dim == encoder.dim == Hashed.dim
    assert len(server.asked) == 1


def test_many_texts_go_in_several_requests(server: Server) -> None:
    Endpoint(server.url + "#small").passages(TEXTS * BATCH)
    assert [len(body["input"]) for _, _, body in server.asked] == [BATCH] * len(TEXTS)


def test_empty_texts_are_not_sent_empty(server: Server) -> None:
    Endpoint(server.url + "#small").passages(["", " "])
    assert all(text.strip() for text in server.asked[0][2]["input"])


def test_another_model_is_another_space(server: Server) -> None:
    assert Endpoint(server.url + "#small").identity == Endpoint(server.url + "/v1/embeddings#small").identity
    assert Endpoint(server.url + "#small").identity != Endpoint(server.url + "#large").identity


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (says(401, {"error": "no"}), "401"),
        (says(302, b""), "302"),
        (says(200, b"<html>"), "no JSON"),
        (says(200, b"\xff"), "no JSON"),
        (says(200, []), "no vectors"),
        (says(200, {"data": [{"embedding": ["x"], "index": 0}]}), "no vectors"),
        (says(200, {"data": []}), "0 vectors for 1"),
        (says(200, {"data": [{"embedding": [], "index": 0}]}), "1 vectors for 1"),
    ],
)
def test_a_bad_answer_is_one_clear_line(server: Server, reply: Reply, why: str) -> None:
    server.reply = reply
    with pytest.raises(EncoderMissing, match=why) as caught:
        Endpoint(server.url + "#small").query("coffee")
    assert "\n" not in str(caught.value) and caught.value.hint


def test_a_redirect_is_not_followed_with_the_key(server: Server) -> None:
    server.reply = says(302, b"")
    with pytest.raises(EncoderMissing):
        Endpoint(server.url + "#small", "secret").query("coffee")
    assert [path for path, _, _ in server.asked] == ["/v1/embeddings"]


def test_a_width_that_changes_names_both(server: Server) -> None:
    """faiss-05."""
    encoder = Endpoint(server.url + "#small")
    encoder.query("coffee")
    server.reply = says(200, {"data": [{"embedding": [1.0, 0.0], "index": 0}]})
    with pytest.raises(EncoderMissing, match=r"2 wide.*512"):
        encoder.query("coffee")


def test_no_server_is_one_clear_line() -> None:
    with pytest.raises(EncoderMissing, match="gives no vectors"):
        Endpoint("http://127.0.0.1:1#small").query("coffee")


@pytest.mark.parametrize(
    "place",
    ["x", "ftp://host#m", "http://#m", "http://host", "file:///etc/passwd#m", "#m", "http://[x#m", "http://h:x#m"],
)
def test_what_is_no_address_is_refused(place: str) -> None:
    with pytest.raises(EncoderMissing, match="URL#MODEL"):
        Endpoint(place)

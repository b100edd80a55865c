"""HTTP tasks reach public servers only, keep secrets out of everything, and know what may pass."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from backedge.adapters.addresses import is_public
from backedge.adapters.automations.web import HttpWeb
from backedge.adapters.clock import SystemClock
from backedge.automations.ports import Answered, Forbidden
from backedge.automations.tasks import Common, HttpTask
from backedge.kernel.defect import Permanent, RateLimited, Transient


class _Handler(BaseHTTPRequestHandler):
    seen: ClassVar[list[tuple[str, str, dict[str, str], bytes]]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.seen.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        status = int(self.path.rsplit("/", 1)[-1])
        self.send_response(status)
        if status == 302:
            self.send_header("location", "http://127.0.0.1/")
        if status == 429:
            self.send_header("retry-after", "7")
        text = b"x" * 5_000_000 if status == 206 else b'{"id": 7}'
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[int]:
    running = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield running.server_address[1]
    running.shutdown()
    running.server_close()


def sent(url: str, **keys: Any) -> Answered | Forbidden:
    web = HttpWeb({"TOKEN": "s3cret"}, SystemClock(), resolve=lambda *_: ["127.0.0.1"], allows=lambda _: True)
    return asyncio.run(web.send(HttpTask(Common("t"), url, **keys)))


def test_a_request_is_sent_to_the_address_that_was_looked_up(server: int) -> None:
    said = sent(
        f"http://api.example.org:{server}/a/200",
        body={"q": 1},
        headers={"x-a": "b"},
        secrets={"authorization": "TOKEN"},
    )
    assert said == Answered(200, '{"id": 7}', {"value": {"id": 7}})
    _, path, headers, body = _Handler.seen[-1]
    assert (path, headers["host"], headers["x-a"], headers["authorization"]) == (
        "/a/200",
        f"api.example.org:{server}",
        "b",
        "s3cret",
    )
    assert body == b'{"q":1}'


def test_forms_and_methods_are_sent(server: int) -> None:
    sent(f"http://x.org:{server}/200", form={"a": 1}, method="GET")
    method, _, headers, body = _Handler.seen[-1]
    assert (method, headers["content-type"], body) == ("GET", "application/x-www-form-urlencoded", b"a=1")


def test_redirects_are_not_followed(server: int) -> None:
    said = sent(f"http://x.org:{server}/302")
    assert isinstance(said, Answered)
    assert said.status == 302


def test_what_may_pass_is_told_apart(server: int) -> None:
    with pytest.raises(RateLimited) as caught:
        sent(f"http://x.org:{server}/429")
    assert caught.value.retry_after == 7
    with pytest.raises(Transient, match="503"):
        sent(f"http://x.org:{server}/503")
    assert isinstance(sent(f"http://x.org:{server}/503", expected=(503,)), Answered)
    with pytest.raises(Transient, match="cannot be reached"):
        sent("http://x.org:1/200")
    with pytest.raises(Permanent, match="more than"):
        sent(f"http://x.org:{server}/206")


def test_a_secret_that_is_not_set_is_named_by_its_variable(server: int) -> None:
    with pytest.raises(Permanent, match="the variable NOPE, which is not set"):
        sent(f"http://x.org:{server}/200", secrets={"authorization": "NOPE"})


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"),
        *("224.0.0.1", "::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "2002:7f00:0001::", "ff02::1", "::"),
    ],
)
def test_private_and_local_addresses_are_never_asked(address: str) -> None:
    assert not is_public(address)
    web = HttpWeb({}, SystemClock(), resolve=lambda *_: ["93.184.216.34", address])
    assert isinstance(asyncio.run(web.send(HttpTask(Common("t"), "https://rebind.example.org/"))), Forbidden)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1"])
def test_public_addresses_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("file:///etc/passwd", "no address of the web"),
        ("https://user:pw@x.org/", "credentials"),
        ("https://other.org/", "not among `allow_hosts`"),
        ("not a url", "no address of the web"),
    ],
)
def test_other_addresses_are_refused(url: str, said: str) -> None:
    found = sent(url, allow_hosts=("x.org",))
    assert isinstance(found, Forbidden)
    assert said in found.reason

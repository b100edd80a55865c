"""A server on loopback that plays the services of the network, and fails as a test tells it to."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self
from urllib.parse import parse_qsl, urlsplit

Fault = Literal["", "hang", "cut", "drip"]


@dataclass(frozen=True)
class Step:
    """What a request is answered with. `drip` sends a byte now and then, `cut` half of the body and a reset."""

    body: bytes | str | Mapping[str, Any] = b""
    kind: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    fault: Fault = ""

    @property
    def content(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()


@dataclass(frozen=True)
class Asked:
    """A request that came."""

    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]


class _Listening(ThreadingHTTPServer):
    request_queue_size = 128  # all adapters come at once; a connection that is dropped comes again a second later
    daemon_threads = True


class Server:
    """`routes` are answers by how a path begins, the longest beginning counts; `fault` is instead of all of them."""

    def __init__(self) -> None:
        self.routes: dict[str, Step | list[Step]] = {}
        self.fault: Step | None = None
        self.asked: list[Asked] = []
        self.released = threading.Event()
        self._lock = threading.Lock()
        self._server = _Listening(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def play(self, routes: Mapping[str, Step | list[Step]], fault: Step | None = None) -> None:
        """What is answered from now on."""
        with self._lock:
            self.routes = {path: list(step) if isinstance(step, list) else step for path, step in routes.items()}
            self.fault, self.asked = fault, []

    def paths(self, under: str = "/") -> list[str]:
        """The paths that were asked for, in order."""
        return [asked.path for asked in self.asked if asked.path.startswith(under)]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()

    def step(self, target: str, headers: Mapping[str, str]) -> Step:
        parts = urlsplit(target)
        with self._lock:
            self.asked.append(Asked(parts.path, dict(parse_qsl(parts.query)), headers))
            if self.fault is not None:
                return self.fault
            found = max((path for path in self.routes if target.startswith(path)), key=len, default="")
            step = self.routes.get(found, Step({"message": "not here"}, status=404))
            if isinstance(step, list):
                return step.pop(0) if len(step) > 1 else step[0]
            return step

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            disable_nagle_algorithm = True

            def log_message(self, format: str, *args: Any) -> None:
                pass

            def do_GET(self) -> None:
                step = server.step(self.path, {name.lower(): value for name, value in self.headers.items()})
                with suppress(OSError):  # the client went away, as some tests make it
                    answer(self, step, server.released)

        return Handler


def answer(handler: BaseHTTPRequestHandler, step: Step, released: threading.Event) -> None:
    """Write what a step says."""
    if step.fault == "hang":
        released.wait(20)
        return
    content = step.content
    handler.send_response(step.status)
    for name, value in {"content-type": step.kind, "content-length": str(len(content)), **step.headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    if step.fault == "drip":
        for at in range(len(content)):
            handler.wfile.write(content[at : at + 1])
            if released.wait(0.05):
                return
    elif step.fault == "cut":
        handler.wfile.write(content[: len(content) // 2])
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        handler.connection.close()
    else:
        handler.wfile.write(content)

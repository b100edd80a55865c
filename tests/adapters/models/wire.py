"""A server on loopback that speaks the wire formats of Anthropic and OpenAI, and fails as a test tells it to.

`Wire` serves one scripted `Step` per request, in order (the last one again for any further). `anthropic`, `chat` and
`responses` write what a model says in each format, as JSON or as a stream of events, whichever the client asked for.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self

Fault = Literal["", "hang", "hang_mid", "cut", "cut_mid", "error_mid", "garbage", "empty_body"]
Finish = Literal["stop", "length", "refusal"]


@dataclass(frozen=True)
class Step:
    """What one request is answered with: a `status` with a body and headers, or a reply, or a fault of the wire.

    `text` is what the model writes; `call` a tool it calls (name, arguments as JSON text) instead.
    """

    text: str = ""
    call: tuple[str, str] | None = None
    finish: Finish = "stop"
    status: int = 200
    error: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    fault: Fault = ""
    tokens: tuple[int, int] = (100, 20)
    cached: int = 0


Body = dict[str, Any]


class Wire:
    """The server. `requests` are the bodies that it got, `keys` the credentials that came with them."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps = list(steps)
        self.requests: list[Body] = []
        self.paths: list[str] = []
        self.keys: list[str] = []
        self.released = threading.Event()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()

    def next_step(self, path: str, key: str, body: Body) -> Step:
        with self._lock:
            self.requests.append(body)
            self.paths.append(path)
            self.keys.append(key)
            return self.steps[min(len(self.requests), len(self.steps)) - 1]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        wire = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                key = self.headers.get("x-api-key") or self.headers.get("Authorization") or ""
                with suppress(ConnectionError):  # the client went away, as some tests make it
                    answer(self, wire.next_step(self.path, key, body), body, wire.released)

        return Handler


def answer(handler: BaseHTTPRequestHandler, step: Step, body: Body, released: threading.Event) -> None:
    """Write what a step says."""
    handler.close_connection = True
    if step.fault == "hang":
        released.wait(20)
        return
    if step.fault == "cut":
        return
    if step.status != 200:
        send(handler, step.status, json.dumps(step.error).encode(), "application/json", step.headers)
        return
    if step.fault in ("garbage", "empty_body"):
        text = b"" if step.fault == "empty_body" else b"<html>bad gateway</html>"
        send(handler, 200, text, "text/html", {})
        return
    events = spoken(handler.path, step, body)
    if body.get("stream") or step.fault in ("hang_mid", "cut_mid"):
        stream(handler, events, step, released)
    else:
        send(handler, 200, json.dumps(whole(handler.path, step, body)).encode(), "application/json", {})


def send(handler: BaseHTTPRequestHandler, status: int, text: bytes, kind: str, headers: Mapping[str, str]) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(text)))
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(text)


def stream(
    handler: BaseHTTPRequestHandler, events: Iterable[tuple[str, Body]], step: Step, released: threading.Event
) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    for number, (name, event) in enumerate(events):
        if number == 3 and step.fault == "hang_mid":
            released.wait(20)
            return
        if number == 3 and step.fault == "error_mid":
            name, event = "error", {"type": "error", "error": dict(step.error)}
        if number == 3 and step.fault == "cut_mid":
            handler.wfile.flush()
            return
        text = f"event: {name}\ndata: {json.dumps(event)}\n\n".encode()
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))
        handler.wfile.flush()
        time.sleep(0)
    handler.wfile.write(b"0\r\n\r\n")


def whole(path: str, step: Step, body: Body) -> Body:
    """A reply in one piece."""
    if "messages" in path.rsplit("/", 1)[-1]:
        return anthropic_message(step, body)
    return chat_completion(step, body) if path.endswith("/chat/completions") else response(step, body)


def spoken(path: str, step: Step, body: Body) -> Iterator[tuple[str, Body]]:
    """A reply as events. OpenAI's older API is never asked to stream here."""
    if "messages" in path.rsplit("/", 1)[-1]:
        return anthropic_events(step, body)
    return iter([("message", chat_completion(step, body))] * 4)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {}


def anthropic_message(step: Step, body: Body, *, empty: bool = False) -> Body:
    content: list[Body] = []
    if step.call:
        content = [{"type": "tool_use", "id": "toolu_1", "name": step.call[0], "input": _json(step.call[1])}]
    elif step.text:
        content = [{"type": "text", "text": step.text}]
    stop = {"length": "max_tokens", "refusal": "refusal", "stop": "tool_use" if step.call else "end_turn"}[step.finish]
    given, written = step.tokens
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [] if empty else content,
        "stop_reason": None if empty else stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": given,
            "output_tokens": 1 if empty else written,
            "cache_read_input_tokens": step.cached,
            "cache_creation_input_tokens": 0,
        },
    }


def anthropic_events(step: Step, body: Body) -> Iterator[tuple[str, Body]]:
    def event(kind: str, **facts: Any) -> tuple[str, Body]:
        return kind, {"type": kind, **facts}

    final = anthropic_message(step, body)
    yield event("message_start", message=anthropic_message(step, body, empty=True))
    if step.call:
        block = {"type": "tool_use", "id": f"toolu_{id(step)}", "name": step.call[0], "input": {}}
        pieces = [{"type": "input_json_delta", "partial_json": part} for part in _halves(step.call[1])]
    else:
        block = {"type": "text", "text": ""}
        pieces = [{"type": "text_delta", "text": part} for part in _halves(step.text)]
    if step.call or step.text:
        yield event("content_block_start", index=0, content_block=block)
        for piece in pieces:
            yield event("content_block_delta", index=0, delta=piece)
        yield event("content_block_stop", index=0)
    usage = {"output_tokens": step.tokens[1]}
    yield event("message_delta", delta={"stop_reason": final["stop_reason"], "stop_sequence": None}, usage=usage)
    yield event("message_stop")


def _halves(text: str) -> list[str]:
    middle = len(text) // 2
    return [text[:middle], text[middle:]]


def chat_completion(step: Step, body: Body) -> Body:
    message: Body = {"role": "assistant", "content": step.text or None}
    if step.finish == "refusal":
        message = {"role": "assistant", "content": None, "refusal": step.text}
    if step.call:
        function = {"name": step.call[0], "arguments": step.call[1]}
        message["tool_calls"] = [{"id": f"call_{id(step)}", "type": "function", "function": function}]
    finish = {"length": "length", "refusal": "stop", "stop": "tool_calls" if step.call else "stop"}[step.finish]
    given, written = step.tokens
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {
            "prompt_tokens": given,
            "completion_tokens": written,
            "total_tokens": given + written,
            "prompt_tokens_details": {"cached_tokens": step.cached},
        },
    }


def response(step: Step, body: Body) -> Body:
    refusal = {"type": "refusal", "refusal": step.text}
    text = {"type": "output_text", "text": step.text, "annotations": []}
    part = refusal if step.finish == "refusal" else text
    output: list[Body] = [
        {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [part]}
    ]
    if step.call:
        name, arguments = step.call
        call = {"type": "function_call", "id": "f1", "call_id": f"c_{id(step)}", "name": name, "arguments": arguments}
        output = [{**call, "status": "completed"}]
    elif not step.text:
        output = []
    cut = step.finish == "length"
    given, written = step.tokens
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": body["model"],
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "error": None,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": given,
            "input_tokens_details": {"cached_tokens": step.cached},
            "output_tokens": written,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": given + written,
        },
    }

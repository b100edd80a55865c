"""The child's side of a connector: requests come framed over stdin, and its end ends the process, even in a query."""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from typing import BinaryIO

from backedge.adapters.connectors.frames import Header, read_frame, write_frame

Answer = tuple[Header, bytes]


def answers_only() -> BinaryIO:
    """The stream for answers; whatever else the process prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def requests() -> Iterator[Header]:
    """Every request in its order."""
    waiting: queue.SimpleQueue[Header] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(waiting,), daemon=True).start()
    while True:
        yield waiting.get()


def _listen(waiting: queue.SimpleQueue[Header]) -> None:
    while (frame := read_frame(sys.stdin.buffer.read)) is not None:
        waiting.put(frame[0])
    os._exit(0)


def serve(open_: Callable[[Header], Answer], answer: Callable[[Header], Answer]) -> None:
    """Answer the first request with `open_`, all others with `answer`. An opening that fails ends the process."""
    out, asked = answers_only(), requests()
    header, body = open_(next(asked))
    write_frame(out, header, body)
    if "error" in header:
        return
    for request in asked:
        write_frame(out, *answer(request))

"""The child process that reads contents of strangers: memory and processor time are limited, a crash is its own."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, BinaryIO

from backedge.adapters.reading.frames import Header, read_frame, write_frame
from backedge.adapters.reading.sniffing import Format, sniffed
from backedge.evidence.reading import Reading, Unparsed
from backedge.evidence.sources import Metadata

_MODULES: dict[Format, str] = {
    "pdf": "backedge.adapters.reading.pdf",
    "jats": "backedge.adapters.reading.jats",
    "medline": "backedge.adapters.reading.medline",
    "html": "backedge.adapters.reading.html",
    "text": "backedge.adapters.reading.text",
    "rows": "backedge.adapters.reading.rows",
}
_NO_MEMORY = re.compile("unknown error|[Mm]emory allocation|out of memory")  # what lxml says where it gets none
_BATCH = 500  # records in one frame
_WRITTEN = 1 << 20  # bytes: no file that it writes, which is its stderr, grows larger
_SPENT = 4  # the share of its memory from which on a child is replaced: 1/4


def read(content: bytes, media_type: str, name: str) -> Reading | Unparsed:
    """Read a content by the reader of its format."""
    found = sniffed(content, media_type, name)
    if isinstance(found, Unparsed):
        return found
    done: Reading | Unparsed = _reader(found.format).read(found.content, name)
    if isinstance(done, Unparsed) and done.why == "corrupt" and _NO_MEMORY.search(done.message):
        raise MemoryError
    return done


def describe(content: bytes, media_type: str, name: str) -> Metadata:
    """What a content says of itself; of a PDF only the first page is read."""
    found = sniffed(content, media_type, name)
    if isinstance(found, Unparsed) or found.format == "rows":
        return Metadata()
    reader = _reader(found.format)
    described: Metadata = (
        reader.describe(found.content, name) if found.format == "pdf" else reader.read(found.content, name).metadata
    )
    return described


def serve(answers: BinaryIO, ask: Callable[[int], bytes]) -> None:
    """Answer requests until their stream ends. The first sets the limits."""
    while (frame := read_frame(ask)) is not None:
        request: dict[str, Any] = json.loads(frame[0])
        if request["op"] == "limits":
            memory = int(request["memory"])
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_FSIZE, (_WRITTEN, _WRITTEN))
            continue
        signal.setitimer(signal.ITIMER_PROF, float(request["seconds"]))  # ends the process, in whatever library it is
        for header, body in _answered(request, frame[1]):
            write_frame(answers, {**header, "spent": _is_spent()}, body)
        signal.setitimer(signal.ITIMER_PROF, 0)


def _answered(request: dict[str, Any], content: bytes) -> Iterator[tuple[Header, bytes]]:
    try:
        match request["op"]:
            case "describe":
                yield {"metadata": describe(content, request["media_type"], request["name"])}, b""
            case "records":
                yield from _records(content)
            case _:
                done = read(content, request["media_type"], request["name"])
                yield {"unparsed" if isinstance(done, Unparsed) else "reading": done}, b""
    except (MemoryError, RecursionError) as error:
        yield {"exhausted": "memory" if isinstance(error, MemoryError) else "depth"}, b""


def _records(content: bytes) -> Iterator[tuple[Header, bytes]]:
    """The records of a PubMed set in batches; the last frame says whether the set was read to its end."""
    medline = _reader("medline")
    keys: list[str] = []
    bodies: list[bytes] = []
    problem = ""
    try:
        for key, body in medline.records(content):
            keys.append(key)
            bodies.append(body)
            if len(bodies) == _BATCH:
                yield _batch(keys, bodies)
                keys, bodies = [], []
    except medline.Damaged as error:
        problem = str(error)
    yield _batch(keys, bodies)
    yield {"done": True, "problem": problem}, b""


def _batch(keys: list[str], bodies: list[bytes]) -> tuple[Header, bytes]:
    return {"keys": keys, "sizes": [len(body) for body in bodies]}, b"".join(bodies)


def _reader(format_: Format) -> Any:
    return import_module(_MODULES[format_])


def _is_spent() -> bool:
    """Whether it still holds much memory. `ru_maxrss` would not tell: a process begins with that of its parent."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    with open("/proc/self/statm", encoding="ascii") as told:
        used = int(told.read().split()[1]) * resource.getpagesize()
    return limit != resource.RLIM_INFINITY and used > limit // _SPENT


def main() -> None:
    """Serve on stdin and stdout; whatever else is printed goes to stderr."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(answers, sys.stdin.buffer.read)


if __name__ == "__main__":
    main()

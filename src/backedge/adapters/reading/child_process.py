"""The parent's side of the reading child: one request at a time, a deadline for it, and how the child ended."""

from __future__ import annotations

import math
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from backedge.adapters.reading.frames import Header, frame_start, read_frame

Content = bytes | memoryview

_KEPT = 4000  # bytes of its stderr


class TooLate(Exception):
    """The deadline passed; the child was killed."""


class Ended(Exception):
    """The child ended without an answer. `code` is its exit code, negative where a signal ended it; the message is the
    end of its stderr.
    """

    def __init__(self, code: int, said: str) -> None:
        super().__init__(said)
        self.code = code

    @property
    def signal(self) -> str:
        """The signal's name; empty where it ended by itself."""
        return signal.Signals(-self.code).name if self.code < 0 else ""


class ChildProcess:
    """One child. Not for two threads at once, except that any thread may `kill` it. `asked` counts its requests."""

    def __init__(self, memory: int) -> None:
        self.asked = 0
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        # -P: a file of the user's project must not stand in for one of our imports
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "backedge.adapters.reading.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            bufsize=0,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        self._limits = frame_start({"op": "limits", "memory": memory})

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def ask(self, request: Header, content: Content, seconds: float) -> Iterator[tuple[bytes, bytes]]:
        """The frames of an answer, JSON and body; whoever asks knows which is the last.

        Raises `TooLate` when `seconds` have passed since the request, or `Ended`; the child is gone then.
        """
        until = time.monotonic() + seconds
        head = frame_start(request, len(content))
        first = self._limits if not self.asked else b""
        self.asked += 1
        try:
            for part in (first, head, memoryview(content)):
                self._write(memoryview(part), until)
            while (frame := read_frame(lambda size: self._read(size, until))) is not None:
                yield frame
        except TooLate:
            self.kill()
            raise
        except (BrokenPipeError, ValueError):  # ValueError: closed by a kill from another thread
            pass
        raise self._ended()

    def kill(self) -> None:
        """End the child now; twice does no harm."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def close(self) -> None:
        """Kill the child and let go of everything."""
        self.kill()
        self._stderr.close()

    def _write(self, data: memoryview, until: float) -> None:
        while data:
            self._wait(self._in, select.POLLOUT, until)
            assert self._process.stdin
            data = data[self._process.stdin.write(data[: 1 << 20]) or 0 :]

    def _read(self, size: int, until: float) -> bytes:
        read = bytearray()
        while len(read) < size:
            self._wait(self._out, select.POLLIN, until)
            assert self._process.stdout
            chunk = self._process.stdout.read(min(size - len(read), 1 << 20))
            if not chunk:
                break
            read += chunk
        return bytes(read)

    @staticmethod
    def _wait(descriptor: int, event: int, until: float) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        left = until - time.monotonic()
        if left <= 0 or not poll.poll(math.ceil(left * 1000)):
            raise TooLate

    def _ended(self) -> Ended:
        try:
            code = self._process.wait(5)  # its pipe may close a moment before it ends
        except subprocess.TimeoutExpired:
            code = 0
        self.kill()
        self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, self._stderr.tell() - _KEPT))
        return Ended(code, self._stderr.read().decode(errors="replace").strip())

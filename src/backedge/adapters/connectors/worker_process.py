"""A child process that answers one framed request at a time, and is killed when it does not answer in time."""

from __future__ import annotations

import math
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from types import MappingProxyType

from backedge.adapters.connectors.frames import Header, encode_frame, read_frame

_STDERR_KEPT = 2000
_NOTHING: Mapping[str, str] = MappingProxyType({})


class TooLate(Exception):
    """The deadline passed; the process was killed."""


class Ended(Exception):
    """The process ended without an answer; the message holds its exit code and the end of its stderr."""


class WorkerProcess:
    """One `python -m MODULE` child. Not for two threads at once, except that any thread may `kill` it."""

    def __init__(self, module: str, environment: Mapping[str, str] = _NOTHING) -> None:
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        # -P: a file of the user's project must not stand in for one of our imports
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            bufsize=0,
            env={**os.environ, **environment},
        )

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def ask(self, request: Header, seconds: float) -> tuple[Header, bytes]:
        """The answer to a request. Raises `TooLate` after `seconds`, or `Ended`; the process is gone then."""
        until = time.monotonic() + seconds
        try:
            self._write(encode_frame(request))
            answer = read_frame(lambda size: self._read(size, until))
        except TooLate:
            self.kill()
            raise
        except (BrokenPipeError, ValueError):  # ValueError: closed by a kill from another thread
            answer = None
        if answer is None:
            raise Ended(self._last_words())
        return answer

    def kill(self) -> None:
        """End the process now; twice does no harm."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def close(self) -> None:
        """Kill the process and let go of everything."""
        self.kill()
        self._stderr.close()

    def _write(self, data: bytes) -> None:
        assert self._process.stdin
        view = memoryview(data)
        while view:
            view = view[self._process.stdin.write(view) or 0 :]

    def _read(self, size: int, until: float) -> bytes:
        assert self._process.stdout
        read = bytearray()
        poll = select.poll()
        poll.register(self._process.stdout.fileno(), select.POLLIN)
        while len(read) < size:
            left = until - time.monotonic()
            if left <= 0 or not poll.poll(math.ceil(left * 1000)):
                raise TooLate
            chunk = self._process.stdout.read(min(size - len(read), 1 << 20))
            if not chunk:
                break
            read += chunk
        return bytes(read)

    def _last_words(self) -> str:
        self.kill()
        self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, self._stderr.tell() - _STDERR_KEPT))
        said = self._stderr.read().decode(errors="replace").strip()
        return f"exit code {self._process.returncode}{': ' + said if said else ''}"

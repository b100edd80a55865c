"""The evidence's `Reader`: every content is read in a child process, which is killed and replaced where it must be."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from typing import BinaryIO, TypeVar

from pydantic import TypeAdapter

from backedge.adapters.reading.child_process import ChildProcess, Content, Ended, TooLate
from backedge.adapters.reading.frames import Header
from backedge.evidence.reading import Reading, Unparsed
from backedge.evidence.sources import Metadata
from backedge.kernel.defect import Permanent, Transient

T = TypeVar("T")

MEGABYTE = 1 << 20
_READERS = ("html", "jats", "medline", "pdf", "rows", "sniffing", "text")
_CHILD = "child/1"
_SET_TIMES = 10  # how much longer a set of many records may take than one content
_OTHER = "Give the article in another format."
_FROM_OUTSIDE = frozenset({"SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"})


@dataclass(frozen=True)
class Limits:
    """What reading one content may take: its size in bytes, the child's memory in bytes, seconds of processor time,
    and seconds by the clock, after which the machine is too busy rather than the content too slow.
    """

    size: int = 64 * MEGABYTE
    memory: int = 2048 * MEGABYTE
    processor: float = 60.0
    clock: float = 600.0


@dataclass(frozen=True)
class _Answer:
    """A frame of the child."""

    spent: bool = False
    reading: Reading | None = None
    unparsed: Unparsed | None = None
    metadata: Metadata | None = None
    exhausted: str = ""
    keys: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    done: bool = False
    problem: str = ""


_ANSWER = TypeAdapter(_Answer)


class ContentReader:
    """Reads contents in `children` processes, which start when they are needed and stay for the next content.

    The same content gives the same reading. What a content does to its reader (crash, memory, time) is told as
    `Unparsed`; `Transient` is raised only where the child was ended from outside or the machine was too slow.
    """

    def __init__(self, limits: Limits | None = None, children: int = 2) -> None:
        self._limits = limits or Limits()
        self._threads = ThreadPoolExecutor(children, thread_name_prefix="reading")
        self._idle: list[ChildProcess] = []
        self._lock = threading.Lock()

    @property
    def version(self) -> str:
        """The readers of all formats with their versions."""
        return "+".join(import_module(f"backedge.adapters.reading.{name}").READER for name in _READERS)

    @property
    def children(self) -> tuple[int, ...]:
        """The process ids of the children that wait for a content."""
        return tuple(child.pid for child in self._idle)

    async def read(self, content: bytes, media_type: str, name: str) -> Reading | Unparsed:
        """The text with its sections, or why there is nothing to quote. Raises `Transient` (see the class)."""
        if len(content) > self._limits.size:
            message = f"It has {len(content):,} bytes; {self._limits.size:,} are read at most. Divide it."
            return Unparsed("too_large", message, _CHILD)
        answer = await self._asked({"op": "read", "media_type": media_type, "name": name}, content)
        read = answer if isinstance(answer, Unparsed) else answer.reading or answer.unparsed
        assert read is not None
        return read

    async def describe(self, content: bytes, media_type: str, name: str) -> Metadata:
        """What a content says of itself, cheaply; empty where it cannot be read. Raises `Transient`."""
        if len(content) > self._limits.size:
            return Metadata()
        answer = await self._asked({"op": "describe", "media_type": media_type, "name": name}, content)
        return Metadata() if isinstance(answer, Unparsed) else answer.metadata or Metadata()

    async def records(self, content: Content, into: BinaryIO) -> dict[str, tuple[int, int]]:
        """Write the records of a PubMed set into a file; gives by PMID where each begins, and its length in bytes.

        Raises `Permanent` where the set cannot be read to its end, and `Transient`.
        """
        found: dict[str, tuple[int, int]] = {}

        def spooled(answers: Iterator[tuple[_Answer, bytes]]) -> _Answer:
            for answer, body in answers:
                at = into.tell()
                into.write(body)
                for key, size in zip(answer.keys, answer.sizes, strict=True):
                    found[key] = (at, size)
                    at += size
                if answer.done or answer.exhausted:
                    return answer
            raise AssertionError("the answers of a child end with their last or with an exception")

        into.seek(0, 2)
        answer = await self._in_thread({"op": "records"}, content, spooled, _SET_TIMES)
        problem = answer.message if isinstance(answer, Unparsed) else answer.problem
        if problem:
            raise Permanent(problem, mend="divide the set, or export it again")
        return found

    async def close(self) -> None:
        """End all children; what is still read comes to its end first."""
        await asyncio.to_thread(self._threads.shutdown)
        for child in self._idle:
            child.close()
        self._idle.clear()

    async def _asked(self, request: Header, content: bytes) -> _Answer | Unparsed:
        return await self._in_thread(request, content, lambda answers: next(answers)[0], 1)

    async def _in_thread(
        self, request: Header, content: Content, taken: Callable[[Iterator[tuple[_Answer, bytes]]], _Answer], times: int
    ) -> _Answer | Unparsed:
        """What `taken` makes of the child's answers. Where the caller is cancelled, the child is killed."""
        work = _Work({**request, "seconds": self._limits.processor * times}, content, taken, self._limits.clock * times)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._done, work)
        except asyncio.CancelledError:
            work.cancel()
            raise

    def _done(self, work: _Work) -> _Answer | Unparsed:
        """The answer to a request. A child that was used before may be broken by that: a crash is tried once more."""
        child = self._taken()
        used = child.asked > 0
        done = self._tried(child, work)
        if done is None and used:
            done = self._tried(ChildProcess(self._limits.memory), work)
        if done is None:
            message = f"It crashes what reads it, or makes it need more than {self._limits.memory:,} bytes. {_OTHER}"
            return Unparsed("hostile", message, _CHILD)
        return done

    def _tried(self, child: ChildProcess, work: _Work) -> _Answer | Unparsed | None:
        """The answer, or None where the child crashed. The child is kept only where it is sound."""
        sound = False
        try:
            answer = work.run(child)
            sound = not answer.spent and not answer.exhausted
            return self._exhausted(answer.exhausted) if answer.exhausted else answer
        except TooLate:
            raise Transient(f"reading took more than {work.clock:.0f} seconds: the machine is too busy") from None
        except Ended as ended:
            return self._ended(ended)
        finally:
            if sound:
                with self._lock:
                    self._idle.append(child)
            else:
                child.close()

    def _taken(self) -> ChildProcess:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return ChildProcess(self._limits.memory)

    def _exhausted(self, what: str) -> Unparsed:
        needs = (
            f"needs more than {self._limits.memory:,} bytes of memory" if what == "memory" else "is nested too deeply"
        )
        return Unparsed("hostile", f"It {needs} to be read. {_OTHER}", _CHILD)

    def _ended(self, ended: Ended) -> Unparsed | None:
        """What a child that ended without an answer says of its content; None where it crashed."""
        if ended.signal == "SIGPROF":
            message = f"Reading it takes more than {self._limits.processor:.0f} seconds of processor time. {_OTHER}"
            return Unparsed("too_slow", message, _CHILD)
        if ended.signal in _FROM_OUTSIDE:
            raise Transient(f"the process that reads was ended from outside ({ended.signal})") from ended
        if ended.code < 0:
            return None
        if "MemoryError" in str(ended):
            return self._exhausted("memory")
        raise RuntimeError(f"the process that reads failed (exit code {ended.code}):\n{ended}") from ended


@dataclass
class _Work:
    request: Header
    content: Content
    taken: Callable[[Iterator[tuple[_Answer, bytes]]], _Answer]
    clock: float
    child: ChildProcess | None = None
    cancelled: bool = False

    def run(self, child: ChildProcess) -> _Answer:
        """Ask a child. Raises `TooLate` or `Ended`."""
        self.child = child
        if self.cancelled:
            child.kill()
        frames = child.ask(self.request, self.content, self.clock)
        with closing((_ANSWER.validate_json(head), body) for head, body in frames) as answers:
            return self.taken(answers)

    def cancel(self) -> None:
        """Kill the child that works on it, or will."""
        self.cancelled = True
        if self.child is not None:
            self.child.kill()

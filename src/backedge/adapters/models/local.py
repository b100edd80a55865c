"""A model in a GGUF file on this machine: a child process serves it on loopback, with a key that nobody else has."""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from backedge.adapters.models.connection import Connection, unusable
from backedge.agent.ports import ROUNDS, ModelSettings, Prompt, Tool
from backedge.kernel.defect import Transient
from backedge.kernel.stage import Reply, Unreadable

T = TypeVar("T", bound=BaseModel)

CONTEXT = 8_192
LOADING = 300.0
KEY = "BACKEDGE_LOCAL_KEY"


@dataclass
class _Server:
    """One child and what it serves. It ends with this process, because its stdin does."""

    file: Path
    sha256: str
    key: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    child: subprocess.Popen[str] | None = None
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def started(self) -> str:
        """The URL, after loading where that is needed. Raises `Permanent` or `Transient`."""
        with self.lock:
            if self.child is None or self.child.poll() is not None:
                self.close()
                self.url = self._load()
            return self.url

    def _load(self) -> str:
        # Threads that spin while they wait make a busy machine a hundred times slower.
        environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
        command = [sys.executable, "-m", "backedge.adapters.models.local_server"]
        pipe = subprocess.PIPE
        child = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=environment
        )
        self.child = child
        threads = max(1, min(os.cpu_count() or 1, 8))
        orders = {"file": str(self.file), "sha256": self.sha256, "key": self.key, "context": CONTEXT}
        late = threading.Timer(LOADING, child.kill)
        late.start()
        try:
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdin.write(json.dumps({**orders, "threads": threads}) + "\n")
            child.stdin.flush()
            return self._told(child.stdout.readline())
        except BrokenPipeError as error:
            raise Transient("the process for the local model ended at once") from error
        finally:
            late.cancel()

    def _told(self, line: str) -> str:
        told = json.loads(line) if line else {}
        if "url" in told:
            return str(told["url"])
        if told.get("kind") == "extra":
            said = f"local models need the extra `local` ({told['error']} is not installed)"
            raise unusable(said, "pip install 'backedge[local]'")
        if "error" in told:
            raise unusable(str(told["error"]), "name the right file in `model_file`, and its `sha256`")
        raise Transient(f"the process for {self.file} ended before it served: it may need more memory")

    def close(self) -> None:
        """End the child."""
        if self.child is None:
            return
        child, self.child = self.child, None
        child.kill()
        child.communicate()


_servers: dict[tuple[Path, str], _Server] = {}


def close_all() -> None:
    """End every child of this process."""
    for server in _servers.values():
        server.close()


atexit.register(close_all)


class LocalAgent:
    """A local model. Agents of the same file share one child, which is started with the first question."""

    def __init__(self, connection: Connection, file: Path) -> None:
        self._connection = connection
        self._server = _servers.setdefault((file, connection.sha256), _Server(file, connection.sha256))

    @property
    def settings(self) -> ModelSettings:
        """What it was made with."""
        return self._connection.settings

    async def ask(
        self, prompt: Prompt, reply: type[T], tools: Sequence[Tool] = (), rounds: int = ROUNDS
    ) -> Reply[T] | Unreadable:
        """See `agent.ports.Agent`. Tools are not offered: small models call them as text."""
        from backedge.adapters.models.asking import VendorAgent

        url = await asyncio.to_thread(self._server.started)
        settings = replace(self.settings, base_url=url)
        connection = replace(self._connection, settings=settings, key_var=KEY)
        return await VendorAgent(connection, {KEY: self._server.key}).ask(prompt, reply, tools, rounds)

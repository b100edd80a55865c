"""DuckDB workers that tests share: one for each content of data, instead of a process for each command of each test."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

import backedge.assemble as assembling
from backedge.config.database import Database
from backedge.query.ports import Connector

MOST = 16  # workers at once
_cold = assembling.connect


class Kept:
    """A connector that outlives the application which closes it. Everything else is the connector's own."""

    def __init__(self, connector: Connector, name: str) -> None:
        self._connector = connector
        self.name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connector, name)

    async def close(self) -> None:
        """Nothing: another test goes on with it."""


class Workers:
    """Connectors by what their data are. Each reads a copy of its own, which no test can change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: OrderedDict[str, Connector] = OrderedDict()

    def connect(self, database: Database, root: Path) -> Connector | None:
        """As `assemble.connect`, but warm where there is data to read."""
        if database.type != "duckdb" or database.path is None or not database.path.exists():
            return _cold(database, root)
        return Kept(self._of(database, database.path), database.name)

    def _of(self, database: Database, path: Path) -> Connector:
        key = _content(path)
        if key not in self._known:
            copy = self._folder / key / path.name
            if not copy.exists():
                copy.parent.mkdir(parents=True)
                (shutil.copy if path.is_file() else shutil.copytree)(path, copy)
            made = _cold(Database(**{**vars(database), "path": copy}), copy.parent)
            assert made is not None
            self._known[key] = made
        self._known.move_to_end(key)
        if len(self._known) > MOST:
            _, oldest = self._known.popitem(last=False)
            ending = threading.Thread(target=lambda: asyncio.run(oldest.close()))  # a loop may run in this thread
            ending.start()
            ending.join()
        return self._known[key]

    def close(self) -> None:
        """End every worker."""
        for connector in self._known.values():
            asyncio.run(connector.close())


def _content(path: Path) -> str:
    """A hash of the data, and of the names that tables take from files."""
    digest = hashlib.sha256()
    for file in sorted([path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]):
        digest.update(str(file.relative_to(path.parent)).encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:24]

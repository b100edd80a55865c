"""Starts what a DuckDB connector reads through: the loader that makes the cache file, and the worker that opens it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from backedge.adapters.connectors.duckdb_cache import Cache
from backedge.adapters.connectors.frames import Header
from backedge.adapters.connectors.worker_process import WorkerProcess
from backedge.query.ports import TableInfo

_WORKER = "backedge.adapters.connectors.duckdb_worker"
_LOADER = "backedge.adapters.connectors.duckdb_load"
_OPENING_SECONDS = 120.0


class NotOpened(Exception):
    """DuckDB refused to open the database; the message is its own."""


class NotLoaded(Exception):
    """The loader ended without a cache file. `signal` is the one that ended it, or 0 where it failed by itself."""

    def __init__(self, reason: str, signal: int = 0) -> None:
        super().__init__(reason)
        self.signal = signal


@dataclass(frozen=True)
class Opening:
    """What a worker opens: the database at `path`, the Parquet files that its views read, and two limits."""

    path: Path
    parquet: tuple[Path, ...]
    memory: int
    threads: int


@dataclass(frozen=True)
class Session:
    """A running worker, the state of the data that it reads, and its tables; `bad` files have a reason and no rows."""

    fingerprint: str
    worker: WorkerProcess
    temp: Path
    tables: tuple[TableInfo, ...]
    notes: Mapping[str, tuple[str, ...]]
    bad: Mapping[str, str]

    def end(self) -> None:
        """End the worker and remove what it spilled to disk."""
        self.worker.close()
        shutil.rmtree(self.temp, ignore_errors=True)


def load_files(files: tuple[Path, ...], cache: Cache, started: Callable[[Callable[[], None]], None]) -> None:
    """Make the cache file. `started` is given a function that ends the loader. Raises `NotLoaded`."""
    order = {"files": [str(path) for path in files], "target": str(cache.file), "siblings": cache.siblings}
    command = [sys.executable, "-P", "-m", _LOADER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as loader:
        started(loader.kill)
        _, said = loader.communicate(json.dumps(order))
    if loader.returncode < 0:
        raise NotLoaded(f"the loader was ended by signal {-loader.returncode}", -loader.returncode)
    if loader.returncode:
        raise NotLoaded(said.strip().splitlines()[-1] if said.strip() else f"exit code {loader.returncode}")


def open_session(opening: Opening, fingerprint: str, started: Callable[[Callable[[], None]], None]) -> Session:
    """Start a worker on a database and read its catalog. Raises `NotOpened`, or the worker's `TooLate` and `Ended`."""
    worker = WorkerProcess(_WORKER)
    started(worker.kill)
    temp = Path(tempfile.mkdtemp(prefix="backedge-duckdb-"))
    try:
        answer, _ = worker.ask(_request(opening, temp), _OPENING_SECONDS)
        if "error" in answer:
            raise NotOpened(str(answer["error"]))
    except BaseException:
        worker.close()
        shutil.rmtree(temp, ignore_errors=True)
        raise
    return _session(answer, fingerprint, worker, temp)


def _request(opening: Opening, temp: Path) -> Header:
    return {
        "path": str(opening.path),
        "allowed": [str(path) for path in opening.parquet],
        "temp": str(temp),
        "memory": opening.memory,
        "threads": opening.threads,
    }


def _session(answer: Header, fingerprint: str, worker: WorkerProcess, temp: Path) -> Session:
    found, loaded = answer["tables"], answer["loaded"]
    assert isinstance(found, list)
    assert isinstance(loaded, list)
    notes = {name: tuple(notes) for name, _, notes, _, _ in loaded}
    bad = {name: reason for name, _, _, reason, _ in loaded if reason is not None}
    said = {name: _said(same_as, notes[name]) for name, _, _, _, same_as in loaded}
    counts = {name: rows for name, rows, _, _, _ in loaded}
    tables = [
        TableInfo(
            name,
            tuple((str(column), str(kind)) for column, kind in columns),
            counts.get(name, rows),
            said.get(name, ()),
        )
        for name, columns, rows in found
    ]
    tables += [TableInfo(name, (), None, (reason,)) for name, reason in bad.items()]
    return Session(fingerprint, worker, temp, tuple(tables), notes, bad)


def _said(same_as: str | None, notes: tuple[str, ...]) -> tuple[str, ...]:
    return (f"the rows of `{same_as}`", *notes) if same_as else notes

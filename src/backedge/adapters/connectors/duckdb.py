"""Reads CSV, TSV and Parquet files, or a DuckDB database, through a locked-down child process."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from backedge.adapters.connectors.duckdb_arrow import read_table
from backedge.adapters.connectors.duckdb_cache import SUFFIXES, cache_for, data_files, fingerprint
from backedge.adapters.connectors.duckdb_errors import is_broken, rejection
from backedge.adapters.connectors.duckdb_session import (
    NotLoaded,
    NotOpened,
    Opening,
    Session,
    load_files,
    open_session,
)
from backedge.adapters.connectors.frames import Header, encode_cell
from backedge.adapters.connectors.one_thread import OneThread
from backedge.adapters.connectors.worker_process import Ended, TooLate
from backedge.kernel.defect import Permanent, Transient
from backedge.query.ports import Caps, Ran, Rejected, TableInfo
from backedge.query.sqlguard import Guarded, guard
from backedge.query.table import Cell


class DuckDBConnector:
    """The port for DuckDB. Give `dataset` (a folder or a data file) or `file` (a data file, or a DuckDB database).

    The files are never written. They are loaded once into `cache`, or into the user's cache folder where that cannot be
    written. `memory` is in bytes.
    Nothing starts before the first question; queries of one connector run one after another, each in its own time.
    """

    dialect = "duckdb"

    def __init__(
        self,
        name: str,
        dataset: Path | None = None,
        file: Path | None = None,
        cache: Path = Path(".backedge/cache"),
        *,
        memory: int = 2 << 30,
        threads: int = 2,
    ) -> None:
        source = dataset or file
        if source is None or (dataset and file):
            raise ValueError(f"database `{name}` needs either a dataset or a file")
        self.name = name
        self._source = source
        self._is_database = dataset is None and source.suffix.lower() not in SUFFIXES
        self._cache = cache
        self._memory, self._threads = memory, threads
        self._session: Session | None = None
        self._thread = OneThread(f"duckdb-{name}")

    async def catalog(self) -> tuple[TableInfo, ...]:
        """All tables; a file that cannot be read is one without columns, and its note says why."""
        return (await self._thread.run(self._ready)).tables

    async def run(self, sql: str, params: tuple[Cell, ...] = (), caps: Caps | None = None) -> Ran | Rejected:
        """Guard, re-render and run one SELECT; `params` bind `$1`, `$2` …. Raises Transient or Permanent."""
        return await self._thread.run(lambda: self._run(sql, params, caps or Caps()))

    async def explain(self, sql: str, params: tuple[Cell, ...] = ()) -> str | Rejected:
        """The plan of a guarded query as DuckDB draws it. Raises Transient or Permanent."""
        return await self._thread.run(lambda: self._explain(sql, params))

    async def fingerprint(self) -> str:
        """Changes when a file of the data set was added, removed or written. Raises Permanent where there is none."""
        return fingerprint(self._files())

    async def close(self) -> None:
        """End the worker. A connector that is asked again starts another one."""
        if self._thread.is_started:
            await self._thread.run(self._drop)
            self._thread.end()

    def _run(self, sql: str, params: tuple[Cell, ...], caps: Caps) -> Ran | Rejected:
        session = self._ready()
        guarded = _guarded(sql, session, caps.rows)
        if isinstance(guarded, Rejected):
            return guarded
        request: Header = {"op": "run", "sql": guarded.sql, "rows": caps.rows, "bytes": caps.bytes}
        answer = self._ask(session, request, params, caps.seconds)
        if isinstance(answer, Rejected):
            return answer
        notes = dict.fromkeys(note for table in guarded.tables for note in session.notes.get(table, ()))
        return _ran(*answer, notes=tuple(notes))

    def _explain(self, sql: str, params: tuple[Cell, ...]) -> str | Rejected:
        session = self._ready()
        guarded = _guarded(sql, session, Caps().rows)
        if isinstance(guarded, Rejected):
            return guarded
        answer = self._ask(session, {"op": "explain", "sql": guarded.sql}, params, Caps().seconds)
        return answer if isinstance(answer, Rejected) else str(answer[0]["plan"])

    def _ask(
        self, session: Session, request: Header, params: tuple[Cell, ...], seconds: float
    ) -> tuple[Header, bytes] | Rejected:
        self._thread.waits_for(session.worker.kill)
        try:
            header, body = session.worker.ask({**request, "params": [encode_cell(cell) for cell in params]}, seconds)
        except TooLate:
            self._drop()
            return Rejected("deadline", f"the query was stopped after {seconds:g} seconds; narrow it with a filter")
        except Ended as ended:
            self._drop()
            raise Transient(f"database `{self.name}`: the DuckDB worker ended during the query: {ended}") from ended
        if "error" not in header:
            return header, body
        message = str(header["error"])
        if is_broken(message):
            self._drop()
            raise Transient(f"database `{self.name}`: DuckDB failed: {message.splitlines()[0]}")
        return rejection(message)

    def _ready(self) -> Session:
        """A session on the files of now: loaded again if they changed, started again if the worker died."""
        files = self._files()
        now = fingerprint(files)
        if self._session and self._session.fingerprint == now and self._session.worker.is_alive:
            return self._session
        self._drop()
        path = self._source.absolute() if self._is_database else self._loaded(files, now)
        parquet = () if self._is_database else tuple(file.absolute() for file in files if _is_parquet(file))
        try:
            self._session = open_session(
                Opening(path, parquet, self._memory, self._threads), now, self._thread.waits_for
            )
        except NotOpened as refused:
            raise self._not_opened(path, str(refused)) from refused
        except (TooLate, Ended) as ended:
            raise Transient(f"database `{self.name}`: the DuckDB worker did not start: {ended}") from ended
        return self._session

    def _files(self) -> tuple[Path, ...]:
        try:
            if self._is_database:
                self._source.stat()
                wal = self._source.with_name(self._source.name + ".wal")
                return (self._source, wal) if wal.exists() else (self._source,)
            files = data_files(self._source)
        except OSError as error:
            mend = f"create {self._source}, or correct the path of database `{self.name}`"
            raise Permanent(f"database `{self.name}`: {error.strerror}: {self._source}", mend=mend) from error
        if not files:
            mend = f"put CSV, TSV or Parquet files into {self._source}"
            raise Permanent(f"database `{self.name}`: no CSV, TSV or Parquet file in {self._source}", mend=mend)
        return files

    def _loaded(self, files: tuple[Path, ...], now: str) -> Path:
        """The cache file of the data set in its present state, made if it is missing."""
        try:
            cache = cache_for(self._source, now, self._cache)
            if not cache.file.exists():
                load_files(files, cache, self._thread.waits_for)
        except OSError as error:
            raise Permanent(f"database `{self.name}`: {error}", mend="make one of the folders writable") from error
        except NotLoaded as failed:
            if failed.signal:
                raise Transient(f"database `{self.name}`: {failed}") from failed
            mend = f"see that {self._cache} has room, and that the files are what they should be"
            raise Permanent(f"database `{self.name}`: loading failed: {failed}", mend=mend) from failed
        return cache.file

    def _not_opened(self, path: Path, message: str) -> Transient | Permanent:
        reason = message.splitlines()[0]
        if not self._is_database:
            path.unlink(missing_ok=True)
            return Transient(f"database `{self.name}`: its cache was broken and is removed; try again ({reason})")
        if "Could not set lock" in message:
            return Transient(f"database `{self.name}`: another program is writing to {path}; close it and try again")
        mend = f"export {path} with the DuckDB version that wrote it and import it with a current one, or name another"
        return Permanent(f"database `{self.name}`: {path} cannot be opened: {reason}", mend=mend)

    def _drop(self) -> None:
        if self._session:
            self._session.end()
            self._session = None


def _is_parquet(file: Path) -> bool:
    return file.suffix.lower() == ".parquet"


def _guarded(sql: str, session: Session, rows: int) -> Guarded | Rejected:
    known = {table.name: tuple(name for name, _ in table.columns) for table in session.tables}
    guarded = guard(sql, "duckdb", known, caps_rows=rows)
    if isinstance(guarded, Guarded):
        for table in guarded.tables:
            if table in session.bad:
                return Rejected("unknown_table", f"`{table}` could not be loaded: {session.bad[table]}")
    return guarded


def _ran(header: Header, body: bytes, notes: tuple[str, ...]) -> Ran | Rejected:
    columns, cut = header["columns"], header["truncated"]
    assert isinstance(columns, list)
    truncated: Literal["rows", "bytes"] | None = "rows" if cut == "rows" else "bytes" if cut == "bytes" else None
    try:
        table = read_table([(str(name), str(kind)) for name, kind in columns], body, truncated)
    except ValueError as error:
        return Rejected("type", f"a date or time of the result is outside the years 1 to 9999: {error}")
    return Ran(table, int(str(header["ms"])), notes)

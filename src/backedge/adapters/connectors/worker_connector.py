"""The port over a worker process that opens one database: what SQLite and PostgreSQL have in common."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Protocol

from backedge.adapters.connectors.frames import Header, encode_cell
from backedge.adapters.connectors.one_thread import OneThread
from backedge.adapters.connectors.worker_process import Ended, TooLate, WorkerProcess
from backedge.kernel.defect import Failure, Transient
from backedge.query.ports import Caps, ForeignKey, Ran, Rejected, TableInfo
from backedge.query.sqlguard import Guarded, guard
from backedge.query.table import Cell, Column, Table

_OPENING_SECONDS = 60.0
_CATALOG_SECONDS = 60.0


class Engine(Protocol):
    """What differs from one kind of database to the next, on the parent's side."""

    @property
    def dialect(self) -> str:
        """The SQL it speaks."""
        ...

    @property
    def worker(self) -> str:
        """The module that a child process runs."""
        ...

    @property
    def grace(self) -> float:
        """Seconds that a server may take to stop a query by itself before the worker is killed."""
        ...

    def opening(self) -> Header:
        """The first request to the worker. Raises `Permanent` where something is not set."""
        ...

    def fitted(self, sql: str, params: tuple[Cell, ...], tables: tuple[TableInfo, ...]) -> str | Rejected:
        """A guarded statement as the engine must run it, or why it must not: where an engine errs in silence."""
        ...

    def refusal(self, name: str, answer: Header) -> Rejected | Failure:
        """What an error of the worker means: the statement is at fault, or the database `name` is."""
        ...


@dataclass(frozen=True)
class _Session:
    """A running worker and the tables that it told of."""

    worker: WorkerProcess
    tables: tuple[TableInfo, ...]


class WorkerConnector:
    """The port for one database. Nothing starts before the first question; queries run one after another."""

    def __init__(self, name: str, engine: Engine) -> None:
        self.name = name
        self.dialect = engine.dialect
        self._engine = engine
        self._session: _Session | None = None
        self._thread = OneThread(f"{engine.dialect}-{name}")

    async def catalog(self) -> tuple[TableInfo, ...]:
        """All tables that may be read, as they are now."""
        return await self._thread.run(lambda: self._renewed().tables)

    async def run(self, sql: str, params: tuple[Cell, ...] = (), caps: Caps | None = None) -> Ran | Rejected:
        """Guard, re-render and run one SELECT; `params` bind `$1`, `$2` …. Raises Transient or Permanent."""
        return await self._thread.run(lambda: self._run(sql, params, caps or Caps()))

    async def explain(self, sql: str, params: tuple[Cell, ...] = ()) -> str | Rejected:
        """The engine's plan of a guarded query. Raises Transient or Permanent."""
        return await self._thread.run(lambda: self._explain(sql, params))

    async def fingerprint(self) -> str:
        """Changes whenever data may have changed. Raises Transient or Permanent."""
        return await self._thread.run(lambda: str(self._told("state")["state"]))

    async def told(self, what: str) -> Header:
        """What the worker says when asked for `what`, which is no query. Raises Transient or Permanent."""
        return await self._thread.run(lambda: self._told(what))

    async def close(self) -> None:
        """End the worker. A connector that is asked again starts another one."""
        if self._thread.is_started:
            await self._thread.run(self._drop)
            self._thread.end()

    def _run(self, sql: str, params: tuple[Cell, ...], caps: Caps) -> Ran | Rejected:
        guarded = self._guarded(sql, caps.rows)
        if isinstance(guarded, Rejected):
            return guarded
        request: Header = {"op": "run", "rows": caps.rows, "bytes": caps.bytes}
        answer = self._query(request, guarded.sql, params, caps.seconds)
        if isinstance(answer, Rejected):
            return answer
        header, body = answer
        try:
            table = _read(body)
        except ValueError:
            return Rejected("type", "a date or time of the result is outside the years 1 to 9999")
        notes = header["notes"]
        assert isinstance(notes, list)
        return Ran(table, int(str(header["ms"])), tuple(notes))

    def _explain(self, sql: str, params: tuple[Cell, ...]) -> str | Rejected:
        guarded = self._guarded(sql, Caps().rows)
        if isinstance(guarded, Rejected):
            return guarded
        answer = self._query({"op": "explain"}, guarded.sql, params, Caps().seconds)
        return answer if isinstance(answer, Rejected) else str(answer[0]["plan"])

    def _guarded(self, sql: str, rows: int) -> Guarded | Rejected:
        """Judged by the tables that are known; where one is unknown, once more by those of now."""
        session = self._session
        if session is not None and session.worker.is_alive:
            verdict = self._judged(session, sql, rows)
            if isinstance(verdict, Guarded) or verdict.kind not in ("unknown_table", "unknown_column"):
                return verdict
        return self._judged(self._renewed(), sql, rows)

    def _judged(self, session: _Session, sql: str, rows: int) -> Guarded | Rejected:
        known = {table.name: tuple(name for name, _ in table.columns) for table in session.tables}
        return guard(sql, self.dialect, known, caps_rows=rows)

    def _query(
        self, request: Header, sql: str, params: tuple[Cell, ...], seconds: float
    ) -> tuple[Header, bytes] | Rejected:
        fitted = self._engine.fitted(sql, params, self._session.tables if self._session else ())
        if isinstance(fitted, Rejected):
            return fitted
        cells = [encode_cell(cell) for cell in params]
        asked: Header = {**request, "sql": fitted, "params": cells, "seconds": seconds}
        try:
            answer = self._ask(asked, seconds + self._engine.grace)
        except TooLate:
            return _too_slow(seconds)
        if "error" not in answer[0]:
            return answer
        refusal = self._engine.refusal(self.name, answer[0])
        if isinstance(refusal, Rejected):
            return _too_slow(seconds) if refusal.kind == "deadline" else refusal
        self._drop()
        raise refusal

    def _told(self, what: str) -> Header:
        self._ready()
        return self._plain({"op": what})

    def _renewed(self) -> _Session:
        """The session with the tables of now."""
        if self._session is None or not self._session.worker.is_alive:
            return self._ready()
        self._session = _Session(self._session.worker, _tables(self._plain({"op": "catalog"})))
        return self._session

    def _ready(self) -> _Session:
        if self._session is not None and self._session.worker.is_alive:
            return self._session
        self._drop()
        opening = self._engine.opening()
        self._session = _Session(WorkerProcess(self._engine.worker), ())
        try:
            tables = _tables(self._plain(opening, _OPENING_SECONDS))
        except BaseException:
            self._drop()
            raise
        self._session = _Session(self._session.worker, tables)
        return self._session

    def _plain(self, request: Header, seconds: float = _CATALOG_SECONDS) -> Header:
        """The answer to what is no query, for which no statement can be at fault."""
        try:
            answer, _ = self._ask(request, seconds)
        except TooLate as late:
            raise Transient(f"database `{self.name}` did not answer within {seconds:g} seconds") from late
        if "error" in answer:
            refusal = self._engine.refusal(self.name, answer)
            self._drop()
            message = refusal.message if isinstance(refusal, Rejected) else ""
            raise Transient(f"database `{self.name}`: {message}") if isinstance(refusal, Rejected) else refusal
        return answer

    def _ask(self, request: Header, seconds: float) -> tuple[Header, bytes]:
        """One exchange with the worker, which is gone after `TooLate`."""
        assert self._session is not None
        self._thread.waits_for(self._session.worker.kill)
        try:
            return self._session.worker.ask(request, seconds)
        except TooLate:
            self._drop()
            raise
        except Ended as ended:
            self._drop()
            message = f"database `{self.name}`: the {self.dialect} worker ended during the query: {ended}"
            raise Transient(message) from ended

    def _drop(self) -> None:
        if self._session:
            self._session.worker.close()
            self._session = None


def _read(body: bytes) -> Table:
    """The table of an answer. Raises ValueError for a date or time that Python cannot hold."""
    made = json.loads(body)
    columns = tuple(Column(name=name, type=type_, kind=kind) for name, type_, kind in made["columns"])
    return Table(columns=columns, rows=made["rows"], truncated=made["truncated"])


def _too_slow(seconds: float) -> Rejected:
    return Rejected("deadline", f"the query was stopped after {seconds:g} seconds; narrow it with a filter")


def _tables(answer: Header) -> tuple[TableInfo, ...]:
    found = answer["tables"]
    assert isinstance(found, list)
    return tuple(_table(table) for table in found)


def _table(told: Header) -> TableInfo:
    """One table as a worker tells of it: `columns` are [name, type, comment]."""
    columns, key, references = told["columns"], told["key"], told["references"]
    assert isinstance(columns, list)
    assert isinstance(key, list)
    assert isinstance(references, list)
    rows = told["rows"]
    return TableInfo(
        str(told["name"]),
        tuple((str(name), str(kind)) for name, kind, _ in columns),
        rows if isinstance(rows, int) else None,
        comment=str(told["comment"]),
        comments=tuple((str(name), str(comment)) for name, _, comment in columns if comment),
        key=tuple(key),
        references=tuple(ForeignKey(tuple(own), table, tuple(its)) for own, table, its in references),
    )

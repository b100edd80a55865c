"""The child process that holds a connection to PostgreSQL and answers one query at a time, each in a transaction."""

from __future__ import annotations

import re
import resource
import time
from collections.abc import Iterator, Sequence

import psycopg
from psycopg import sql as psql
from psycopg.conninfo import make_conninfo
from psycopg.pq import TransactionStatus
from psycopg.types.string import TextLoader

from backedge.adapters.connectors import postgres_catalog
from backedge.adapters.connectors.frames import Header, Value, decode_cell
from backedge.adapters.connectors.plain_rows import fitting, written
from backedge.adapters.connectors.postgres_values import Typed, shown
from backedge.adapters.connectors.serving import Answer, serve

_OVERHEAD = 1 << 30
_BATCH, _BATCH_SIZE = 500, 4 << 20
_CONNECT_SECONDS = 15
_CHECKED = 140_000

# Given at the start of the session, so that resetting the session comes back to them.
_OPTIONS = {
    "default_transaction_read_only": "on",
    "search_path": "public,pg_temp",
    "TimeZone": "UTC",
    "DateStyle": "ISO",
    "IntervalStyle": "postgres",
    "extra_float_digits": "1",
    "bytea_output": "hex",
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "60s",
    "statement_timeout": "60s",
}
_REFUSALS = (
    ("authentication failed|no password supplied|pg_hba.conf|role .* does not exist", "28P01"),
    ("database .* does not exist", "3D000"),
    ("could not translate host name|failed to resolve host", "08004"),
    ("too many clients|remaining connection slots", "53300"),
    ("starting up|shutting down|recovery mode", "57P03"),
)
Row = tuple[str | None, ...]
Connection = psycopg.Connection[Row]


class Session:
    """One connection. A query runs through a cursor of the server, in a read-only transaction that is rolled back."""

    def open(self, request: Header) -> Answer:
        """Connect read-only. What is wrong with the address or the role is an answer."""
        memory = int(str(request["memory"]))
        resource.setrlimit(resource.RLIMIT_AS, (memory + _OVERHEAD, memory + _OVERHEAD))
        self._password = str(request["password"])
        try:
            self._connection = _connected(request)
            return self._catalog(), b""
        except psycopg.Error as error:
            return {**self._error(error), "code": error.sqlstate or _refused(str(error))}, b""

    def answer(self, request: Header) -> Answer:
        """The answer to one request; an error of the server is an answer, too."""
        try:
            match request["op"]:
                case "catalog":
                    return self._catalog(), b""
                case "state":
                    return {"state": postgres_catalog.state(self._connection)}, b""
                case "role":
                    return postgres_catalog.role(self._connection), b""
                case "explain":
                    return self._explain(str(request["sql"]), _cells(request)), b""
                case _:
                    return self._run(request)
        except psycopg.Error as error:
            return self._error(error), b""
        except ValueError as error:
            return {"error": str(error), "code": "22000"}, b""
        except MemoryError:
            return {"error": "out of memory", "code": "53200"}, b""
        finally:
            self._reset()

    def _catalog(self) -> Header:
        return {"tables": postgres_catalog.tables(self._connection)}

    def _explain(self, sql: str, params: Sequence[Value]) -> Header:
        with self._connection.transaction(force_rollback=True):
            cursor = psycopg.RawCursor(self._connection)
            rows = cursor.execute(f"EXPLAIN {sql}".encode(), params, prepare=True).fetchall()
        return {"plan": "\n".join(str(row[0]) for row in rows)}

    def _run(self, request: Header) -> Answer:
        began = time.perf_counter()
        rows, limit, seconds = int(str(request["rows"])), int(str(request["bytes"])), float(str(request["seconds"]))
        with self._connection.transaction(force_rollback=True):
            self._limit(seconds)
            with psycopg.RawServerCursor(self._connection, "backedge") as cursor:
                cursor.execute(str(request["sql"]).encode(), _cells(request))
                described = [(d.name, d.type_code, d._fmod) for d in cursor.description or ()]
                kept, cut = fitting(_streamed(cursor), rows, limit)
            types = postgres_catalog.types(self._connection, [(oid, mod) for _, oid, mod in described])
        made = [shown(types[index], [row[index] for row in kept]) for index in range(len(described))]
        names = [name for name, _, _ in described]
        columns = [(name, t.name, column.kind) for name, t, column in zip(names, types, made, strict=True)]
        body = written(columns, zip(*(column.cells for column in made), strict=True), cut)
        ms = round((time.perf_counter() - began) * 1000)
        return {"ms": ms, "notes": _notes(names, made)}, body

    def _limit(self, seconds: float) -> None:
        """The server stops the query at its deadline, and soon after the client is gone."""
        timeout = psql.SQL("SET LOCAL statement_timeout = {}").format(max(1, int(seconds * 1000)))
        self._connection.execute(timeout)
        if self._connection.info.server_version >= _CHECKED:
            self._connection.execute("SET LOCAL client_connection_check_interval = '1s'")

    def _reset(self) -> None:
        """Nothing that a query set, locked or listens to is left to the next one."""
        if self._connection.closed:
            return
        if self._connection.info.transaction_status is not TransactionStatus.IDLE:
            self._connection.rollback()
        self._connection.execute("DISCARD ALL")

    def _error(self, error: psycopg.Error) -> Header:
        message = error.diag.message_primary or str(error)
        if self._password:
            message = message.replace(self._password, "***")
        code = error.sqlstate or ("08006" if isinstance(error, psycopg.OperationalError) else "")
        return {"error": message, "code": code, "hint": error.diag.message_hint or ""}


def _connected(request: Header) -> Connection:
    given = {key: str(request[key]) for key in ("host", "port", "user", "password", "dbname") if request[key]}
    options = " ".join(f"-c {name}={value}" for name, value in _OPTIONS.items())
    address = make_conninfo("", **given, options=options, application_name="backedge", connect_timeout=_CONNECT_SECONDS)
    connection: Connection = psycopg.connect(address, autocommit=True)
    # every type as the server's own text: nothing exact is lost on the way to where it is judged
    for info in connection.adapters.types:
        for oid in (info.oid, info.array_oid):
            connection.adapters.register_loader(oid, TextLoader)
    return connection


def _refused(message: str) -> str:
    """The SQLSTATE of a connection that failed: the client library gives only the sentence."""
    return next((code for said, code in _REFUSALS if re.search(said, message)), "08001")


def _streamed(cursor: psycopg.RawServerCursor[Row]) -> Iterator[Row]:
    """Every row, in batches that are small where the rows are large: a batch is in memory as a whole."""
    count = 1
    while batch := cursor.fetchmany(count):
        yield from batch
        size = max(sum(len(cell or "") for cell in row) for row in batch)
        count = max(1, min(_BATCH, count * 4, _BATCH_SIZE // max(1, size)))


def _notes(names: Sequence[str], made: Sequence[Typed]) -> list[str]:
    return [f"`{name}` {column.note}" for name, column in zip(names, made, strict=True) if column.note]


def _cells(request: Header) -> list[Value]:
    params = request["params"]
    assert isinstance(params, list)
    return [decode_cell(cell) for cell in params]


if __name__ == "__main__":
    session = Session()
    serve(session.open, session.answer)

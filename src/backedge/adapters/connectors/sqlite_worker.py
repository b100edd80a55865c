"""The child process that holds a SQLite file open, locked down, and answers one query at a time over its pipes."""

from __future__ import annotations

import hashlib
import os
import re
import resource
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from backedge.adapters.connectors import sqlite_catalog
from backedge.adapters.connectors.frames import Header, decode_cell
from backedge.adapters.connectors.plain_rows import Columns, fitting, written
from backedge.adapters.connectors.serving import Answer, serve
from backedge.adapters.connectors.sqlite_values import Held, plain, typed

_OVERHEAD = 1 << 30
_SPILLED = 4 << 30
_LONGEST = 64 << 20
_OLDEST = (3, 39)
_NUMERAL = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)
_PUBLIC = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE})
_REFUSED_FUNCTIONS = frozenset({"edit", "fts3_tokenizer", "load_extension", "readfile", "sqlite_log", "writefile"})


class Session:
    """One open file. Everything that is not reading its tables is refused by the engine itself."""

    def __init__(self) -> None:
        self._no_number = ""

    def open(self, request: Header) -> Answer:
        """Open the file read-only and give up, in this order, memory, writing, and all but SELECT."""
        if sqlite3.sqlite_version_info < _OLDEST:
            said = f"SQLite {sqlite3.sqlite_version} is too old"
            return {"error": said, "code": "SQLITE_TOO_OLD"}, b""
        memory, self._path = int(str(request["memory"])), str(request["path"])
        resource.setrlimit(resource.RLIMIT_AS, (memory + _OVERHEAD, memory + _OVERHEAD))
        resource.setrlimit(resource.RLIMIT_FSIZE, (_SPILLED, _SPILLED))
        try:
            self._connection = _opened(self._path, memory)
            self._connection.create_function("backedge_number", 2, self._refuse_text, deterministic=True)
            self._connection.create_function("backedge_numeral", 2, self._numeral, deterministic=True)
            return self._catalog(), b""
        except sqlite3.Error as error:
            return _error(error), b""

    def answer(self, request: Header) -> Answer:
        """The answer to one request; an error of the engine is an answer, too."""
        try:
            match request["op"]:
                case "catalog":
                    return self._catalog(), b""
                case "state":
                    return {"state": _state(self._path)}, b""
                case "explain":
                    rows = self._execute(f"EXPLAIN QUERY PLAN {request['sql']}", _cells(request)).fetchall()
                    return {"plan": "\n".join(str(row[3]) for row in rows)}, b""
                case _:
                    return self._run(request)
        except sqlite3.Error as error:
            said = {"error": self._no_number} if self._no_number else {}
            return {**_error(error), **said}, b""
        except (ValueError, OSError) as error:
            return {"error": str(error)}, b""
        except MemoryError:
            return {"error": "out of memory", "code": "SQLITE_NOMEM"}, b""

    def _catalog(self) -> Header:
        self._connection.set_authorizer(None)
        try:
            return {"tables": sqlite_catalog.tables(self._connection)}
        finally:
            self._connection.set_authorizer(_authorized)

    def _run(self, request: Header) -> Answer:
        began = time.perf_counter()
        cursor = self._execute(str(request["sql"]), _cells(request))
        if cursor.description is None:
            return {"error": "not a SELECT"}, b""
        kept, cut = fitting(cursor, int(str(request["rows"])), int(str(request["bytes"])))
        cursor.close()
        names = [name for name, *_ in cursor.description or ()]
        made = [typed([row[index] for row in kept]) for index in range(len(names))]
        columns: Columns = [(name, type_, kind) for name, (type_, kind, _) in zip(names, made, strict=True)]
        body = written(columns, zip(*(cells for _, _, cells in made), strict=True), cut)
        ms = round((time.perf_counter() - began) * 1000)
        return {"ms": ms, "notes": [_mixed(name, type_) for name, type_, _ in columns if "|" in type_]}, body

    def _execute(self, sql: str, params: Sequence[int | float | str | None]) -> sqlite3.Cursor:
        self._no_number = ""
        # `@1` and `$1` are names to SQLite, which it is given by their text
        return self._connection.execute(sql, {str(place): value for place, value in enumerate(params, 1)})

    def _numeral(self, value: Held, name: str) -> Held:
        """Text that says a number, as it is; SQLite itself casts any other to 0."""
        if not isinstance(value, str) or not _NUMERAL.fullmatch(value):
            self._refuse_text(value, name)
        return value

    def _refuse_text(self, value: Held, name: str) -> None:
        shown = repr(value)[:40]
        self._no_number = f"column {name} holds text ({shown}) where the query needs numbers; cast it in the view"
        raise ValueError(self._no_number)


def _opened(path: str, memory: int) -> sqlite3.Connection:
    uri = f"file:{quote(path)}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=5, cached_statements=0)
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    for setting in (f"hard_heap_limit = {memory}", "query_only = 1", "trusted_schema = 0", "cell_size_check = 1"):
        connection.execute(f"pragma {setting}").fetchall()
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    if hasattr(connection, "enable_load_extension"):
        connection.enable_load_extension(False)
    connection.execute("select 1 from sqlite_schema limit 1").fetchall()
    return connection


def _authorized(action: int, first: str | None, second: str | None, _db: str | None, _by: str | None) -> int:
    """The engine's own reading of the statement: a lock apart from the guard's, which parses with another parser."""
    allowed = action in _PUBLIC
    if action == sqlite3.SQLITE_READ:
        allowed = not (first or "").lower().startswith("sqlite_")
    elif action == sqlite3.SQLITE_FUNCTION:
        allowed = (second or "").lower() not in _REFUSED_FUNCTIONS
    elif action == sqlite3.SQLITE_PRAGMA:  # what full-text search asks itself
        allowed = (first, second) == ("data_version", None)
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _state(path: str) -> str:
    """Of the file and of its write-ahead log: sizes, times, and the headers, in which SQLite counts its changes."""
    digest = hashlib.sha256()
    for file, header in ((Path(path), 100), (Path(f"{path}-wal"), 32)):
        if file.exists():
            with file.open("rb") as opened:
                stat = os.fstat(opened.fileno())
                digest.update(f"{file}\0{stat.st_size}\0{stat.st_mtime_ns}\0".encode() + opened.read(header))
    return digest.hexdigest()[:32]


def _cells(request: Header) -> list[int | float | str | None]:
    params = request["params"]
    assert isinstance(params, list)
    return [plain(decode_cell(cell)) for cell in params]


def _mixed(name: str, type_: str) -> str:
    return f"`{name}` holds values of several types ({type_.replace('|', ' and ')}); they are shown as they are"


def _error(error: sqlite3.Error) -> Header:
    return {"error": str(error), "code": getattr(error, "sqlite_errorname", "")}


if __name__ == "__main__":
    session = Session()
    serve(session.open, session.answer)

"""Reads a SQLite file through a locked-down child process. The file is opened read-only and never copied."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import sqlglot

from backedge.adapters.connectors.frames import Header
from backedge.adapters.connectors.sqlite_groups import bare_column
from backedge.adapters.connectors.sqlite_numbers import with_checked_numbers
from backedge.adapters.connectors.worker_connector import WorkerConnector
from backedge.kernel.defect import Failure, Permanent, Transient
from backedge.query.ports import Rejected, TableInfo
from backedge.query.table import Cell

_KINDS = (
    (re.compile(r"no such table"), "unknown_table"),
    (re.compile(r"no such column|ambiguous column"), "unknown_column"),
    (re.compile(r"no such function|wrong number of arguments"), "function"),
    (re.compile(r"syntax error|incomplete input|unrecognized token"), "parse"),
    (re.compile(r"not authorized|prohibited|readonly|not a SELECT"), "not_read_only"),
    (re.compile(r"integer overflow|holds text|outside the range|cannot be given"), "type"),
)
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_IOERR", "SQLITE_PROTOCOL", "SQLITE_INTERRUPT")
_BROKEN = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_CANTOPEN", "SQLITE_AUTH_OPENING", "SQLITE_TOO_OLD")


@dataclass(frozen=True)
class SQLite:
    """The engine of one SQLite `file`; `memory` is in bytes."""

    file: Path
    memory: int
    dialect: str = "sqlite"
    worker: str = "backedge.adapters.connectors.sqlite_worker"
    grace: float = 0.0

    def opening(self) -> Header:
        """What the worker opens. Raises `Permanent` where there is no such file."""
        try:
            is_file = self.file.is_file()
            self.file.stat()
        except OSError as error:
            mend = f"create {self.file}, or correct `path` in config.yml"
            raise Permanent(f"{error.strerror}: {self.file}", mend=mend) from error
        if not is_file:
            raise Permanent(f"{self.file} is no file", mend="name a SQLite file with `path` in config.yml")
        return {"path": str(self.file.absolute()), "memory": self.memory}

    def fitted(self, sql: str, params: tuple[Cell, ...], tables: tuple[TableInfo, ...]) -> str | Rejected:
        """The statement with its arithmetic checked: SQLite itself counts text in a column of numbers as 0."""
        tree = sqlglot.parse_one(sql, read="sqlite")
        bare = bare_column(tree, {table.name.lower(): table.key for table in tables})
        if bare is not None:
            return Rejected("sql", f"`{bare}` is neither grouped by nor aggregated; SQLite would take any row's value")
        return with_checked_numbers(tree, params).sql(dialect="sqlite", comments=False)

    def refusal(self, name: str, answer: Header) -> Rejected | Failure:
        """What an error of SQLite means, by its code and its message."""
        message, code = str(answer["error"]), str(answer.get("code", ""))
        if code.startswith(("SQLITE_NOMEM", "SQLITE_FULL", "SQLITE_TOOBIG")):
            return Rejected("memory", "the query needs more memory or space than it may have; narrow it with a filter")
        if code.startswith(_BUSY):
            return Transient(f"database `{name}`: {message}; another program may be writing to {self.file}")
        if code.startswith(_BROKEN):
            return Permanent(f"database `{name}`: {self.file} cannot be read: {message}", mend=_mend(code, self.file))
        kind = next((kind for pattern, kind in _KINDS if pattern.search(message)), "sql")
        return Rejected(kind, message.splitlines()[0][:280])


def _mend(code: str, file: Path) -> str:
    if code == "SQLITE_TOO_OLD":
        return "use a Python that is built with SQLite 3.39 or newer"
    if code.startswith("SQLITE_CANTOPEN"):
        return f"let this user read {file}; one in WAL mode needs a folder that can be written, too"
    return f"see that {file} is a whole SQLite database (`PRAGMA integrity_check`), or name another"


def sqlite_connector(name: str, file: Path, *, memory: int = 1 << 30) -> WorkerConnector:
    """The port for a SQLite file."""
    return WorkerConnector(name, SQLite(file, memory))

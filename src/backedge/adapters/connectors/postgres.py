"""Reads a PostgreSQL database through a child process, in read-only transactions; needs `backedge[postgres]`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec

from backedge.adapters.connectors.frames import Header
from backedge.adapters.connectors.worker_connector import WorkerConnector
from backedge.kernel.defect import Failure, Permanent, RateLimited, Transient
from backedge.query.ports import Advice, Rejected, TableInfo
from backedge.query.table import Cell

_GRACE = 3.0
_BUSY_SECONDS = 5.0
_QUOTED = re.compile(r'"([^"]+)"')
_KINDS = {
    "42P01": "unknown_table",
    "3F000": "unknown_table",
    "42703": "unknown_column",
    "42702": "unknown_column",
    "42601": "parse",
    "42P02": "parse",
    "25006": "not_read_only",
    "42501": "not_read_only",
    "0A000": "not_read_only",
    "57014": "deadline",
    "53200": "memory",
    "53100": "memory",
    "54000": "memory",
    "42804": "type",
    "42846": "type",
    "42883": "type",  # the guard knows the function, so it is its arguments that do not fit
    "42P18": "type",
}
_USER = "check `user` and the variable that `password_var` names, and what pg_hba.conf allows"
_MENDS = {
    "28P01": _USER,
    "28000": _USER,
    "3D000": "check `database` in config.yml",
    "08004": "check `host` in config.yml",
}
_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True)
class Postgres:
    """The engine of one PostgreSQL database. `settings` are those of `config.yml`: `*_var` and `${NAME}` are variables.

    Values of variables are read when the worker starts, given to it over its pipe, and never shown.
    """

    settings: Mapping[str, str] = field(repr=False)
    memory: int
    dialect: str = "postgres"
    worker: str = "backedge.adapters.connectors.postgres_worker"
    grace: float = _GRACE

    def opening(self) -> Header:
        """Where the worker connects to. Raises `Permanent` where a variable is not set, or psycopg is missing."""
        if find_spec("psycopg") is None:
            raise Permanent("PostgreSQL needs psycopg", mend="pip install 'backedge[postgres]'")
        port = self._value("port") or "5432"
        if not port.isdecimal():
            raise Permanent(f"`port` is {port!r}, which is no number", mend="correct `port` in config.yml")
        return {
            "host": self._value("host") or "localhost",
            "port": port,
            "user": self._value("user"),
            "password": self._value("password"),
            "dbname": self._value("database"),
            "memory": self.memory,
        }

    def _value(self, key: str) -> str:
        name = self.settings.get(f"{key}_var", "")
        written = f"${{{name}}}" if name else self.settings.get(key, "")
        return _REFERENCE.sub(lambda found: _variable(found[1], key), written)

    def fitted(self, sql: str, params: tuple[Cell, ...], tables: tuple[TableInfo, ...]) -> str | Rejected:
        """The statement as it is."""
        return sql

    def refusal(self, name: str, answer: Header) -> Rejected | Failure:
        """What an error of PostgreSQL means, by its SQLSTATE."""
        code, hint = str(answer.get("code", "")), str(answer.get("hint", ""))
        message = str(answer["error"]).splitlines()[0][:280]
        if code.startswith("53") and code not in _KINDS:
            return RateLimited(f"database `{name}`: {message}", retry_after=_BUSY_SECONDS)
        if mend := _MENDS.get(code):
            return Permanent(f"database `{name}`: {message}", mend=mend)
        if code == "08001":
            return Transient(f"database `{name}`: {message}; see that it runs, and `host` and `port` in config.yml")
        if code.startswith(("08", "57P", "58", "40")):
            return Transient(f"database `{name}`: {message}")
        return Rejected(_kind(code), message, tuple(_QUOTED.findall(hint)))


def _kind(code: str) -> str:
    return _KINDS.get(code) or ("type" if code.startswith("22") else "sql")


def _variable(name: str, key: str) -> str:
    value = os.environ.get(name)
    if value is None:
        raise Permanent(f"the variable {name} for `{key}` is not set", mend=f"export {name}=…")
    return value


class PostgresConnector(WorkerConnector):
    """The port for a PostgreSQL database, which can also say what its role may do that reading does not need."""

    async def advice(self) -> tuple[Advice, ...]:
        """What the role should not be allowed, with the statements that take it away."""
        told = await self.told("role")
        found, role = told["found"], str(told["role"])
        assert isinstance(found, list)
        return tuple(_advice(str(kind), [str(name) for name in names], role) for kind, names in found)


def _advice(kind: str, names: list[str], role: str) -> Advice:
    if kind == "superuser":
        said = f"the role {role} is a superuser: only the guard stands between a query and the server's files"
        return Advice(said, _own_role(names), is_grave=True)
    if kind == "member":
        said = f"the role {role} may read or run what is outside the database ({', '.join(names)})"
        return Advice(said, "; ".join(f"REVOKE {name} FROM {role}" for name in names) + ";", is_grave=True)
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    if kind == "owner":
        return Advice(f"the role {role} owns tables ({shown}), so it may change them", _own_role(names))
    revoke = "; ".join(f"REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON {name} FROM {role}" for name in names[:5])
    return Advice(f"the role {role} may write to tables ({shown})", revoke + ";")


def _own_role(schemas: list[str]) -> str:
    named = ", ".join(schemas) if schemas and "." not in schemas[0] else "public"
    return (
        "CREATE ROLE backedge_reader LOGIN PASSWORD '…'; "
        f"GRANT USAGE ON SCHEMA {named} TO backedge_reader; "
        f"GRANT SELECT ON ALL TABLES IN SCHEMA {named} TO backedge_reader;"
    )


def postgres_connector(name: str, settings: Mapping[str, str], *, memory: int = 1 << 30) -> PostgresConnector:
    """The port for a PostgreSQL database."""
    return PostgresConnector(name, Postgres(settings, memory))

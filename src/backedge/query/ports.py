"""What an application needs of a database: the catalog, and the rows of one guarded query."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Protocol, runtime_checkable

from backedge.query.table import Cell, Table


@dataclass(frozen=True)
class Caps:
    """Limits of one query: `rows` and `bytes` of the result, `seconds` until the query is killed."""

    rows: int = 10_000
    bytes: int = 64 * 1024 * 1024
    seconds: float = 30.0


@dataclass(frozen=True)
class ForeignKey:
    """Columns whose values are those of `their_columns` in another table, as the database declares and keeps it."""

    columns: tuple[str, ...]
    table: str
    their_columns: tuple[str, ...]


@dataclass(frozen=True)
class TableInfo:
    """One table of a database: its name as SQL names it, its columns (name, engine type), row count where it is known.

    `notes` says what a reader must know of how it was loaded, such as a date column that fits two formats. `comment`
    and `comments` (of columns) are what the database's owner wrote: data, never instructions. `key` and `references`
    are what the database declares.
    """

    name: str
    columns: tuple[tuple[str, str], ...]
    rows: int | None = None
    notes: tuple[str, ...] = ()
    comment: str = ""
    comments: tuple[tuple[str, str], ...] = ()
    key: tuple[str, ...] = ()
    references: tuple[ForeignKey, ...] = ()


@dataclass(frozen=True)
class Ran:
    """A query that ran: its rows, how long the engine took (ms), and notes of the tables it read.

    `tied` says that a row which the query's own limit cut off has the same value as the last one that is here;
    `extents` are of each date that the question goes by its first and last day with data, and the days between two.
    """

    table: Table
    ms: int
    notes: tuple[str, ...] = ()
    tied: bool = False
    extents: tuple[tuple[str, date, date, int], ...] = ()


@dataclass(frozen=True)
class Queried:
    """SQL as it was run, and what it gave."""

    sql: str
    ran: Ran


@dataclass(frozen=True)
class Rejected:
    """A query that the guard or the database refused: the statement is at fault, so it is a proposal, no failure.

    `kind` is one of `not_read_only`, `not_one_statement`, `parse`, `function`, `unknown_table`, `unknown_column`,
    `type`, `sql`, `deadline`, `memory`; `near` are the nearest names where a name was unknown.
    """

    kind: str
    message: str
    near: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Advice:
    """Something about how a database is set up that should be mended: what is so, and the statements that change it.

    A grave one takes away a lock that everything else counts on.
    """

    said: str
    mend: str
    is_grave: bool = False


@runtime_checkable
class Advises(Protocol):
    """A connector that can say what its role may do beyond reading."""

    async def advice(self) -> tuple[Advice, ...]:
        """What to mend; nothing where the role may only read. Raises as a connector does."""
        ...


class Connector(Protocol):
    """One database. Every method may raise `Transient`, `RateLimited` or `Permanent`, and nothing else."""

    name: str
    dialect: str

    async def catalog(self) -> tuple[TableInfo, ...]:
        """All tables that may be read."""
        ...

    async def run(self, sql: str, params: tuple[Cell, ...] = (), caps: Caps | None = None) -> Ran | Rejected:
        """Guard, re-render and run one SELECT. `params` bind `$1`, `$2` … in order."""
        ...

    async def explain(self, sql: str, params: tuple[Cell, ...] = ()) -> str | Rejected:
        """The engine's plan for a guarded query, without running it."""
        ...

    async def fingerprint(self) -> str:
        """A hash that changes when the data may have changed; caches of values and keys are kept by it."""
        ...

    async def close(self) -> None:
        """End what the connector started."""
        ...

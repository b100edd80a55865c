"""What is measured of a table before it is drafted: the queries that ask for it, and what their rows say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sqlglot import exp

from backedge.semantic.dialects import dialect_of
from backedge.semantic.model import View
from backedge.semantic.tables import table_of

Kind = Literal["integer", "decimal", "double", "text", "boolean", "date", "datetime", "time", "id", "other"]
EXACT_UP_TO = 200_000
"""Rows up to which different values are counted one by one; above, the engine estimates them."""
FEW = 50
"""A column of at most so many different values is one to group by, and its values are shown."""
SAMPLES = 8
LONGEST_SAMPLE = 60
_AT_ONCE = 20
_ROW = 6
_KINDS: tuple[tuple[tuple[str, ...], Kind], ...] = (
    (
        ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"),
        "integer",
    ),
    (("DECIMAL",), "decimal"),
    (("FLOAT", "DOUBLE"), "double"),
    (("VARCHAR",), "text"),
    (("BOOLEAN",), "boolean"),
    (("DATE",), "date"),
    (("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE"), "datetime"),
    (("TIME",), "time"),
    (("UUID", "ENUM"), "id"),
)


@dataclass(frozen=True)
class Column:
    """One column: `filled` rows have a value, `different` of them differ; `low` and `high` are the ends, as text.

    `longest` is the most characters of a text, `numeric` how many texts are numbers; `top` are the most frequent ones.
    """

    name: str
    type: str
    kind: Kind
    filled: int = 0
    different: int = 0
    low: str = ""
    high: str = ""
    longest: int = 0
    numeric: int = 0
    top: tuple[str, ...] = ()


@dataclass(frozen=True)
class TableProfile:
    """One table as it was found; `estimated` says that different values were not counted one by one."""

    name: str
    rows: int
    columns: tuple[Column, ...]
    estimated: bool = False
    notes: tuple[str, ...] = field(default=())

    def column(self, name: str) -> Column:
        """The column of that name."""
        return next(column for column in self.columns if column.name == name)


def kind_of_type(type_: str) -> Kind:
    """How the engine's type is used: nested and binary ones are `other`. A list type is never its element's."""
    bare = type_.upper().partition("(")[0].strip()
    if type_.endswith("]"):
        return "other"
    return next((kind for names, kind in _KINDS if bare in names), "other")


def quoted(name: str) -> str:
    """A column's name in SQL."""
    return exp.to_identifier(name, quoted=True).sql(dialect="duckdb")


def table_sql(table: str) -> str:
    """A table's name in SQL, as a view over it will read it. Raises `Refused` for a name that no view can have."""
    tree = table_of(View(name=table, table=declared_table(table)), dialect_of("duckdb"))
    return tree.sql(dialect="duckdb")


def declared_table(table: str) -> str:
    """What a view's `table` says to read that table: a name with a quote in it must be quoted."""
    return quoted(table) if '"' in table or "`" in table else table


def chunks(columns: Sequence[Column]) -> Iterator[tuple[Column, ...]]:
    """The columns in as many parts as queries should have."""
    yield from (tuple(columns[at : at + _AT_ONCE]) for at in range(0, max(len(columns), 1), _AT_ONCE))


def measuring(table: str, columns: Sequence[Column], *, exact: bool) -> str:
    """The query for the row count and, for each column, what `measured` reads."""
    asked = ["COUNT(*)", *(part for column in columns for part in _measures(column, exact))]
    named = ", ".join(f"{part} AS m{index}" for index, part in enumerate(asked))
    return f"SELECT {named} FROM {table_sql(table)}"


def _measures(column: Column, exact: bool) -> tuple[str, ...]:
    name = quoted(column.name)
    if column.kind == "other":
        return (f"COUNT({name})", "0", "NULL", "NULL", "0", "0")
    different = f"COUNT(DISTINCT {name})" if exact else f"APPROX_COUNT_DISTINCT({name})"
    ends = (f"CAST(MIN({name}) AS TEXT)", f"CAST(MAX({name}) AS TEXT)")
    if column.kind != "text":
        return (f"COUNT({name})", different, *ends, "0", "0")
    return (f"COUNT({name})", different, *ends, f"MAX(LENGTH({name}))", f"COUNT(TRY_CAST({name} AS DOUBLE))")


def measured(columns: Sequence[Column], row: Sequence[object]) -> tuple[int, tuple[Column, ...]]:
    """The row count and the columns with what the query found."""
    found = []
    for index, column in enumerate(columns):
        filled, different, low, high, longest, numeric = row[1 + index * _ROW : 1 + (index + 1) * _ROW]
        texts = tuple("" if end is None else str(end) for end in (low, high))
        counts = tuple(int(str(number or 0)) for number in (filled, different, longest, numeric))
        found.append(
            Column(
                column.name, column.type, column.kind, counts[0], counts[1], texts[0], texts[1], counts[2], counts[3]
            )
        )
    return int(str(row[0])), tuple(found)


def has_top(column: Column) -> bool:
    """Whether the values of a column are worth showing: few, short, and not one for each row, as addresses are."""
    is_few = 0 < column.different <= FEW and column.different * 2 <= column.filled
    return column.kind in ("text", "id") and is_few and column.longest <= LONGEST_SAMPLE


def counting(table: str, columns: Sequence[Column]) -> str:
    """The query for the values of columns that have few, the most frequent first: (place of the column, value)."""
    source = table_sql(table)
    parts = [
        f"SELECT {place} AS place, CAST({name} AS TEXT) AS value, COUNT(*) AS n FROM {source}"
        f" WHERE {name} IS NOT NULL GROUP BY {name}"
        for place, name in enumerate(quoted(column.name) for column in columns)
    ]
    return f"SELECT place, value FROM ({' UNION ALL '.join(parts)}) AS held ORDER BY place, n DESC, value"


def counted(rows: Sequence[Sequence[object]], place: int) -> tuple[str, ...]:
    """The values of the column at that place."""
    return tuple(str(row[1]) for row in rows if row[0] == place and str(row[1]).strip())[:SAMPLES]


def groups(table: str, keys: Sequence[tuple[str, ...]]) -> str:
    """The query for how many different combinations each of `keys` has in all rows."""
    source = table_sql(table)
    parts = (
        f"(SELECT COUNT(*) FROM (SELECT DISTINCT {', '.join(map(quoted, key))} FROM {source}) AS k{index}) AS n{index}"
        for index, key in enumerate(keys)
    )
    return f"SELECT {', '.join(parts)}"


def orphans(table: str, column: str, other: str, key: str) -> str:
    """The query for how many rows of a column have a value that the other table's key does not hold."""
    name = quoted(column)
    met = f"SELECT 1 FROM {table_sql(other)} AS b WHERE b.{quoted(key)} = a.{name}"
    return f"SELECT COUNT(*) FROM {table_sql(table)} AS a WHERE a.{name} IS NOT NULL AND NOT EXISTS ({met})"

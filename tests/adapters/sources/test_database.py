"""Rows of a database as a source: one guarded SELECT as CSV, and what it holds is measured; or a clear refusal."""

from __future__ import annotations

import asyncio
import sqlite3
from decimal import Decimal
from pathlib import Path

import pytest

from backedge.adapters.connectors.sqlite import sqlite_connector
from backedge.adapters.reading import rows
from backedge.adapters.sources.database import DatabaseSource
from backedge.evidence.measuring import measured
from backedge.evidence.reading import Reading
from backedge.evidence.sources import Delivery
from backedge.kernel.defect import Permanent
from backedge.query.ports import Caps, Ran, Rejected, TableInfo
from backedge.query.table import Cell, Column, Table


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("lab") / "lab.db"
    with sqlite3.connect(made) as connection:
        connection.executescript(
            "create table weights (grp text, day integer, value real, unit text);"
            "insert into weights values ('A, x', 0, 25.5, 'g'), ('B', 7, null, 'g'), ('C', 7, 24.0, 'mg');"
        )
    connection.close()
    return made


def fetched(file: Path, identifier: str) -> Delivery:
    async def asked() -> Delivery:
        connector = sqlite_connector("lab", file)
        try:
            return await DatabaseSource({"lab": connector}).fetch(identifier)
        finally:
            await connector.close()

    return asyncio.run(asked())


def test_the_rows_of_a_query_come_as_csv_and_are_measured(file: Path) -> None:
    query = 'lab: select grp as "group", day, value, unit from weights order by grp'
    delivery = fetched(file, query)
    assert delivery.content == b'group,day,value,unit\n"A, x",0,25.5,g\nB,7,,g\nC,7,24.0,mg\n'
    assert (delivery.media_type, delivery.name) == ("text/csv", "lab.csv")
    assert fetched(file, query) == delivery
    found = rows.read(delivery.content, delivery.name)
    assert isinstance(found, Reading)
    assert [(one.group, one.time_point, one.value, one.unit) for one in measured(found.rows, "v")] == [
        ("A, x", "day 0", "25.5", "g"),
        ("C", "day 7", "24.0", "mg"),
    ]


@pytest.mark.parametrize(
    ("identifier", "said", "mend"),
    [
        ("select 1", "names no query", "DATABASE:SELECT"),
        ("lab:", "names no query", "DATABASE:SELECT"),
        ("other: select 1", "no database `other`", "lab"),
        ("lab: drop table weights", "was refused", "SELECT"),
        ("lab: select 1; select 2", "was refused", "SELECT"),
        ("lab: insert into weights values ('x', 1, 2, 'g')", "was refused", "SELECT"),
        ("lab: select valu from weights", "value", "SELECT"),
        ("lab: select load_extension('x')", "was refused", "SELECT"),
    ],
)
def test_what_is_no_query_is_refused_with_what_to_do(file: Path, identifier: str, said: str, mend: str) -> None:
    with pytest.raises(Permanent) as caught:
        fetched(file, identifier)
    assert (said in str(caught.value), mend in caught.value.mend) == (True, True)


class Cut:
    """A connector whose result lacks rows."""

    name, dialect = "cut", "sqlite"

    async def run(self, sql: str, params: tuple[Cell, ...] = (), caps: Caps | None = None) -> Ran | Rejected:
        column = Column(name="value", type="DECIMAL", kind="decimal")
        return Ran(Table(columns=(column,), rows=((Decimal(1),),), truncated="rows"), 1)

    async def catalog(self) -> tuple[TableInfo, ...]:
        raise NotImplementedError

    async def explain(self, sql: str, params: tuple[Cell, ...] = ()) -> str | Rejected:
        raise NotImplementedError

    async def fingerprint(self) -> str:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError


def test_a_part_of_the_rows_does_not_pass_for_the_whole() -> None:
    with pytest.raises(Permanent, match="more rows") as caught:
        asyncio.run(DatabaseSource({"cut": Cut()}).fetch("cut: select value from t"))
    assert "WHERE" in caught.value.mend

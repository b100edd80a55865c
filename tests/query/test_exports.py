"""A table as text, and a statement with its values written in: nothing is lost, nothing becomes something else."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from backedge.adapters.exporting.parquet import parquet
from backedge.query.csv_text import csv_text
from backedge.query.table import Cell, Column, Kind, Table
from backedge.query.written_out import written_out

ROWS: tuple[tuple[Cell, ...], ...] = (
    (1, Decimal("12.50"), 'say "hi", you\nthere', date(2024, 2, 29), True, 0.1),
    (2**70, Decimal("-0.001"), "", None, False, None),
    (None, None, None, date(1, 1, 1), None, 1e300),
)
KINDS: dict[str, Kind] = {
    "n": "integer",
    "amount": "decimal",
    "text": "text",
    "day": "date",
    "yes": "boolean",
    "ratio": "double",
}
TABLE = Table(columns=tuple(Column(name=name, type="", kind=kind) for name, kind in KINDS.items()), rows=ROWS)


def test_csv_keeps_every_digit_and_tells_nothing_from_empty() -> None:
    text = csv_text(TABLE)
    lines = list(csv.reader(io.StringIO(text)))
    assert lines[0] == list(KINDS)
    assert lines[1] == ["1", "12.50", 'say "hi", you\nthere', "2024-02-29", "true", "0.1"]
    assert text.splitlines()[-2:] == [f'{2**70},-0.001,"",,false,', ",,,0001-01-01,,1e+300"]


def test_parquet_keeps_types_and_values(tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    file.write_bytes(parquet(TABLE))
    with duckdb.connect() as connection:
        read = connection.execute(f"select * from '{file}'")
        types = [str(each[1]) for each in read.description or ()]
        rows = read.fetchall()
    assert types[1:5] == ["DECIMAL(38,3)", "VARCHAR", "DATE", "BOOLEAN"]
    assert rows[0][1:] == ROWS[0][1:]
    assert rows[2] == ROWS[2]
    assert rows[1][1:] == ROWS[1][1:]


def test_parquet_of_no_rows_and_of_two_columns_of_one_name(tmp_path: Path) -> None:
    columns = (Column(name='a"b', type="", kind="text"), Column(name='a"b', type="", kind="datetime"))
    for rows in ((), (("x", datetime(2024, 1, 2, 3, 4, tzinfo=UTC)),)):
        file = tmp_path / f"{len(rows)}.parquet"
        file.write_bytes(parquet(Table(columns=columns, rows=rows)))
        with duckdb.connect() as connection:
            found = connection.execute(f"select * from '{file}'")
            assert [each[0] for each in found.description or ()] == ['a"b', 'a"b_2']
            assert len(found.fetchall()) == len(rows)


@pytest.mark.parametrize("value", [1, -2, "it's; --", True, None, Decimal("1.50"), date(2024, 2, 29), 0.25])
def test_a_value_that_is_written_in_is_the_value_that_was_bound(value: Cell) -> None:
    sql = written_out("select $1 as a, $2 as b", (value, "z"), "duckdb")
    assert sql is not None
    assert "$" not in sql
    with duckdb.connect() as connection:
        assert connection.execute(sql).fetchone() == (value, "z")


@pytest.mark.parametrize(
    ("sql", "dialect", "wanted"),
    [
        ("select $2 as b, $1 as a", "duckdb", [2, 1]),
        ("select '$1' as t, $1 as a, $2 as b", "duckdb", ["$1", 1, 2]),
    ],
)
def test_each_value_goes_to_its_own_place(sql: str, dialect: str, wanted: list[Cell]) -> None:
    written = written_out(sql, (1, 2), dialect)
    assert written is not None
    with duckdb.connect() as connection:
        assert list(connection.execute(written).fetchone() or ()) == wanted


def test_what_cannot_be_written_in_is_none() -> None:
    assert written_out("select $3", (1, 2), "duckdb") is None
    assert written_out("select from from", (1,), "duckdb") is None

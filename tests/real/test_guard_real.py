"""Real queries pass the guard, and real files load right: defog's gold SQL, and the oxygen demo's own."""

from __future__ import annotations

import asyncio
import csv
import json
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
import yaml
from sqlglot import exp, parse_one

from backedge.adapters.connectors.duckdb import DuckDBConnector
from backedge.query.ports import Ran
from backedge.query.sqlguard import Guarded, guard

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
DEMO = SHARED / "oxygen-demo"

needs_data = pytest.mark.skipif(not SHARED.exists(), reason="the shared data sets are not here")


def schemas() -> dict[str, dict[str, list[str]]]:
    found = {}
    for path in SHARED.glob("defog-data/defog_data/*/*.json"):
        tables = json.loads(path.read_text())["table_metadata"]
        found[path.stem] = {name: [column["column_name"] for column in columns] for name, columns in tables.items()}
    return found


def gold(dialect: str) -> Iterator[tuple[str, str]]:
    for path in sorted(SHARED.glob(f"defog-sql-eval/data/*_{dialect}.csv")):
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                for sql in re.split(r";(?=\s*(?:SELECT|WITH|$))", row["query"]):
                    if sql.strip():
                        yield row["db_name"], sql


@needs_data
def test_all_gold_sql_of_defog_passes() -> None:
    known = schemas()
    refused = [
        (sql, verdict)
        for database, sql in gold("postgres")
        if not isinstance(verdict := guard(sql, "postgres", known[database], caps_rows=1000), Guarded)
    ]
    assert refused == []


@needs_data
def test_a_misspelt_column_is_seen_in_nearly_every_gold_query() -> None:
    known = schemas()
    seen, missed = 0, []
    for database, sql in gold("postgres"):
        tree = parse_one(sql, dialect="postgres")
        real = {column.casefold() for columns in known[database].values() for column in columns}
        column = next((column for column in tree.find_all(exp.Column) if column.name.casefold() in real), None)
        if column is None:
            continue
        column.this.set("this", column.name + "_zz")
        verdict = guard(tree.sql("postgres"), "postgres", known[database], caps_rows=1000)
        seen += 1
        if isinstance(verdict, Guarded):
            missed.append(verdict.sql)
    assert seen > 300
    assert len(missed) <= 1


def demo_sql() -> list[str]:
    """The verified queries and the SQL of the procedures, except what is a template."""
    found = [path.read_text() for path in sorted(DEMO.glob("example_sql/*.sql"))]
    for path in sorted(DEMO.glob("workflows/*.yml")):
        found += [task["sql_query"] for task in yaml.safe_load(path.read_text())["tasks"] if "sql_query" in task]
    return [sql for sql in found if "{{" not in sql and "{%" not in sql]


@needs_data
def test_the_sql_of_the_oxygen_demo_runs_as_written(tmp_path: Path) -> None:
    async def answers() -> list[object]:
        connector = DuckDBConnector("local", dataset=DEMO / ".db", cache=tmp_path)
        try:
            return [await connector.run(sql) for sql in demo_sql()]
        finally:
            await connector.close()

    found = asyncio.run(answers())
    assert len(found) > 5
    assert [answer for answer in found if not isinstance(answer, Ran)] == []
    assert all(answer.table.rows for answer in found if isinstance(answer, Ran))


@needs_data
def test_the_dates_of_the_oxygen_demo_are_day_month_year_and_its_sums_exact(tmp_path: Path) -> None:
    totals: dict[int, Decimal] = {}
    with open(DEMO / ".db" / "oxymart.csv", newline="") as file:
        for row in csv.DictReader(file):
            year = int(row["Date"].split("-")[2])
            totals[year] = totals.get(year, Decimal(0)) + Decimal(row["Weekly_Sales"])

    async def asked() -> tuple[object, object]:
        connector = DuckDBConnector("local", dataset=DEMO / ".db", cache=tmp_path)
        by_year = await connector.run("select year(date), sum(weekly_sales) from 'oxymart.csv' group by 1 order by 1")
        first = await connector.run("select min(date), max(date) from oxymart")
        await connector.close()
        return by_year, first

    by_year, first = asyncio.run(asked())
    assert isinstance(by_year, Ran)
    assert isinstance(first, Ran)
    assert by_year.table.rows == tuple(sorted(totals.items()))
    assert first.table.rows == ((date(2010, 2, 5), date(2012, 10, 26)),)

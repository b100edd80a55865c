"""Real queries pass the guard, and real files load right: gold SQL of defog and Spider, and the oxygen demo's own."""

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
from backedge.query.ports import Ran, Rejected
from backedge.query.sqlguard import Guarded, guard

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
DEMO = SHARED / "oxygen-demo"

needs_data = pytest.mark.skipif(not SHARED.exists(), reason="the shared data sets are not here")


DIALECTS = ["postgres", "sqlite", "mysql", "bigquery", "snowflake", "tsql"]
Tables = dict[str, list[str]]

# Refused, each for a reason: a table of another database, and a LIMIT that is an expression of a subquery, which
# sqlglot does not parse.
REFUSED = {("tsql", "master..spt_values"), ("sqlite", "LIMIT 2 - (SELECT COUNT(*) FROM merchant_balances)")}


def schemas() -> dict[str, Tables]:
    """The tables of each database under every name that a dialect's gold SQL gives them: bare, and with a schema."""
    found: dict[str, Tables] = {}
    for path in SHARED.glob("defog-data/defog_data/*/*.json"):
        found[path.stem] = {}
        for name, columns in json.loads(path.read_text())["table_metadata"].items():
            bare = name.rpartition(".")[2]
            for spelling in (name, bare, f"{path.stem}.{bare}"):
                found[path.stem][spelling] = [column["column_name"] for column in columns]
    return found


def gold(dialect: str) -> Iterator[tuple[str, str]]:
    for path in sorted(SHARED.glob(f"defog-sql-eval/data/*_{dialect}.csv")):
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                for sql in re.split(r";(?=\s*(?:SELECT|WITH|$))", row["query"], flags=re.IGNORECASE):
                    if sql.strip():
                        yield row["db_name"], without_braces(sql)


def without_braces(sql: str) -> str:
    """`{a, b}` are columns of which any may be answered: all of them here; `{}` are the same again."""
    columns = re.search(r"\{([^}]+)\}", sql)
    return re.sub(r"\{([^}]*)\}", lambda found: found[1] or (columns[1] if columns else ""), sql)


def spider() -> Iterator[tuple[Tables, str]]:
    folder = SHARED / "spider-dev" / "spider_data"
    found: dict[str, Tables] = {}
    for schema in json.loads((folder / "tables.json").read_text()):
        names = schema["table_names_original"]
        found[schema["db_id"]] = {name: [] for name in names}
        for table, column in schema["column_names_original"]:
            if table >= 0:
                found[schema["db_id"]][names[table]].append(column)
    for question in json.loads((folder / "dev.json").read_text()):
        yield found[question["db_id"]], question["query"]


@needs_data
@pytest.mark.slow
def test_all_gold_sql_of_defog_and_spider_passes_but_for_two() -> None:
    known = schemas()
    queries = [(dialect, known[database], sql) for dialect in DIALECTS for database, sql in gold(dialect)]
    queries += [("sqlite", tables, sql) for tables, sql in spider()]
    refused = [
        (dialect, sql)
        for dialect, tables, sql in queries
        if not isinstance(guard(sql, dialect, tables, caps_rows=1000), Guarded)
    ]
    assert len(queries) == 3574
    assert {(dialect, part) for dialect, sql in refused for _, part in REFUSED if part in sql} == REFUSED
    assert len(refused) == len(REFUSED)


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("dialect", [*DIALECTS, "spider"])
def test_a_misspelt_column_is_seen_in_nearly_every_gold_query(dialect: str) -> None:
    known = schemas()
    queries = spider() if dialect == "spider" else ((known[database], sql) for database, sql in gold(dialect))
    language = "sqlite" if dialect == "spider" else dialect
    verdicts = [verdict for tables, sql in queries if (verdict := misspelt(sql, language, tables)) is not None]
    missed = [verdict.sql for verdict in verdicts if isinstance(verdict, Guarded)]
    assert len(verdicts) > 200
    assert len(missed) <= 1


def misspelt(sql: str, dialect: str, tables: Tables) -> Guarded | Rejected | None:
    """The verdict on a query with one column misspelt; None where it has no column, or the query itself is refused."""
    if isinstance(guard(sql, dialect, tables, caps_rows=1000), Rejected):
        return None
    tree = parse_one(sql, dialect=dialect)
    real = {column.casefold() for columns in tables.values() for column in columns}
    column = next((column for column in tree.find_all(exp.Column) if column.name.casefold() in real), None)
    if column is None:
        return None
    column.this.set("this", column.name + "_zz")
    return guard(tree.sql(dialect), dialect, tables, caps_rows=1000)


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

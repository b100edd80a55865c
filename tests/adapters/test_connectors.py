"""What every connector must do. To add one: a function that fills a database, and an entry of CONNECTORS."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

import duckdb
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from backedge.adapters.connectors.duckdb import DuckDBConnector
from backedge.adapters.connectors.postgres import postgres_connector
from backedge.adapters.connectors.sqlite import sqlite_connector
from backedge.query.ports import Caps, Connector, Ran, Rejected
from backedge.query.table import Cell

T = TypeVar("T")

ROWS = """
    create table sales (id bigint, big hugeint, amount decimal(12, 2), ratio double, name varchar, day date,
        made timestamp, seen timestamptz, clock time, ok boolean);
    insert into sales values
        (9007199254740993, 170141183460469231731687303715884105727, 0.10, 0.5, 'Zoë', '2024-02-29',
         '2024-02-29 12:00:00.000001', '2024-02-29 12:00:00+02', '23:59:59', true),
        (-1, -1, 9999999999.99, 'nan', '', '1969-12-31', '1969-12-31 23:59:59',
         '1970-01-01 00:00:00+00', '00:00', false),
        (null, null, null, null, null, null, null, null, null, null);
    create table numbers as select i as n from range(100) t(i);
"""
FIRST = (
    9007199254740993,
    170141183460469231731687303715884105727,
    Decimal("0.10"),
    0.5,
    "Zoë",
    date(2024, 2, 29),
    datetime(2024, 2, 29, 12, 0, 0, 1),
    datetime(2024, 2, 29, 10, tzinfo=UTC),
    time(23, 59, 59),
    True,
)


Fixture = Callable[[str], object]
MOMENT = datetime(2024, 2, 29, 12, 0, 0, 1)
SENT: tuple[Cell, ...] = (1, Decimal("1.10"), 0.1, "x", True, date(2024, 1, 2), MOMENT, time(1, 2, 3), None)


@dataclass(frozen=True)
class Case:
    """A database with what its engine gives for the same rows. `lacks` are words of what it has not."""

    make: Callable[[Path, Fixture], Connector]
    first: tuple[Cell, ...] = FIRST
    kinds: tuple[str, ...] = ("integer", "integer", "decimal", "double", "text")
    back: tuple[Cell, ...] = SENT
    wide: str = "repeat('x', {})"
    hungry: str = "select list(repeat('x', 1000000) || a.n || b.n) from numbers a, numbers b"
    numbers: str = "select [1.5, -2.5] as numbers"
    busy: tuple[str, int] = ("numbers a, numbers b, numbers c, numbers d", 100_000_000)
    lacks: tuple[str, ...] = ()


def duckdb_file(folder: Path, _fixture: Fixture) -> Connector:
    with duckdb.connect(str(folder / "shop.duckdb")) as connection:
        connection.execute(ROWS)
    return DuckDBConnector("shop", file=folder / "shop.duckdb", memory=512 << 20)


def sqlite_file(folder: Path, _fixture: Fixture) -> Connector:
    with sqlite3.connect(folder / "shop.db") as connection:
        connection.executescript(ROWS.replace(NUMBERS, "") + SQLITE_NUMBERS)
    connection.close()
    return sqlite_connector("shop", folder / "shop.db", memory=256 << 20)


def postgres_database(_folder: Path, fixture: Fixture) -> Connector:
    server = str(fixture("postgres_server"))
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("create database conforming")
    address = conninfo_to_dict(server) | {"dbname": "conforming"}
    with psycopg.connect(make_conninfo("", **address)) as connection:
        connection.execute(ROWS.replace("hugeint", "numeric").replace("double", "float8").replace("range(100)", SERIES))
    named = {"host": str(address["host"]), "user": str(address["user"]), "database": "conforming"}
    return postgres_connector("shop", named, memory=512 << 20)


NUMBERS = "create table numbers as select i as n from range(100) t(i);"
SQLITE_NUMBERS = """create table numbers as
    with recursive r(n) as (select 0 union all select n + 1 from r where n < 99) select n from r;"""
SERIES = "generate_series(0, 99)"
CONNECTORS: dict[str, Case] = {
    "duckdb": Case(duckdb_file),
    "sqlite": Case(
        sqlite_file,
        first=(FIRST[0], float(2**127), 0.1, *FIRST[3:8], "23:59:59", 1),
        kinds=("integer", "double", "double", "other", "text"),
        back=(1, 1.1, 0.1, "x", 1, date(2024, 1, 2), MOMENT, "01:02:03", None),
        wide="printf('%{}d', 1)",
        hungry="select " + ", ".join(f"printf('%60000000d', {n}) as c{n}" for n in range(8)),
        busy=("numbers a, numbers b, numbers c", 1_000_000),
        lacks=("decimals", "lists", "dates"),
    ),
    "postgres": Case(
        postgres_database,
        first=(FIRST[0], Decimal(2**127 - 1), *FIRST[2:]),
        kinds=("integer", "decimal", "decimal", "double", "text"),
        numbers="select array[1.5, -2.5] as numbers",
        busy=("numbers a, numbers b, numbers c", 1_000_000),
        lacks=("memory",),
    ),
}


def run(work: Awaitable[T]) -> T:
    async def awaited() -> T:
        return await work

    return asyncio.run(awaited())


@pytest.fixture(params=list(CONNECTORS), scope="module")
def case(request: pytest.FixtureRequest) -> Case:
    return CONNECTORS[request.param]


@pytest.fixture(scope="module")
def database(
    case: Case, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Connector]:
    connector = case.make(tmp_path_factory.mktemp("database"), request.getfixturevalue)
    yield connector
    run(connector.close())


def needs(case: Case, *what: str) -> None:
    missing = [name for name in what if name in case.lacks]
    if missing:
        pytest.skip(f"this engine has no {missing[0]} of its own")


def ran(database: Connector, sql: str, *params: object, caps: Caps | None = None) -> Ran:
    result = run(database.run(sql, params, caps))  # type: ignore[arg-type]
    assert isinstance(result, Ran), result
    return result


def refused(database: Connector, sql: str, caps: Caps | None = None) -> Rejected:
    result = run(database.run(sql, caps=caps))
    assert isinstance(result, Rejected), result
    return result


def test_the_catalog_has_every_table_with_its_columns(database: Connector) -> None:
    tables = {table.name: table for table in run(database.catalog())}
    assert set(tables) == {"numbers", "sales"}
    assert [name for name, _ in tables["sales"].columns][:3] == ["id", "big", "amount"]
    assert tables["numbers"].rows in (100, None)


def test_values_come_exactly(database: Connector, case: Case) -> None:
    table = ran(database, "select * from sales order by id desc nulls last").table
    assert table.rows[0] == case.first
    assert [type(cell) for cell in table.rows[0]] == [type(cell) for cell in case.first]
    assert table.rows[2] == (None,) * len(case.first)
    assert tuple(column.kind for column in table.columns)[:5] == case.kinds
    assert type(table).model_validate_json(table.model_dump_json()).rows[0] == case.first


def test_a_sum_of_decimals_is_exact(database: Connector, case: Case) -> None:
    needs(case, "decimals")
    assert ran(database, "select sum(amount) from sales").table.rows == ((Decimal("10000000000.09"),),)


@pytest.mark.parametrize("type_", ["decimal(4, 1)", "decimal(9, 2)", "decimal(18, 2)", "decimal(38, 2)"])
def test_a_negative_decimal_keeps_its_sign(database: Connector, case: Case, type_: str) -> None:
    needs(case, "decimals")
    cells = ran(
        database, f"select (-2.5)::{type_}, min(x), sum(x) from (values (1.5::{type_}), (-7.5)) t(x)"
    ).table.rows
    assert cells == ((Decimal("-2.5"), Decimal("-7.5"), Decimal("-6")),)


def test_a_list_of_decimals_is_no_number(database: Connector, case: Case) -> None:
    needs(case, "lists")
    table = ran(database, case.numbers).table
    assert table.columns[0].kind == "other"
    assert table.rows[0][0] in ("[1.5, -2.5]", "{1.5,-2.5}")


def test_an_empty_result_keeps_its_columns(database: Connector) -> None:
    table = ran(database, "select id, name from sales where id = 5").table
    assert ([column.name for column in table.columns], table.rows) == (["id", "name"], ())


def test_params_are_bound_in_order_and_never_read_as_sql(database: Connector) -> None:
    hostile = "'; drop table sales; --"
    sql = "select $1 as a, $2 as b, count(*) as c from sales where name = $1 and day < $3 and amount > $4"
    row = ran(database, sql, hostile, 2**62, date(2024, 1, 1), Decimal("0.1")).table.rows[0]
    assert row == (hostile, 2**62, 0)


def test_a_param_of_every_kind_arrives(database: Connector, case: Case) -> None:
    sql = "select " + ", ".join(f"${index}" for index in range(1, len(SENT) + 1))
    assert ran(database, sql, *SENT).table.rows == (case.back,)


def test_a_span_of_time_arrives(database: Connector, case: Case) -> None:
    needs(case, "dates")
    assert ran(database, "select $1", timedelta(days=2)).table.rows == ((timedelta(days=2),),)


def test_rows_are_cut_at_the_cap_and_it_is_said(database: Connector) -> None:
    table = ran(database, "select n from numbers order by n", caps=Caps(rows=10)).table
    assert (len(table.rows), table.truncated, table.rows[9]) == (10, "rows", (9,))
    assert ran(database, "select n from numbers", caps=Caps(rows=100)).table.truncated is None


def test_bytes_are_cut_at_the_cap_and_it_is_said(database: Connector, case: Case) -> None:
    sql = f"select n, {case.wide.format(1000)} from numbers order by n"
    table = ran(database, sql, caps=Caps(bytes=20_000)).table
    assert table.truncated == "bytes"
    assert 5 < len(table.rows) < 20
    assert table.rows[0][0] == 0


def test_a_cell_larger_than_the_cap_gives_no_rows(database: Connector, case: Case) -> None:
    table = ran(database, f"select {case.wide.format(1_000_000)} as x", caps=Caps(bytes=20_000)).table
    assert (table.rows, table.truncated, table.columns[0].name) == ((), "bytes", "x")


ENDLESS = "with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r"


def test_a_query_past_its_deadline_is_stopped_and_the_next_one_works(database: Connector) -> None:
    assert refused(database, ENDLESS, Caps(seconds=0.3)).kind == "deadline"
    assert ran(database, "select count(*) from sales").table.rows == ((3,),)


def test_a_query_past_its_memory_is_stopped_and_the_next_one_works(database: Connector, case: Case) -> None:
    needs(case, "memory")
    assert refused(database, case.hungry).kind == "memory"
    assert ran(database, "select count(*) from sales").table.rows == ((3,),)


@pytest.mark.parametrize(
    ("sql", "kind", "near"),
    [
        ("select * from sale", "unknown_table", "sales"),
        ("select amonut from sales", "unknown_column", "amount"),
        ("select summ(amount) from sales", "function", None),
        ("select name::int from sales where name <> ''", "type", None),
        ("select from where", "parse", None),
        ("select sum(name) from sales", "type", None),
        ("select name, sum(id) from sales", "sql", None),
        ("delete from sales", "not_read_only", None),
        ("select 1; select 2", "not_one_statement", None),
        ("select date '-infinity'", "type", None),
    ],
)
def test_a_statement_at_fault_is_rejected_with_its_kind(
    database: Connector, case: Case, sql: str, kind: str, near: str | None
) -> None:
    if "infinity" in sql:
        needs(case, "dates")
    rejected = refused(database, sql)
    assert rejected.kind == kind
    assert len(rejected.message) < 300
    assert "\n" not in rejected.message
    if near:
        assert near in rejected.near


def test_queries_at_once_each_get_their_own_answer(database: Connector) -> None:
    async def both() -> list[Ran | Rejected]:
        return await asyncio.gather(*(database.run(f"select {n} as n, count(*) from sales") for n in range(8)))

    answers = run(both())
    assert [answer.table.rows for answer in answers if isinstance(answer, Ran)] == [((n, 3),) for n in range(8)]


def test_a_cancelled_query_ends_and_the_next_one_works(database: Connector) -> None:
    async def cancelled() -> None:
        asking = asyncio.create_task(database.run(ENDLESS, caps=Caps(seconds=60)))
        await asyncio.sleep(0.3)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    run(cancelled())
    assert ran(database, "select count(*) from sales").table.rows == ((3,),)


def test_cancelling_one_that_waits_leaves_the_running_one_alone(database: Connector, case: Case) -> None:
    tables, count = case.busy

    async def second_cancelled() -> Ran | Rejected:
        first = asyncio.create_task(database.run(f"select count(*) from {tables}"))
        second = asyncio.create_task(database.run("select 1"))
        await asyncio.sleep(0.05)
        second.cancel()
        return await first

    answer = run(second_cancelled())
    assert isinstance(answer, Ran)
    assert answer.table.rows == ((count,),)


def test_explain_shows_a_plan_and_guards(database: Connector) -> None:
    plan = run(database.explain("select count(*) from sales where id > $1", (1,)))
    assert isinstance(plan, str)
    assert "sales" in plan.lower()
    rejected = run(database.explain("delete from sales"))
    assert isinstance(rejected, Rejected)


def test_the_fingerprint_is_the_same_until_the_data_changes(database: Connector) -> None:
    assert run(database.fingerprint()) == run(database.fingerprint())


def test_closing_twice_is_fine_and_asking_again_starts_again(database: Connector) -> None:
    run(database.close())
    run(database.close())
    assert ran(database, "select 1").table.rows == ((1,),)

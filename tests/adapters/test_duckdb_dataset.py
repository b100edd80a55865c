"""A folder of files as one database: its tables, its cache, its bad files, and what happens when files change."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import TypeVar

import duckdb
import pytest

from backedge.adapters.connectors.duckdb import DuckDBConnector
from backedge.adapters.connectors.duckdb_cache import cache_for, fingerprint
from backedge.kernel.defect import Permanent, Transient
from backedge.query.ports import Ran, Rejected

T = TypeVar("T")


def run(work: Awaitable[T]) -> T:
    async def awaited() -> T:
        return await work

    return asyncio.run(awaited())


def write(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        stem, _, suffix = name.rpartition("_")
        (folder / f"{stem}.{suffix}").write_text(content)
    return folder


def put(folder: Path) -> Path:
    return write(folder, sales_csv="id,day\n1,03-04-2024\n", notes_csv="a,b\n1,2,3\n", readme_md="no table")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return put(tmp_path / "data")


@pytest.fixture
def database(data: Path, tmp_path: Path) -> Iterator[DuckDBConnector]:
    connector = DuckDBConnector("local", dataset=data, cache=tmp_path / "cache")
    yield connector
    run(connector.close())


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBConnector]:
    """A connector to the same data, which nobody may change."""
    folder = tmp_path_factory.mktemp("unchanged")
    connector = DuckDBConnector("local", dataset=put(folder / "data"), cache=folder / "cache")
    yield connector
    run(connector.close())


def rows(connector: DuckDBConnector, sql: str) -> tuple[tuple[object, ...], ...]:
    result = run(connector.run(sql))
    assert isinstance(result, Ran), result
    return result.table.rows


def test_a_file_is_a_table_by_its_name_and_by_its_stem(unchanged: DuckDBConnector) -> None:
    tables = {table.name: table for table in run(unchanged.catalog())}
    assert set(tables) == {"sales.csv", "sales", "notes.csv"}
    assert tables["sales.csv"].columns == (("id", "BIGINT"), ("day", "DATE"))
    assert (tables["sales.csv"].rows, tables["sales"].rows) == (1, 1)
    assert tables["sales"].notes[0] == "the rows of `sales.csv`"
    assert rows(unchanged, "select id from 'sales.csv'") == rows(unchanged, "select id from SALES") == ((1,),)


def test_a_bad_file_is_named_with_its_reason_and_the_others_work(unchanged: DuckDBConnector) -> None:
    bad = next(table for table in run(unchanged.catalog()) if table.name == "notes.csv")
    assert bad.columns == ()
    assert bad.notes == ("`notes.csv` line 2 has 3 cells where the first line has 2",)
    rejected = run(unchanged.run("select * from 'notes.csv'"))
    assert isinstance(rejected, Rejected)
    assert "line 2 has 3 cells" in rejected.message


def test_an_answer_carries_the_notes_of_the_tables_it_read(unchanged: DuckDBConnector) -> None:
    read, other = run(unchanged.run("select day from sales")), run(unchanged.run("select 1"))
    assert isinstance(read, Ran)
    assert isinstance(other, Ran)
    assert read.notes == ("`sales.csv`.day: 03-04-2024 fits day-month-year and month-day-year; read as day-month-year",)
    assert other.notes == ()


def test_a_stem_that_two_files_have_is_nobodys(tmp_path: Path) -> None:
    write(tmp_path, a_csv="x\n1\n", a_tsv="x\n2\n", b_csv="x\n3\n")
    connector = DuckDBConnector("local", dataset=tmp_path, cache=tmp_path / "cache")
    names = {table.name for table in run(connector.catalog())}
    run(connector.close())
    assert names == {"a.csv", "a.tsv", "b.csv", "b"}


def test_parquet_is_read_in_place_and_never_written(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"copy (select i as n from range(1000) t(i)) to '{tmp_path}/p.parquet'")
    (tmp_path / "broken.parquet").write_bytes(b"not parquet at all")
    connector = DuckDBConnector("local", dataset=tmp_path, cache=tmp_path / "cache")
    assert rows(connector, "select count(*), sum(n) from p") == ((1000, 499500),)
    assert {table.name: table.rows for table in run(connector.catalog())} == {
        "p.parquet": 1000,
        "p": 1000,
        "broken.parquet": None,
    }
    cached = next((tmp_path / "cache").glob("*.duckdb"))
    run(connector.close())
    assert cached.stat().st_size < 2_000_000


def test_one_file_may_be_the_whole_data_set(tmp_path: Path) -> None:
    write(tmp_path, a_csv="x\n1\n", b_csv="x\n2\n")
    connector = DuckDBConnector("local", file=tmp_path / "a.csv", cache=tmp_path / "cache")
    assert {table.name for table in run(connector.catalog())} == {"a.csv", "a"}
    run(connector.close())


def test_tables_of_every_schema_of_a_database_are_known(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("create schema mart; create table mart.sales as select 7 as id; create table t as select 1")
    connector = DuckDBConnector("shop", file=tmp_path / "shop.duckdb")
    assert [table.name for table in run(connector.catalog())] == ["mart.sales", "t"]
    assert rows(connector, "select s.id, sales.id from mart.sales s, Mart.Sales") == ((7, 7),)
    assert isinstance(run(connector.run("select * from sales")), Rejected)
    run(connector.close())


def test_names_that_need_quoting_work(tmp_path: Path) -> None:
    (tmp_path / 'it\'s "odd", é.csv').write_text("select\n1\n")
    connector = DuckDBConnector("local", dataset=tmp_path, cache=tmp_path / "ca'che")
    name = run(connector.catalog())[0].name.replace('"', '""')
    assert rows(connector, f'select "select" from "{name}"') == ((1,),)
    run(connector.close())


def test_a_changed_file_is_loaded_again_and_the_old_cache_goes(database: DuckDBConnector, data: Path) -> None:
    before = run(database.fingerprint())
    assert rows(database, "select count(*) from sales") == ((1,),)
    write(data, sales_csv="id,day\n1,03-04-2024\n2,03-04-2024\n")
    assert rows(database, "select count(*) from sales") == ((2,),)
    assert run(database.fingerprint()) != before
    assert len(list(database._cache.glob("*.duckdb"))) == 1


def test_a_second_connector_uses_the_same_cache(database: DuckDBConnector, data: Path) -> None:
    run(database.catalog())
    made = next(database._cache.glob("*.duckdb")).stat()
    other = DuckDBConnector("other", dataset=data, cache=database._cache)
    assert rows(other, "select count(*) from sales") == ((1,),)
    run(other.close())
    assert next(database._cache.glob("*.duckdb")).stat().st_mtime_ns == made.st_mtime_ns


def has_open(pid: int, path: Path) -> bool:
    """Whether a process has a file open; what it closes while we look is no error."""
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            if os.readlink(link) == str(path):
                return True
    return False


def test_a_loader_waits_for_another_and_uses_what_that_one_made(data: Path, tmp_path: Path) -> None:
    target, order = tmp_path / "k-f.duckdb", {"files": [str(data / "sales.csv")], "siblings": "k-*.duckdb"}
    lock = tmp_path / ".k-f.lock"
    with open(lock, "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        command = [sys.executable, "-P", "-m", "backedge.adapters.connectors.duckdb_load"]
        loader = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)
        assert loader.stdin
        loader.stdin.write(json.dumps({**order, "target": str(target)}))
        loader.stdin.close()
        while not has_open(loader.pid, lock):
            time.sleep(0.01)
        target.write_text("made by the other")
    assert loader.wait(30) == 0
    assert target.read_text() == "made by the other"


@pytest.mark.slow
def test_several_at_once_leave_one_cache(data: Path, tmp_path: Path) -> None:
    connectors = [DuckDBConnector(str(n), dataset=data, cache=tmp_path / "cache") for n in range(3)]

    async def together() -> None:
        await asyncio.gather(*(connector.catalog() for connector in connectors))
        await asyncio.gather(*(connector.close() for connector in connectors))

    run(together())
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".duckdb"]


@pytest.mark.slow
def test_a_broken_cache_is_made_again(database: DuckDBConnector) -> None:
    run(database.catalog())
    run(database.close())
    next(database._cache.glob("*.duckdb")).write_bytes(b"broken" * 5000)
    with pytest.raises(Transient, match="cache was broken"):
        run(database.catalog())
    assert rows(database, "select count(*) from sales") == ((1,),)


def test_the_data_is_never_written(database: DuckDBConnector, data: Path) -> None:
    before = {path.name: path.read_bytes() for path in data.iterdir()}
    run(database.catalog())
    assert {path.name: path.read_bytes() for path in data.iterdir()} == before


def test_a_cache_that_cannot_be_written_gives_way_to_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("a file, not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    cache = cache_for(tmp_path / "data", "f", tmp_path / "file" / "cache")
    assert cache.file.parent == tmp_path / "home" / "backedge"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert cache_for(tmp_path / "data", "f", tmp_path / "file" / "cache").file.parent.name.startswith("backedge-")


def test_the_fingerprint_sees_size_time_and_name(tmp_path: Path) -> None:
    one = write(tmp_path, a_csv="x\n1\n") / "a.csv"
    seen = {fingerprint([one])}
    one.write_text("x\n22\n")
    seen.add(fingerprint([one]))
    seen.add(fingerprint([one.rename(tmp_path / "b.csv")]))
    assert len(seen) == 3


def test_what_is_missing_is_permanent_and_says_what_to_do(tmp_path: Path) -> None:
    for connector in (
        DuckDBConnector("shop", dataset=tmp_path / "nowhere"),
        DuckDBConnector("shop", file=tmp_path / "no.duckdb"),
        DuckDBConnector("shop", dataset=tmp_path),
    ):
        with pytest.raises(Permanent, match="database `shop`") as raised:
            run(connector.catalog())
        assert raised.value.mend
        with pytest.raises(Permanent):
            run(connector.fingerprint())
        run(connector.close())


def test_a_file_that_is_no_database_is_permanent(tmp_path: Path) -> None:
    (tmp_path / "shop.duckdb").write_bytes(b"something else " * 1000)
    connector = DuckDBConnector("shop", file=tmp_path / "shop.duckdb")
    with pytest.raises(Permanent, match="cannot be opened") as raised:
        run(connector.catalog())
    assert "DuckDB version" in raised.value.mend
    run(connector.close())


@pytest.mark.slow
def test_a_database_that_another_program_writes_is_transient(tmp_path: Path) -> None:
    code = (
        f"import duckdb; c = duckdb.connect('{tmp_path}/shop.duckdb'); c.execute('create table t as select 1');"
        "print('open', flush=True); input()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        assert writer.stdin
        assert writer.stdout
        writer.stdout.readline()
        connector = DuckDBConnector("shop", file=tmp_path / "shop.duckdb")
        with pytest.raises(Transient, match="another program is writing"):
            run(connector.catalog())
        writer.stdin.close()
        writer.wait()
    assert rows(connector, "select * from t") == ((1,),)
    run(connector.close())


def test_either_a_data_set_or_a_file_is_needed(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="either"):
        DuckDBConnector("shop")
    with pytest.raises(ValueError, match="either"):
        DuckDBConnector("shop", dataset=tmp_path, file=tmp_path / "x.duckdb")

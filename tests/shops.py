"""The demo shop in other databases: the same rows as its CSV files, and a project that asks them there."""

from __future__ import annotations

import csv
import io
import shutil
import sqlite3
from collections.abc import Mapping
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from backedge.demo.shop_data import shop_tables

TABLES = {
    "customers": "customer_id bigint primary key, country text, segment text, signup_date date",
    "orders": "order_id bigint primary key, customer_id bigint references customers, order_date date, channel text, "
    "status text, shipping_fee numeric(10, 2), order_total numeric(10, 2)",
    "order_items": "item_id bigint primary key, order_id bigint references orders, sale_date date, category text, "
    "product text, quantity integer, unit_price numeric(10, 2), refund numeric(10, 2)",
}
Rows = Mapping[str, list[tuple[str | None, ...]]]


@cache
def _tables() -> dict[str, str]:
    return shop_tables()


@cache
def shop_rows(every: int = 1) -> Rows:
    """The rows of each table as text; of every so many-th order where that is said."""
    read = {name: list(csv.reader(io.StringIO(text)))[1:] for name, text in _tables().items()}
    read["orders.csv"] = read["orders.csv"][::every]
    kept = {row[0] for row in read["orders.csv"]}
    read["order_items.csv"] = [row for row in read["order_items.csv"] if row[1] in kept]
    return {name.removesuffix(".csv"): [tuple(c or None for c in row) for row in rows] for name, rows in read.items()}


def shop_project(folder: Path, database: str) -> Path:
    """The demo's project without its data, over a database that an item of `config.yml` declares."""
    with as_file(files("backedge.demo") / "files") as packed:
        shutil.copytree(packed, folder)
    for path in [*folder.rglob("*.yml"), *folder.rglob("*.sql")]:
        text = path.read_text(encoding="utf-8")
        for name in TABLES:
            text = text.replace(f'"{name}.csv"', name).replace(f"'{name}.csv'", name)
        path.write_text(text, encoding="utf-8")
    config = folder / "config.yml"
    declared = config.read_text(encoding="utf-8").replace("    type: duckdb\n    dataset: data/\n", database)
    config.write_text(declared, encoding="utf-8")
    return folder


def sqlite_shop(folder: Path, rows: Rows) -> Path:
    """A project over a SQLite file."""
    shop_project(folder, "    type: sqlite\n    path: shop.db\n")
    with sqlite3.connect(folder / "shop.db") as connection:
        for name, columns in TABLES.items():
            connection.execute(f"create table {name} ({columns})")
            marks = ", ".join("?" * len(columns.replace("(10, 2)", "").split(",")))
            connection.executemany(f"insert into {name} values ({marks})", rows[name])
    connection.close()
    return folder


def postgres_shop(folder: Path, rows: Rows, server: str, database: str) -> Path:
    """A project over a database of its own on a server, read as a role that may only read."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"create database {database}".encode())
        connection.execute(f"create role {database}_reader login".encode())
    address = conninfo_to_dict(server) | {"dbname": database}
    with psycopg.connect(make_conninfo("", **address)) as connection:
        for name, columns in TABLES.items():
            connection.execute(f"create table {name} ({columns}); grant select on {name} to {database}_reader".encode())
            with connection.cursor().copy(f"copy {name} from stdin".encode()) as copy:
                for row in rows[name]:
                    copy.write_row(row)
    declared = {"host": address["host"], "user": f"{database}_reader", "database": database}
    lines = "".join(f"    {key}: {value}\n" for key, value in declared.items())
    return shop_project(folder, f"    type: postgres\n{lines}")


def duckdb_shop(folder: Path, rows: Rows) -> Path:
    """The demo's own project, with these rows."""
    with as_file(files("backedge.demo") / "files") as packed:
        shutil.copytree(packed, folder)
    (folder / "data").mkdir()
    for name, of_table in rows.items():
        head = _tables()[f"{name}.csv"].partition("\n")[0]
        lines = [",".join(cell or "" for cell in row) for row in of_table]
        (folder / "data" / f"{name}.csv").write_text("\n".join([head, *lines, ""]), encoding="utf-8")
    return folder

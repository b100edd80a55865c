"""TPC-H tables as Parquet files, made by `tpchgen-cli`, and a DuckDB connection that sees them as views."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb

from tests.semantic.tpch.questions import TABLES

GENERATOR = Path(sys.executable).with_name("tpchgen-cli")


def generate(folder: Path, scale: str) -> None:
    """Write the tables of that scale factor into the folder. 0.01 is 15,000 orders and 60,000 lines."""
    command = [str(GENERATOR), "parquet", "--scale-factor", scale, "--output-dir", str(folder)]
    subprocess.run([*command, "--tables", ",".join(TABLES)], check=True, capture_output=True)


def connect(folder: Path, *, load: bool) -> duckdb.DuckDBPyConnection:
    """A database with the tables as views on the files, or, with `load`, as tables of its own."""
    connection = duckdb.connect(config={"threads": 2})
    for table in TABLES:
        kind = "TABLE" if load else "VIEW"
        connection.execute(f"CREATE {kind} {table} AS SELECT * FROM read_parquet('{folder / table}.parquet')")
    return connection

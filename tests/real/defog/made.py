"""Makes projects of two of Defog's databases, their tables as CSV and their days fixed, with the views written here."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import duckdb

HERE = Path(__file__).parent
DUMPS = Path(__file__).parents[3].parent / "shared" / "data" / "defog-data" / "defog_data"
PROJECTS = {"cars": "car_dealership", "wallet": "ewallet"}
_MENDED = {
    r"\bSERIAL\b": "INTEGER",
    r"REFERENCES [\w.]+\(\w+\)": "",
    r"\bNOW\(\)|\bCURRENT_TIMESTAMP\b": "TIMESTAMP '2024-03-15 12:00:00'",
    r"\bCURRENT_DATE\b": "DATE '2024-03-15'",
}


def make(name: str, folder: Path) -> Path:
    """Write the project of that name with its data, and give its folder."""
    shutil.copytree(HERE / name, folder, copy_function=shutil.copyfile)
    (folder / "data").mkdir()
    text = (DUMPS / PROJECTS[name] / f"{PROJECTS[name]}.sql").read_text(encoding="utf-8")
    for pattern, instead in _MENDED.items():
        text = re.sub(pattern, instead, text)
    with duckdb.connect() as database:
        database.execute(text)
        tables = database.execute("SELECT table_schema, table_name FROM information_schema.tables").fetchall()
        for schema, table in tables:
            database.execute(f"COPY {schema}.{table} TO '{folder}/data/{table}.csv' (HEADER)")
    return folder

"""The loader process: reads the files of a data set into one DuckDB cache file, which queries then open read-only."""

from __future__ import annotations

import fcntl
import json
import os
import sys
from pathlib import Path

import duckdb

from backedge.adapters.connectors.duckdb_csv import Loaded, NotLoadable, identifier, load_csv, quoted

_LIMITS: dict[str, str | bool | int | float | list[str]] = {
    "memory_limit": "2GB",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
}


_LOADED = """
    create table backedge.loaded (name varchar, rows bigint, notes varchar[], reason varchar, same_as varchar)
"""


def main() -> None:
    """Load what the JSON on stdin names: `files`, the `target`, `siblings` to remove. One process at a time loads."""
    order = json.load(sys.stdin)
    target = Path(order["target"])
    with open(target.parent / f".{target.stem}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            _load([Path(name) for name in order["files"]], target)
            _remove_others(target, order["siblings"])
    Path(lock.name).unlink(missing_ok=True)


def _load(files: list[Path], target: Path) -> None:
    unfinished = target.parent / f".{target.stem}.{os.getpid()}.tmp"
    try:
        with duckdb.connect(str(unfinished), config=_LIMITS) as connection:
            connection.execute("create schema backedge")
            connection.execute(_LOADED)
            for path in files:
                _load_file(connection, path, unfinished.with_suffix(".text"))
            _name_by_stem(connection, files)
        unfinished.rename(target)
    finally:
        for left in (unfinished, unfinished.with_name(unfinished.name + ".wal")):
            left.unlink(missing_ok=True)


def _load_file(connection: duckdb.DuckDBPyConnection, path: Path, scratch: Path) -> None:
    """One bad file is kept as its reason, so that the others can be used."""
    connection.execute("begin")
    try:
        loaded = _view(connection, path) if path.suffix.lower() == ".parquet" else load_csv(connection, path, scratch)
    except (NotLoadable, OSError, UnicodeError, duckdb.Error) as error:
        connection.execute("rollback")
        if "No space left" in str(error):
            raise
        reason = str(error) if isinstance(error, NotLoadable) else f"`{path.name}`: {str(error).splitlines()[0]}"
        connection.execute("insert into backedge.loaded values (?, null, [], ?, null)", [path.name, reason])
        return
    connection.execute(
        "insert into backedge.loaded values (?, ?, ?, null, null)", [path.name, loaded.rows, list(loaded.notes)]
    )
    connection.execute("commit")


def _view(connection: duckdb.DuckDBPyConnection, path: Path) -> Loaded:
    source = f"read_parquet({quoted(str(path.absolute()))})"
    connection.execute(f"create view {identifier(path.name)} as select * from {source}")
    row = connection.execute(f"select count(*) from {source}").fetchone()
    return Loaded(int(row[0]) if row else 0, ())


def _name_by_stem(connection: duckdb.DuckDBPyConnection, files: list[Path]) -> None:
    """`sales.csv` may also be called `sales`, if no other file may."""
    stems = [path.stem.casefold() for path in files]
    names = {path.name.casefold() for path in files}
    rows = connection.execute("select name, rows, notes from backedge.loaded where reason is null").fetchall()
    for name, count, notes in rows:
        stem = Path(name).stem
        if stems.count(stem.casefold()) == 1 and stem.casefold() not in names:
            connection.execute(f"create view {identifier(stem)} as select * from {identifier(name)}")
            connection.execute("insert into backedge.loaded values (?, ?, ?, null, ?)", [stem, count, notes, name])


def _remove_others(target: Path, siblings: str) -> None:
    for other in target.parent.glob(siblings):
        if other != target:
            other.unlink(missing_ok=True)


if __name__ == "__main__":
    main()

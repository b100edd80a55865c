"""The child process that holds a DuckDB database open, locked down, and answers one query at a time over its pipes."""

from __future__ import annotations

import io
import resource
import time
from collections.abc import Sequence
from typing import BinaryIO

import duckdb
import nanoarrow as na
from nanoarrow._utils import NanoarrowException
from nanoarrow.c_array import CArray
from nanoarrow.ipc import StreamWriter

from backedge.adapters.connectors.frames import Header, Value, decode_cell, write_frame
from backedge.adapters.connectors.serving import answers_only, requests

_OVERHEAD = 1 << 30

# Held by Arrow as they are; every other type crosses as the engine's own text. Decimals do too, for nanoarrow 0.9 reads
# a negative one without its sign bit, as a huge number.
_DIRECT = frozenset(
    {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "FLOAT"}
    | {"DOUBLE", "VARCHAR", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "INTERVAL"}
)

_CATALOG = """
    select if(t.schema_name = 'main', t.table_name, t.schema_name || '.' || t.table_name) as name,
        list([c.column_name, c.data_type] order by c.column_index), any_value(t.estimated_size)
    from (select database_name, schema_name, table_name, estimated_size from duckdb_tables() where not internal
          union all select database_name, schema_name, view_name, null from duckdb_views() where not internal) t
    join duckdb_columns() c using (database_name, schema_name, table_name)
    where t.schema_name <> 'backedge' and t.database_name = current_database()
    group by name order by name
"""


def main() -> None:
    """Serve frames from stdin until it ends; the end of stdin ends the process at once, even during a query."""
    answers = answers_only()
    asked = requests()
    connection = _opened(next(asked), answers)
    if connection is None:
        return
    for request in asked:
        header, body = _answer(connection, request)
        write_frame(answers, header, body)


def _opened(request: Header, answers: BinaryIO) -> duckdb.DuckDBPyConnection | None:
    try:
        connection = _open(request)
        write_frame(answers, {"tables": _catalog(connection), "loaded": _loaded(connection)})
    except duckdb.Error as error:
        write_frame(answers, {"error": str(error)})
        return None
    return connection


def _open(request: Header) -> duckdb.DuckDBPyConnection:
    """Open read-only and give up, in this order, files, extensions and the right to change a setting."""
    memory = int(str(request["memory"]))
    resource.setrlimit(resource.RLIMIT_AS, (memory + _OVERHEAD, memory + _OVERHEAD))
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "python_enable_replacements": False,
        "memory_limit": f"{memory}B",
        "threads": int(str(request["threads"])),
        "temp_directory": str(request["temp"]),
        "max_temp_directory_size": "4GB",
        # 2.0.1 takes the bounds of what a SUM adds up for bounds of the sum, and folds a HAVING to a wrong constant.
        "disabled_optimizers": "statistics_propagation",
    }
    connection = duckdb.connect(str(request["path"]), read_only=True, config=config)
    allowed = request["allowed"]
    assert isinstance(allowed, list)
    connection.execute(f"set allowed_paths = [{', '.join(_quoted(str(path)) for path in allowed)}]")
    connection.execute("set enable_external_access = false")
    connection.execute("set timezone = 'UTC'")
    connection.execute("set lock_configuration = true")
    return connection


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _catalog(connection: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    return list(connection.execute(_CATALOG).fetchall())


def _loaded(connection: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    """What the loader kept of each file (name, rows, notes, why bad, alias of); empty for a user's own database."""
    exists = "select 1 from duckdb_tables() where schema_name = 'backedge' and table_name = 'loaded'"
    if not connection.execute(exists).fetchone():
        return []
    return list(connection.execute("select name, rows, notes, reason, same_as from backedge.loaded").fetchall())


def _answer(connection: duckdb.DuckDBPyConnection, request: Header) -> tuple[Header, bytes]:
    sql, encoded = str(request["sql"]), request["params"]
    assert isinstance(encoded, list)
    params = [decode_cell(cell) for cell in encoded]
    cursor = connection.cursor()
    try:
        _only_select(cursor, sql)
        if request["op"] == "explain":
            return {"plan": str(cursor.execute(f"explain {sql}", params).fetchall()[0][1])}, b""
        return _run(cursor, sql, params, int(str(request["rows"])), int(str(request["bytes"])))
    except duckdb.Error as error:
        return {"error": str(error)}, b""
    except NanoarrowException as error:  # an error of the engine while rows were streamed
        return {"error": str(error).partition("): ")[2] or str(error)}, b""
    except MemoryError:
        return {"error": "Out of Memory Error: the query needs more memory than it may have"}, b""
    finally:
        cursor.close()


def _only_select(cursor: duckdb.DuckDBPyConnection, sql: str) -> None:
    """The engine's own reading of the statement: a lock apart from the guard's, which parses with another parser."""
    kinds = [statement.type for statement in cursor.extract_statements(sql)]
    if kinds != [duckdb.StatementType.SELECT]:
        names = ", ".join(str(kind).rpartition(".")[2] for kind in kinds) or "nothing"
        raise duckdb.NotSupportedError(f"Permission Error: only one SELECT may be run, not {names}")


def _run(
    cursor: duckdb.DuckDBPyConnection, sql: str, params: Sequence[Value], rows: int, limit: int
) -> tuple[Header, bytes]:
    began = time.perf_counter()
    described = cursor.execute(f"describe {sql.rstrip().rstrip(';')}", params).fetchall()
    columns = [(str(name), str(kind)) for name, kind, *_ in described]
    relation = cursor.sql(_textual(sql, [kind for _, kind in columns]), params=params)
    body, truncated = _collect(na.c_array_stream(relation), rows, limit)
    ms = round((time.perf_counter() - began) * 1000)
    return {"columns": columns, "truncated": truncated, "ms": ms}, body


def _textual(sql: str, kinds: Sequence[str]) -> str:
    """The query with the columns that Arrow cannot hold exactly turned into text; columns keep their order."""
    casts = [_cast(f"c{index}", kind) for index, kind in enumerate(kinds)]
    names = [f"c{index}" for index in range(len(kinds))]
    if casts == names:
        return sql
    inner = sql.rstrip().rstrip(";")
    return f"select {', '.join(casts)} from ({inner}) as q({', '.join(names)})"


def _cast(name: str, kind: str) -> str:
    if kind in _DIRECT:
        return name
    if kind == "TIMESTAMP_NS":
        return f"{name}::timestamp as {name}"
    if kind == "TIMESTAMP WITH TIME ZONE":
        return f"timezone('UTC', {name}) as {name}"  # the reader adds UTC again, and needs no time zone database
    return f"{name}::varchar as {name}"


def _collect(stream: na.c_array_stream.CArrayStream, rows: int, limit: int) -> tuple[bytes, str | None]:
    """Arrow IPC of at most `rows` rows and about `limit` bytes, and which of the two cut rows off."""
    out, kept, truncated = io.BytesIO(), 0, None
    writer = StreamWriter.from_writable(out)
    for batch in stream:
        take = min(batch.length, rows - kept)
        fits = _fitting(batch, take, limit - out.tell())
        if fits:
            writer.write_array(_head(batch, fits))
        kept += fits
        if fits < batch.length:
            truncated = "rows" if fits == take else "bytes"
            break
    if kept:
        writer.close()
    return out.getvalue(), truncated


def _fitting(batch: CArray, rows: int, limit: int) -> int:
    """How many of the first `rows` rows take at most `limit` bytes; found by halving, so it may be half too few."""
    while rows > 0:
        sized = io.BytesIO()
        with StreamWriter.from_writable(sized) as writer:
            writer.write_array(_head(batch, rows))
        if sized.tell() <= limit:
            return rows
        rows //= 2
    return 0


def _head(batch: CArray, rows: int) -> CArray:
    if rows == batch.length:
        return batch
    children = [batch.child(index)[0:rows] for index in range(batch.n_children)]
    return na.c_array_from_buffers(batch.schema, rows, [None], children=children)


if __name__ == "__main__":
    main()

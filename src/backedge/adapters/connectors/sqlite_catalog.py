"""The tables of a SQLite file with what it declares of them: columns, keys, and which columns lead to which table."""

from __future__ import annotations

import sqlite3

from backedge.adapters.connectors.frames import Header

_TABLES = """
    select name from pragma_table_list
    where schema = 'main' and type in ('table', 'view', 'virtual') and name not like 'sqlite\\_%' escape '\\'
    order by name
"""
_HIDDEN = 1


def tables(connection: sqlite3.Connection) -> list[Header]:
    """Every table and view. SQLite knows no comments, and counts no rows unless it is asked to read them all."""
    return [_table(connection, str(name)) for (name,) in connection.execute(_TABLES).fetchall()]


def _table(connection: sqlite3.Connection, name: str) -> Header:
    try:
        found = connection.execute("select name, type, pk, hidden from pragma_table_xinfo(?)", (name,)).fetchall()
    except sqlite3.OperationalError:  # a view on what is not there any more
        found = []
    columns = [[column, kind or "ANY", ""] for column, kind, _, hidden in found if hidden != _HIDDEN]
    key = [column for column, _, place, _ in sorted(found, key=lambda row: int(row[2])) if place]
    references = _references(connection, name)
    return {"name": name, "columns": columns, "rows": None, "comment": "", "key": key, "references": references}


def _references(connection: sqlite3.Connection, name: str) -> list[object]:
    """The foreign keys; one that names no columns means the other table's key, which is left to the reader."""
    asked = 'select id, "table", "from", "to" from pragma_foreign_key_list(?) order by id, seq'
    pairs: dict[int, tuple[str, list[str], list[str]]] = {}
    for number, table, own, its in connection.execute(asked, (name,)).fetchall():
        _, ours, theirs = pairs.setdefault(number, (table, [], []))
        ours.append(own)
        theirs.extend([its] if its else [])
    return [[ours, table, theirs] for table, ours, theirs in pairs.values()]

"""What a PostgreSQL database says of itself: its tables, its types, the state of its data, and what the role may do."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

import psycopg

from backedge.adapters.connectors.frames import Header
from backedge.adapters.connectors.postgres_values import Type

Connection = psycopg.Connection[tuple[str | None, ...]]

_NAME = "case when n.nspname = 'public' then c.relname else n.nspname || '.' || c.relname end"
_OWN = """
    c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and n.nspname not like 'pg\\_%'
    and n.nspname <> 'information_schema' and has_schema_privilege(n.oid, 'USAGE')
"""
_TABLES = f"""
    select json_build_object(
        'name', {_NAME},
        'rows', case when c.relkind in ('r', 'm') and c.reltuples >= 0 then c.reltuples::bigint end,
        'comment', coalesce(obj_description(c.oid, 'pg_class'), ''),
        'columns', (select coalesce(json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod),
                coalesce(col_description(c.oid, a.attnum), '')) order by a.attnum), '[]')
            from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                and has_column_privilege(c.oid, a.attnum, 'SELECT')),
        'key', (select coalesce(json_agg(a.attname order by k.place), '[]') from pg_constraint p
            cross join unnest(p.conkey) with ordinality k(number, place)
            join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
            where p.conrelid = c.oid and p.contype = 'p'),
        'references', (select coalesce(json_agg(json_build_array(
                (select json_agg(a.attname order by k.place) from unnest(f.conkey) with ordinality k(number, place)
                    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.number),
                (select case when tn.nspname = 'public' then t.relname else tn.nspname || '.' || t.relname end
                    from pg_class t join pg_namespace tn on tn.oid = t.relnamespace where t.oid = f.confrelid),
                (select json_agg(a.attname order by k.place) from unnest(f.confkey) with ordinality k(number, place)
                    join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.number)) order by f.conname), '[]')
            from pg_constraint f where f.conrelid = c.oid and f.contype = 'f' and f.convalidated))
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where {_OWN} and (has_table_privilege(c.oid, 'SELECT') or has_any_column_privilege(c.oid, 'SELECT'))
    order by n.nspname <> 'public', n.nspname, c.relname
"""

# Data that can be read is a function of the snapshot: every transaction that writes takes a number and ends.
_STATE = "select pg_current_snapshot()::text || ' ' || current_database() || ' ' || pg_postmaster_start_time()::text"

_TYPES = """
    select format_type(asked.oid, nullif(asked.mod, -1)), t.typname, (t.typtype = 'e')::text
    from unnest(%s::oid[], %s::int[]) with ordinality asked(oid, mod, place) join pg_type t on t.oid = asked.oid
    order by asked.place
"""

_ROLE = "select current_user, (select rolsuper from pg_roles where rolname = current_user)::text"
_MEMBER = """
    select r.rolname from pg_roles r where r.rolname in ('pg_execute_server_program', 'pg_read_server_files',
        'pg_write_server_files', 'pg_write_all_data') and pg_has_role(current_user, r.oid, 'USAGE') order by 1
"""
_OWNED = f"""
    select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where {_OWN} and pg_has_role(current_user, c.relowner, 'USAGE') order by 1
"""
_WRITTEN = f"""
    select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where {_OWN} and has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') order by 1
"""


def tables(connection: Connection) -> list[Header]:
    """Every table and view that the role may read, with the columns that it may read. Partitions are their table."""
    return [json.loads(str(row[0])) for row in connection.execute(_TABLES.encode()).fetchall()]


def state(connection: Connection) -> str:
    """A hash of the snapshot: it changes with every transaction that writes, in this database or beside it."""
    row = connection.execute(_STATE).fetchone()
    return hashlib.sha256(str(row).encode()).hexdigest()[:32]


def types(connection: Connection, wanted: Sequence[tuple[int, int]]) -> list[Type]:
    """The types of those numbers and modifiers."""
    if not wanted:
        return []
    rows = connection.execute(_TYPES, ([oid for oid, _ in wanted], [mod for _, mod in wanted])).fetchall()
    return [Type(str(name), str(base), is_enum == "true") for name, base, is_enum in rows]


def role(connection: Connection) -> Header:
    """What the role may do that reading does not need: ["superuser" | "member" | "owner" | "writer", names]."""
    name, is_super = connection.execute(_ROLE).fetchone() or ("", "")
    if is_super == "true":
        return {"role": name, "found": [["superuser", []]]}
    found: list[list[object]] = []
    for kind, asked in (("member", _MEMBER), ("owner", _OWNED), ("writer", _WRITTEN)):
        names = [str(row[0]) for row in connection.execute(asked.encode()).fetchall()]
        if names and not (kind == "writer" and found and found[-1][0] == "owner"):
            found.append([kind, names])
    return {"role": name, "found": found}

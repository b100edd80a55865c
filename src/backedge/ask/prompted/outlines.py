"""Outlines of SQL over introspected tables: columns and joins by exact path, held to what the database has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from backedge.kernel.defect import Defect
from backedge.query.ports import TableInfo
from backedge.semantic.refusal import did_you_mean, nearest

_COLUMN, _JOIN = "column ", "join "


def outline(columns: Sequence[str], joins: Sequence[str]) -> str:
    """The outline as Solving is told it."""
    return "\n".join([*(_COLUMN + column for column in columns), *(_JOIN + join for join in joins)])


def tables_of(text: str) -> frozenset[str]:
    """The tables that an outline names. Table names may have dots; columns come behind the last one."""
    paths = [line.removeprefix(_COLUMN) for line in text.splitlines() if line.startswith(_COLUMN)]
    sides = [side for line in text.splitlines() if line.startswith(_JOIN) for side in _sides(line.removeprefix(_JOIN))]
    return frozenset(path.rpartition(".")[0] for path in (*paths, *sides))


def objections(columns: Sequence[str], joins: Sequence[str], tables: Iterable[TableInfo]) -> tuple[Defect, ...]:
    """Why an outline does not hold: columns that are not there, joins that are none, tables that nothing joins."""
    known = {f"{table.name}.{name}" for table in tables for name, _ in table.columns}
    if not columns:
        hint = "list every column that is needed in `columns`, as table.column"
        return (Defect("no_outline", "the outline names no column", "columns", hint),)
    found = [*_unknown("columns", columns, known)]
    for join in joins:
        sides = _sides(join)
        if len(sides) != 2:
            found.append(Defect("bad_join", f"{join!r} is no join", "joins", "write table.column = table.column"))
        found += _unknown("joins", sides, known) if len(sides) == 2 else ()
    return tuple(found) or tuple(_apart(columns, joins))


def _sides(join: str) -> tuple[str, ...]:
    return tuple(side.strip() for side in join.split("=") if side.strip())


def _unknown(where: str, paths: Sequence[str], known: Iterable[str]) -> Iterator[Defect]:
    names = set(known)
    for path in dict.fromkeys(paths):
        if path not in names:
            near = nearest(path, sorted(names))
            yield Defect("unknown_column", f"there is no column {path}", where, did_you_mean(near), near)


def _apart(columns: Sequence[str], joins: Sequence[str]) -> Iterator[Defect]:
    """The tables that no join reaches from the first one."""
    tables = dict.fromkeys(path.rpartition(".")[0] for path in (*columns, *(s for j in joins for s in _sides(j))))
    pairs = [tuple(side.rpartition(".")[0] for side in _sides(join)) for join in joins]
    reached = {next(iter(tables))}
    while more := {t for pair in pairs if reached.intersection(pair) for t in pair} - reached:
        reached |= more
    if left := [table for table in tables if table not in reached]:
        message = f"nothing joins {', '.join(left)} to {next(iter(tables))}"
        yield Defect("not_joined", message, "joins", "add the join, as table.column = table.column")

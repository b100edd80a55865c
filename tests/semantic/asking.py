"""Asks the compiler in tests: rows of a compiled query on DuckDB, or the defects that refuse it."""

from __future__ import annotations

import duckdb

from backedge.kernel.defect import Defect
from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Dimension, Entity, Measure, Model, View
from backedge.semantic.spec import Compiled, Spec

Rows = list[tuple[object, ...]]


def compiled(model: Model, spec: Spec, dialect: str = "duckdb") -> Compiled:
    """The query of a spec that must compile."""
    result = compile_spec(model, spec, dialect)
    assert isinstance(result, Compiled), result
    return result


def rows(tables: dict[str, str], model: Model, spec: Spec) -> Rows:
    """The rows of a spec over tables, each given by its name and a SELECT."""
    with duckdb.connect() as connection:
        for name, query in tables.items():
            connection.execute(f'CREATE TABLE "{name}" AS {query}')
        result = compiled(model, spec)
        return connection.execute(result.sql, list(result.params)).fetchall()


def defects(model: Model, spec: Spec, dialect: str = "duckdb") -> tuple[Defect, ...]:
    """The defects of a spec that must be refused."""
    result = compile_spec(model, spec, dialect)
    assert isinstance(result, tuple), result.sql
    return result


def defect(model: Model, spec: Spec, dialect: str = "duckdb") -> Defect:
    """The one defect of a spec that must be refused."""
    (found,) = defects(model, spec, dialect)
    return found


def view(
    name: str,
    dimensions: str = "",
    *measures: Measure,
    primary: str = "",
    foreign: str = "",
    table: str = "",
    extra: tuple[Dimension, ...] = (),
) -> View:
    """A view in short: `dimensions` as "id:number name"; `primary` and `foreign` as "entity(key, key) entity(key)"."""
    pairs = (d.partition(":") for d in dimensions.split())
    fields = tuple(Dimension(n, t or "string", n) for n, _, t in pairs)  # type: ignore[arg-type]
    return View(
        name=name,
        table=table or name,
        entities=(*_entities(primary, "primary"), *_entities(foreign, "foreign")),
        dimensions=(*fields, *extra),
        measures=measures,
    )


def _entities(text: str, type_: str) -> tuple[Entity, ...]:
    parts = [part.partition("(") for part in text.split(")") if part.strip()]
    return tuple(
        Entity(name.strip(), type_, tuple(k.strip() for k in keys.split(",")))  # type: ignore[arg-type]
        for name, _, keys in parts
    )

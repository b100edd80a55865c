"""Results, questions and columns that the tests of words, charts and drawing share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Literal

from backedge.ask.figures import Prose, figures_resolve
from backedge.ask.intent import Intent
from backedge.ask.prose import write
from backedge.kernel.defect import Defect
from backedge.query.table import Cell, Column, Kind, Table
from backedge.semantic.spec import By, Condition, Grain, Order, OutputColumn, Spec


def table(
    columns: dict[str, Kind], rows: Iterable[Sequence[Cell]], truncated: Literal["rows", "bytes"] | None = None
) -> Table:
    """A result of these columns and rows."""
    made = tuple(Column(name=name, type=kind.upper(), kind=kind) for name, kind in columns.items())
    return Table(columns=made, rows=tuple(tuple(row) for row in rows), truncated=truncated)


def group(name: str, type: str = "string", grain: Grain | None = None) -> OutputColumn:
    """A grouping `v.name`, in the result under its own name or with its grain."""
    return OutputColumn(f"{name}_{grain}" if grain else name, f"v.{name}", "dimension", type, grain)


def measure(name: str, type: str = "sum") -> OutputColumn:
    """A measure `v.name`."""
    return OutputColumn(name, f"v.{name}", "measure", type)


SALES = measure("total_sales")
STORE = group("store_id", "number")
REGION = group("region")
MONTH = group("week_date", "date", "month")
BY_STORE = (STORE, SALES)
BY_REGION = (REGION, SALES)
BY_MONTH = (MONTH, SALES)


def intent(
    *where: Condition, limit: int | None = None, desc: bool | None = None, by: str = "v.total_sales", asked: str = ""
) -> Intent:
    """A question for total sales under conditions; `desc` orders by them."""
    order = () if desc is None else (Order(by, desc),)
    draft = Spec(("v.total_sales",), (By("v.store_id"),), tuple(where), order=order, limit=limit)
    return Intent(asked or "total sales", "total_sales", (), draft)


def stores(rows: Iterable[Sequence[Cell]], truncated: Literal["rows", "bytes"] | None = None) -> Table:
    """Total sales (decimal) by store."""
    return table({"store_id": "integer", "total_sales": "decimal"}, rows, truncated)


def regions(rows: Iterable[Sequence[Cell]]) -> Table:
    """Total sales (decimal) by region."""
    return table({"region": "text", "total_sales": "decimal"}, rows)


def months(values: Sequence[Cell]) -> Table:
    """Total sales (decimal) by month, from January 2010 on."""
    rows = [(date(2010 + at // 12, at % 12 + 1, 1), value) for at, value in enumerate(values)]
    return table({"week_date_month": "date", "total_sales": "decimal"}, rows)


def cents(*amounts: str) -> tuple[Decimal, ...]:
    """Exact decimals."""
    return tuple(Decimal(amount) for amount in amounts)


def told(asked: Intent, columns: tuple[OutputColumn, ...], result: Table, filters: tuple[str, ...] = ()) -> str:
    """The sentence, once the gate has found every figure of it in the rows."""
    prose = write(asked, columns, result, filters)
    assert figures_resolve(prose, asked, columns, result, filters) is None, prose
    return prose.text


def judged(prose: Prose, columns: tuple[OutputColumn, ...], result: Table, asked: Intent | None = None) -> Defect:
    """The defect of a sentence that must be refused."""
    defect = figures_resolve(prose, asked or intent(), columns, result)
    assert defect is not None, prose.text
    return defect

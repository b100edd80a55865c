"""Measurements from rows of values and from tables of articles; nothing is converted, what is unclear is invalid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from backedge.evidence.column_heads import SYNONYMS, Head, Role, headed, spoken
from backedge.evidence.one_measurement import Around, is_missing, measurements_of
from backedge.evidence.reading import Cell, Row, Table
from backedge.evidence.records import Measurement
from backedge.evidence.table_measuring import table_measurements
from backedge.evidence.units import STANDARD, UnitTable
from backedge.evidence.values import Decimals, decimals_of

_UNCLEAR = "whose uncertainty this is, is not clear"


def measured(rows: tuple[Row, ...], version: str, units: UnitTable = STANDARD) -> tuple[Measurement, ...]:
    """The measurements of rows, in their order.

    Long form has a column of values beside their names or units, wide form a column for each thing measured, with its
    unit in brackets (`weight (g)`). All rows together tell which sign parts decimals.
    """
    decimals = decimals_of(text for row in rows for _, text in row.cells)
    layouts: dict[tuple[str, ...], _Layout] = {}
    found: list[Measurement] = []
    for row in rows:
        names = tuple(name for name, _ in row.cells)
        layout = layouts.setdefault(names, _Layout.of(names, units)) if names not in layouts else layouts[names]
        found += _measured_row(row, version, layout, decimals, units)
    return tuple(found)


def measured_in_tables(tables: tuple[Table, ...], version: str, units: UnitTable = STANDARD) -> tuple[Measurement, ...]:
    """The measurements in the tables of an article, each with the stretch of its cell."""
    return tuple(one for table in tables for one in table_measurements(table, version, units))


@dataclass(frozen=True)
class _Layout:
    """The heads of columns, which of them hold values, and the columns of uncertainty and of n by whose they are."""

    heads: tuple[Head, ...]
    is_long: bool
    values: tuple[int, ...]
    spreads: Mapping[int, int]
    counts: Mapping[int, int]
    unclear: tuple[int, ...]

    @classmethod
    def of(cls, names: tuple[str, ...], units: UnitTable) -> _Layout:
        heads = tuple(headed(name, units) for name in names)
        values = tuple(at for at, head in enumerate(heads) if head.role == "value")
        is_long = bool(values) and (
            any(head.role in ("unit", "name") for head in heads) or any(heads[at].unit for at in values)
        )
        if not is_long:
            values = tuple(at for at, head in enumerate(heads) if head.role in ("value", "measured"))
        spreads = _owned(heads, values, "uncertainty")
        loose = (at for at, head in enumerate(heads) if head.role == "uncertainty" and at not in spreads.values())
        return cls(heads, is_long, values, spreads, _owned(heads, values, "n"), tuple(loose))


def _owned(heads: tuple[Head, ...], values: tuple[int, ...], role: Role) -> dict[int, int]:
    """Of each column of values the column of that role: by its name, else the only one, else the one to its right."""
    columns = [at for at, head in enumerate(heads) if head.role == role]
    found: dict[int, int] = {}
    for at in columns:
        named = [value for value in values if heads[at].name and spoken(heads[value].name) == spoken(heads[at].name)]
        if len(named) == 1 and named[0] not in found:
            found[named[0]] = at
    bare = [at for at in columns if at not in found.values() and spoken(heads[at].name) in ("", *SYNONYMS[role])]
    left = [value for value in values if value not in found]
    if len(bare) == 1 and len(values) == 1:
        return found | dict.fromkeys(left, bare[0])
    if len(bare) == len(left) and all(at - 1 in left for at in bare):
        return found | {at - 1: at for at in bare}
    return found


def _measured_row(
    row: Row, version: str, layout: _Layout, decimals: Decimals, units: UnitTable
) -> Iterator[Measurement]:
    texts = tuple(text for _, text in row.cells)
    for at in (*layout.values, *layout.unclear):
        yield from measurements_of(version, Cell(texts[at], 0, 0), decimals, _around(row, texts, layout, at), units)


def _around(row: Row, texts: tuple[str, ...], layout: _Layout, at: int) -> Around:
    heads, head = layout.heads, layout.heads[at]
    spread = layout.spreads.get(at)
    between = _between(heads, texts) if len(layout.values) == 1 and spread is None else ""
    kinds = _told(heads, texts, "kind")
    owner = heads[spread] if spread is not None else None
    other_unit = owner is not None and bool(owner.unit) and bool(head.unit) and owner.unit != head.unit
    return Around(
        name=_told(heads, texts, "name") or head.name or head.text,
        place=f"row {row.number}, column {at + 1}",
        units=tuple(dict.fromkeys(unit for unit in (_told(heads, texts, "unit"), head.unit) if unit)),
        unknown=head.unknown,
        sign=head.sign,
        bracket=head.bracket,
        spread=texts[spread] if spread is not None else between,
        kind=(kinds or (owner.kind if owner else "")) if spread is not None else ("ci" if between else ""),
        n=texts[layout.counts[at]] if at in layout.counts else head.n or _told(heads, texts, "n"),
        group=_told(heads, texts, "group"),
        time=_told(heads, texts, "time"),
        doubt=head.doubt
        or (_UNCLEAR if at in layout.unclear else "")
        or ("its uncertainty has another unit" if other_unit else ""),
        needed=layout.is_long or bool(head.unit),
    )


def _between(heads: tuple[Head, ...], texts: tuple[str, ...]) -> str:
    """An interval that stands in a column of lower and one of upper limits."""
    low, high = _only(heads, "low"), _only(heads, "high")
    if low is None or high is None or is_missing(texts[low]) or is_missing(texts[high]):
        return ""
    return f"{texts[low]} to {texts[high]}"


def _only(heads: tuple[Head, ...], role: str) -> int | None:
    found = [at for at, head in enumerate(heads) if head.role == role]
    return found[0] if len(found) == 1 else None


def _told(heads: tuple[Head, ...], texts: tuple[str, ...], role: str) -> str:
    """What the columns of a role say in this row; a number with its unit, or with its head (`day 7`)."""
    said = [
        _with_head(head, text.strip())
        for head, text in zip(heads, texts, strict=True)
        if head.role == role and text.strip() and not (role == "n" and head.name) and not is_missing(text)
    ]
    return "; ".join(said)


def _with_head(head: Head, text: str) -> str:
    is_number = text.replace(".", "", 1).replace("-", "", 1).isdecimal()
    if head.role in ("time", "group") and is_number:
        return f"{text} {head.unit}" if head.unit else f"{head.text} {text}"
    return text

"""Takes measurements from rows of values and from tables of articles; nothing is guessed and nothing is converted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from backedge.evidence.reading import Cell, Row, Table
from backedge.evidence.records import Measurement
from backedge.evidence.units import unit

Field = str
HEADERS: dict[str, Field] = {
    **dict.fromkeys(
        ("name", "endpoint", "measure", "measurement", "outcome", "analyte", "variable", "parameter"), "name"
    ),
    **dict.fromkeys(("value", "result", "mean", "reading"), "value"),
    **dict.fromkeys(("unit", "units"), "unit"),
    **dict.fromkeys(("uncertainty", "error"), "uncertainty"),
    **dict.fromkeys(("uncertainty_kind", "uncertainty kind", "error type"), "uncertainty_kind"),
    **dict.fromkeys(("n", "count", "subjects", "animals"), "n"),
    **dict.fromkeys(("group", "arm", "treatment", "cohort"), "group"),
    **dict.fromkeys(("time_point", "time point", "timepoint", "time", "visit"), "time_point"),
}
"""Headers of rows of values, lower case, by what they hold; others are not read. `mean` is a value."""

SPREADS: dict[str, str] = {
    "sd": "sd",
    "s.d.": "sd",
    "standard deviation": "sd",
    "sem": "sem",
    "s.e.m.": "sem",
    "se": "se",
    "standard error": "se",
    "95% ci": "ci95",
    "ci": "ci",
    "iqr": "iqr",
    "range": "range",
}
"""Headers that hold a spread, by its kind."""

_NUMBER = r"[-+\u2212\u2013]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_PLAIN = re.compile(rf"\A{_NUMBER}\Z")
_BOUND = re.compile(rf"\A[<>\u2264\u2265]\s*{_NUMBER}\Z")
_SPREAD = re.compile(rf"\A({_NUMBER})\s*(?:\u00b1|\+/-|\+/\u2212)\s*(\d+(?:\.\d+)?)\Z")
_BRACKET = re.compile(rf"\A({_NUMBER})\s*[(\[]\s*(\d+(?:\.\d+)?)\s*[)\]]\Z")
_INTERVAL = re.compile(
    rf"\A({_NUMBER})\s*[(\[]\s*({_NUMBER}\s*(?:to|[-\u2013\u2014,;])\s*{_NUMBER})\s*[)\]]\Z", re.IGNORECASE
)
_UNIT_BEHIND = re.compile(r"\A(?P<name>.*?)\s*[(\[](?P<unit>[^()\[\]]+)[)\]]\s*(?P<spread>[^()\[\]]*)\Z")
_COUNT = re.compile(r"\(?\s*\bn\s*=\s*(\d+)\s*\)?", re.IGNORECASE)
_MISSING = frozenset(
    {"", "-", "\u2013", "\u2014", "na", "n/a", "nd", "n.d.", "nan", "null", "none", ".", "\u2026", "..."}
)
NOT_STATED = "no unit is stated"


def measured(rows: tuple[Row, ...], version: str) -> tuple[Measurement, ...]:
    """The measurements of rows in their order: one a row where there is a value column, else one for each column."""
    return tuple(found for row in rows for found in _of_row(row, version))


def _of_row(row: Row, version: str) -> Iterator[Measurement]:
    fields: dict[str, str] = {}
    wide: list[tuple[int, str, str]] = []
    for column, (header, text) in enumerate(row.cells, 1):
        if field := HEADERS.get(header.strip().casefold()):
            fields.setdefault(field, text.strip())
        elif kind := SPREADS.get(header.strip().casefold()):
            fields.setdefault("uncertainty", text.strip())
            fields.setdefault("uncertainty_kind", kind)
        else:
            wide.append((column, header, text))
    if "value" in fields:
        yield from _long(row, fields, version)
        return
    shared: dict[str, Any] = {name: fields.get(name, "") for name in ("n", "group", "time_point")}
    for column, header, text in wide:
        if (split := _UNIT_BEHIND.match(header.strip())) and text.strip().casefold() not in _MISSING:
            made = _made(version, split["name"].strip(), text, split["unit"], f"row {row.number}, column {column}")
            yield replace(made, **shared)


def _long(row: Row, fields: dict[str, str], version: str) -> Iterator[Measurement]:
    if fields["value"].casefold() in _MISSING:
        return
    made = _made(version, fields.get("name", ""), fields["value"], fields.get("unit", ""), f"row {row.number}")
    own: dict[str, Any] = {name: fields[name] for name in ("n", "group", "time_point") if name in fields}
    if fields.get("uncertainty", "").casefold() not in _MISSING:
        own |= {"uncertainty": fields["uncertainty"], "uncertainty_kind": fields.get("uncertainty_kind", "")}
    yield replace(made, **own)


def measured_in_tables(tables: tuple[Table, ...], version: str) -> tuple[Measurement, ...]:
    """The measurements of tables: of each cell that is a number, with the unit of its column's or row's header.

    A cell under headers that state no unit is none: a table holds many numbers that measure nothing.
    """
    return tuple(found for table in tables for found in _of_table(table, version))


def _of_table(table: Table, version: str) -> Iterator[Measurement]:
    if not table.head:
        return
    for row in table.rows:
        label = row[0].text.strip() if row else ""
        for column, cell in enumerate(row[1:], 1):
            header = " ".join(line[column].text.strip() for line in table.head if column < len(line))
            name, stated = _stated(label) or _stated(header) or ("", "")
            if stated and cell.text.strip().casefold() not in _MISSING and any(c.isdigit() for c in cell.text):
                group = header if _stated(label) else label
                yield _in_cell(table, cell, name, stated, group, header, version)


def _stated(header: str) -> tuple[str, str] | None:
    """The name and the unit of a header such as `Weight (g)`, where the unit is one of the table."""
    split = _UNIT_BEHIND.match(_COUNT.sub("", header).strip())
    if split is None:
        return None
    stated = split["unit"].split(",")[-1].strip()
    # A capital by itself is more often "number", "male" or "group A" than newton, molar or ampere.
    telling = len(stated) > 1 or not stated.isupper()
    return (split["name"].strip(), stated) if telling and unit(stated) else None


def _in_cell(table: Table, cell: Cell, name: str, stated: str, group: str, header: str, version: str) -> Measurement:
    made = _made(version, name, cell.text, stated, table.label or table.section)
    counted = _COUNT.search(header) or _COUNT.search(group)
    return replace(
        made,
        n=counted[1] if counted else "",
        group=_COUNT.sub("", group).strip(),
        start=cell.start,
        end=cell.end,
    )


def _made(version: str, name: str, text: str, stated: str, place: str) -> Measurement:
    """One measurement: valid where the unit is in the table and the value is read in one way only."""
    value, number, spread, kind, why = _read(text.strip())
    known = unit(stated)
    if known is None:
        why = NOT_STATED if not stated.strip() else f"the unit {stated.strip()!r} is not in the unit table"
    return Measurement(
        version,
        name,
        value,
        number,
        stated.strip(),
        not why,
        why,
        uncertainty=spread,
        uncertainty_kind=kind,
        place=place,
    )


def _read(text: str) -> tuple[str, str, str, str, str]:
    """Value as written, plain number, spread, its kind, and why it cannot be read in one way (empty where it can)."""
    if _PLAIN.match(text):
        return text, _number(text), "", "", ""
    if found := _SPREAD.match(text):
        return text, _number(found[1]), found[2], "", ""
    if found := _INTERVAL.match(text):
        return text, _number(found[1]), found[2], "", ""
    if found := _BRACKET.match(text):
        return text, _number(found[1]), found[2], "", ""
    if _BOUND.match(text):
        return text, "", "", "", "the value is a bound, not a number"
    if re.fullmatch(r"[-+\u2212]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", text) or re.fullmatch(r"[-+\u2212]?\d+,\d+", text):
        return text, "", "", "", "a comma may be a decimal or a thousands separator"
    return text, "", "", "", f"{text!r} is no number"


def _number(text: str) -> str:
    return text.replace("\u2212", "-").replace("\u2013", "-").lstrip("+")

"""The kinds of chart that one answer may be shown as: the one of the rules, and others that mislead as little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from backedge.ask.chart_check import chart_fits
from backedge.query.table import Table

_OTHER = {"line": ("bar", "point"), "bar": ("point",), "point": ("bar",)}


def chart_kinds(spec: Mapping[str, JsonValue] | None, table: Table) -> dict[str, dict[str, JsonValue]]:
    """Each kind with its spec, the drawn one first; nothing where there is no chart. All hold the rows of the result.

    A line through categories, or a pie of parts that are no whole, is never offered: only a time is joined by a line.
    """
    if spec is None:
        return {}
    drawn = dict(spec)
    kind = _kind(drawn)
    found = {kind: drawn} | {other: _as(drawn, other) for other in _OTHER.get(kind, ())}
    return {name: made for name, made in found.items() if name == kind or chart_fits(made, table) is None}


def _kind(spec: Mapping[str, Any]) -> str:
    mark = spec.get("mark")
    name = mark.get("type") if isinstance(mark, dict) else mark
    return str(name) if name else "pie"


def _as(spec: dict[str, Any], kind: str) -> dict[str, JsonValue]:
    mark: JsonValue = {"type": kind, "filled": True, "size": 60} if kind == "point" else {"type": kind}
    named = {"line": "Line", "bar": "Bar", "point": "Dot"}[_kind(spec)]
    words = {"bar": "Bar", "point": "Dot"}[kind]
    said = str(spec.get("description", "")).replace(f"{named} chart", f"{words} chart", 1)
    return {**spec, "mark": mark, "description": said}

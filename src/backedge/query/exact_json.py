"""JSON that keeps exact numbers exact: a Decimal is written with its own digits, a date as ISO text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from datetime import date, time, timedelta
from decimal import Decimal


def dumps(value: object, indent: int | None = None, level: int = 0) -> str:
    """A value as JSON text. NaN and infinities become null: JSON has no word for them."""
    if isinstance(value, Decimal):
        return format(value, "f") if value.is_finite() else "null"
    if isinstance(value, float):
        return repr(value) if value - value == 0 else "null"
    if isinstance(value, date | time):
        return json.dumps(value.isoformat())
    if isinstance(value, timedelta):
        return json.dumps(str(value))
    if is_dataclass(value) and not isinstance(value, type):
        return dumps(asdict(value), indent, level)
    if isinstance(value, Mapping):
        items = [f"{json.dumps(str(k), ensure_ascii=False)}: {dumps(v, indent, level + 1)}" for k, v in value.items()]
        return _block("{", items, "}", indent, level)
    if isinstance(value, Sequence) and not isinstance(value, str):
        flat = (
            indent
            if any(isinstance(item, Mapping | Sequence) and not isinstance(item, str) for item in value)
            else None
        )
        return _block("[", [dumps(item, indent, level + 1) for item in value], "]", flat, level)
    return json.dumps(value, ensure_ascii=False)


def _block(start: str, items: list[str], end: str, indent: int | None, level: int) -> str:
    if not items or indent is None:
        return f"{start}{', '.join(items)}{end}"
    pad = "\n" + " " * (indent * (level + 1))
    return f"{start}{pad}{f',{pad}'.join(items)}\n{' ' * (indent * level)}{end}"

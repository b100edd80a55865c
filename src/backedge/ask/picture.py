"""The picture of an answer for a file: its chart under the question and the sentence, or its one number on a card."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

from pydantic import JsonValue

from backedge.ask.charts import PALETTE, SCHEMA, Spec
from backedge.ask.wording import value_text, words_of
from backedge.query.table import Cell

TEXT = "#202124"
MUTED = "#5f6368"
_TITLE_WIDTH = 64
_SENTENCE_WIDTH = 88
_NUMERIC = ("integer", "decimal", "double")


def picture(found: Mapping[str, Any]) -> Spec | None:
    """A Vega-Lite spec for an answered `backedge.answer/1`; None where a table says it better."""
    drawn: dict[str, Any] | None = found["chart"] or _card(found)
    if drawn is None:
        return None
    config = {**drawn["config"], "view": {"stroke": None}, "axis": {"labelFlush": False}}
    return {**drawn, "title": _title(found), "padding": 16, "config": config}


def _title(found: Mapping[str, Any]) -> JsonValue:
    """The question, and below it the sentence whose figures were checked."""
    return {
        "text": list[JsonValue](wrap(found["asked"], _TITLE_WIDTH)),
        "subtitle": list[JsonValue]([*wrap(found["answer"], _SENTENCE_WIDTH), *wrap(_caption(found), _SENTENCE_WIDTH)]),
        "anchor": "start",
        "fontSize": 16,
        "color": TEXT,
        "subtitleFontSize": 12,
        "subtitleColor": MUTED,
        "subtitlePadding": 6,
        "offset": 14,
    }


def _caption(found: Mapping[str, Any]) -> str:
    """What the picture does not show: values that are missing, rows that are left out."""
    told: str = ((found["chart"] or {}).get("usermeta") or {}).get("caption", "")
    return f"{told[:1].upper()}{told[1:]}." if told else ""


def _card(found: Mapping[str, Any]) -> Spec | None:
    rows, columns = found["rows"], found["columns"]
    if len(rows) != 1 or len(columns) != 1 or columns[0]["kind"] not in _NUMERIC or rows[0][0] is None:
        return None
    return _number(words_of(columns[0]["name"]), rows[0][0], found["answer"])


def _number(label: str, cell: Cell, sentence: str) -> Spec:
    """The number as the sentence writes it: a text, so that no renderer rounds it again."""
    text, rounded = value_text(cell)
    below = f"{label} (rounded)" if rounded else label
    return {
        "$schema": SCHEMA,
        "description": f"One number: {sentence}",
        "background": "white",
        "data": {"values": [{"number": text, "label": below}]},
        "width": 420,
        "height": 90,
        "layer": [
            _text("number", {"fontSize": 44, "fontWeight": "bold", "color": PALETTE[0], "dy": -12}),
            _text("label", {"fontSize": 14, "color": MUTED, "dy": 26}),
        ],
        "config": {},
    }


def _text(field: str, style: Spec) -> JsonValue:
    mark: JsonValue = {"type": "text", "align": "left", "x": 0, **style}
    return {"mark": mark, "encoding": {"text": {"field": field, "type": "nominal"}}}

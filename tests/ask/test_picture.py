"""The picture of an answer: its chart under the question and the checked sentence, or one number as it is written."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from backedge.ask.charts import PALETTE, chart
from backedge.ask.picture import MUTED, TEXT, picture
from backedge.query.table import Cell, Kind
from tests.ask.results import BY_STORE, table


def answered(kind: Kind, *rows: tuple[Cell, ...], spec: Any = None) -> dict[str, Any]:
    """An answer form, as far as it is read."""
    columns = [{"name": "total_sales", "kind": kind}] * len(rows[0])
    return {"asked": "total sales", "answer": "Total sales are 7.", "chart": spec, "columns": columns, "rows": rows}


def shown(found: dict[str, Any]) -> Any:
    spec = picture(found)
    assert spec is not None
    return spec["data"]["values"][0]  # type: ignore[index, call-overload]  # a card


def test_a_chart_stands_under_its_question_and_sentence_with_the_same_data() -> None:
    spec = chart(BY_STORE, table({"store_id": "integer", "total_sales": "decimal"}, [(1, Decimal(3)), (2, Decimal(5))]))
    assert spec is not None
    drawn: Any = picture(answered("decimal", (1, 3), (2, 5), spec=spec))
    assert (drawn["title"]["text"], drawn["title"]["subtitle"]) == (["total sales"], ["Total sales are 7."])
    assert all(drawn[key] == spec[key] for key in ("data", "encoding", "mark", "description", "background"))
    assert drawn["config"]["range"] == {"category": list(PALETTE)}


def test_what_is_not_drawn_is_said_below_the_sentence() -> None:
    result = table({"store_id": "integer", "total_sales": "decimal"}, [(1, Decimal(3)), (2, Decimal(4)), (3, None)])
    drawn: Any = picture(answered("decimal", (1, 3), spec=chart(BY_STORE, result)))
    assert drawn["title"]["subtitle"] == ["Total sales are 7.", "1 without a value."]


@pytest.mark.parametrize(
    ("kind", "cell", "text", "label"),
    [
        ("integer", 30000, "30,000", "total sales"),
        ("decimal", Decimal("1234567890123456.10"), "1,234,567,890,123,456.10", "total sales"),
        ("double", 1 / 3, "0.333", "total sales (rounded)"),
        ("decimal", Decimal("-0.50"), "-0.50", "total sales"),
    ],
)
def test_one_number_is_a_card_with_its_own_digits(kind: Kind, cell: Cell, text: str, label: str) -> None:
    assert shown(answered(kind, (cell,))) == {"number": text, "label": label}


@pytest.mark.parametrize(
    ("kind", "rows"),
    [("text", [("a",)]), ("integer", [(None,)]), ("integer", [(1, 2)]), ("integer", [(1,), (2,)])],
)
def test_anything_else_is_better_as_a_table(kind: Kind, rows: list[tuple[Cell, ...]]) -> None:
    assert picture(answered(kind, *rows)) is None


def test_long_questions_are_wrapped_not_cut() -> None:
    found = answered("integer", (1,)) | {"asked": "word " * 40, "answer": "word " * 60}
    title: Any = (picture(found) or {})["title"]
    assert " ".join(title["text"]) == ("word " * 40).strip()
    assert max(map(len, title["text"])) <= 64
    assert " ".join(title["subtitle"]) == ("word " * 60).strip()


def luminance(colour: str) -> float:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colour", [TEXT, MUTED, PALETTE[0]])
def test_text_has_the_contrast_that_small_text_needs(colour: str) -> None:
    assert 1.05 / (luminance(colour) + 0.05) >= 4.5

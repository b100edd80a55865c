"""The lines of a trace: retries, lessons, back-edges, models and costs, each as people read them; kinds of charts."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from pydantic import JsonValue

from backedge.ask.chart_kinds import chart_kinds
from backedge.kernel.budget import Usage
from backedge.kernel.defect import Defect
from backedge.kernel.journal import Entry, Moved, Refused, Stored
from backedge.query.table import Column, Table
from backedge.web.answer_view import ROWS, pieces
from backedge.web.trace import Line, trace

AT = datetime(2024, 1, 2, tzinfo=UTC)
USED = Usage(calls=1, input_tokens=10, output_tokens=5, cost=Decimal("0.002"))
MODEL: dict[str, JsonValue] = {"prompt_text": "p", "vendor": "v", "model": "m"}


def lines(*entries: Entry) -> list[Line]:
    return list(trace(Stored(at, AT, entry) for at, entry in enumerate(entries)))


def state(name: str) -> Any:
    return {"$": name}


def test_a_move_with_a_lesson_goes_back() -> None:
    because = (Defect("empty", "no rows"),)
    found = lines(Moved(state("Specifying")), Moved(state("Executing")), Moved(state("Specifying"), because=because))
    assert [(each.mark, each.text) for each in found] == [
        ("→", "Specifying"),
        ("→", "Executing"),
        ("↩", "back to Specifying"),
    ]
    assert found[2].details == ("lesson: no rows",)


def test_a_refused_attempt_says_why_and_what_it_cost() -> None:
    refused = Refused(
        "Specifying", "defects", 2, defects=(Defect("compiles", "no such measure"),), details=MODEL, usage=USED
    )
    found = lines(Moved(state("Specifying")), refused)[1]
    assert (found.mark, found.text) == ("✗", "Specifying: attempt 2 refused")
    assert found.details == ("compiles: no such measure", "model v:m", "10 tokens in, 5 out, 0.002 USD")


def test_giving_up_is_no_way_back() -> None:
    given_up = Moved(state("Diagnosing"), because=(Defect("empty", "no rows"),), otherwise=True)
    found = lines(Moved(state("Executing")), given_up, Moved(state("Executing")), given_up)
    assert [each.mark for each in found] == ["→", "→", "↩", "→"]
    assert found[3].details == ("given up: no rows",)


def test_a_call_that_failed_says_how() -> None:
    found = lines(Moved(state("Executing")), Refused("Executing", "transient", 1, message="the disk is away"))[1]
    assert (found.text, found.details) == ("Executing: attempt 1 failed (transient)", ("the disk is away",))


TABLE = Table(
    columns=(Column(name="day", type="", kind="text"), Column(name="n", type="", kind="integer")),
    rows=tuple((f"2024-01-0{n}", n) for n in range(1, 5)),
)


def spec(mark: JsonValue, wrong: int = 0) -> dict[str, JsonValue]:
    values: list[JsonValue] = [{"day": row[0], "n": row[1] + wrong} for row in TABLE.rows]
    encoding: JsonValue = {"x": {"field": "day", "type": "nominal"}, "y": {"field": "n", "type": "quantitative"}}
    return {"mark": mark, "description": "Line chart of n", "data": {"values": values}, "encoding": encoding}


@pytest.mark.parametrize(
    ("drawn", "kinds"),
    [
        (spec({"type": "line"}), ["line", "bar", "point"]),
        (spec("bar"), ["bar", "point"]),
        (spec({"type": "line"}, wrong=1), ["line"]),
        ({**spec("x"), "mark": None, "layer": []}, ["pie"]),
        (None, []),
    ],
)
def test_other_kinds_are_offered_only_where_they_hold(drawn: dict[str, JsonValue] | None, kinds: list[str]) -> None:
    assert list(chart_kinds(drawn, TABLE)) == kinds


def test_a_figure_on_another_page_of_rows_leads_there() -> None:
    figure = {"text": "7", "start": 0, "end": 1, "value": "7", "cells": [(ROWS + 3, "n")], "computation": ""}
    first, rest = pieces("7 of them", [figure], ["day", "n"], 1)
    assert (first["link"], first["cells"]) == (f"?page=2#c-{ROWS + 3}-1", [f"c-{ROWS + 3}-1"])
    assert (rest["text"], rest["says"]) == (" of them", "")


def test_a_figure_over_a_column_points_at_its_heading() -> None:
    figure = {"text": "10", "start": 0, "end": 2, "value": "10", "cells": [], "computation": "sum of n"}
    assert pieces("10", [figure], ["day", "n"], 1)[0]["cells"] == ["h-1"]

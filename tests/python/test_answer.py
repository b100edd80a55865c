"""An answer in Python: exact rows, Arrow, a bundle for notebooks with all escaped, a clear word without pandas."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from html.parser import HTMLParser
from typing import Any

import duckdb
import pytest

import backedge
from backedge.adapters.exporting.arrow import arrow
from backedge.python.answer import VEGA_LITE, Answer
from backedge.python.showing import as_html, as_text
from backedge.query.table import Cell, Column, Kind, Table


def test_rows_are_exact_and_figures_lead_to_them(monthly: backedge.Answer) -> None:
    assert (len(monthly.rows), monthly.columns) == (12, ("sale_date_month", "net_revenue"))
    assert monthly.rows[0] == (date(2025, 1, 1), Decimal("50.00"))
    assert "select" in (monthly.sql or "").lower()
    first = monthly.figures[0]
    assert monthly.text[first["start"] : first["end"]] == first["text"]
    cells = [monthly.rows[row][monthly.columns.index(name)] for f in monthly.figures for row, name in f["cells"]]
    assert Decimal("94.00") in cells


def test_the_bundle_has_text_table_and_chart(monthly: backedge.Answer) -> None:
    bundle = monthly._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", VEGA_LITE}
    assert bundle["text/html"].count("<tr>") == 13
    assert "50.00" in bundle["text/plain"]
    assert json.loads(json.dumps(bundle))[VEGA_LITE]["$schema"].endswith("/v5.json")


def test_a_question_is_shown_with_its_options_and_no_chart(project: backedge.Project) -> None:
    bundle = project.ask("Revenue by country")._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert "2) net revenue" in bundle["text/plain"]
    assert "answer.reply(" in bundle["text/html"]


@pytest.mark.slow
@pytest.mark.parametrize("question", ["Monthly net revenue in 2025", "Net revenue by country"])
def test_the_chart_is_valid_in_both_versions(project: backedge.Project, question: str) -> None:
    vl_convert = pytest.importorskip("vl_convert")
    spec = dict(project.ask(question).chart or {})
    versions = [v for v in vl_convert.get_vegalite_versions() if v.split(".")[0] in ("5", "6")]
    newest = [max((v for v in versions if v.startswith(m)), key=lambda v: int(v.split(".")[1])) for m in ("5", "6")]
    for version in newest:
        v6 = {**spec, "$schema": f"https://vega.github.io/schema/vega-lite/v{version[0]}.json"}
        assert "<svg" in vl_convert.vegalite_to_svg(v6, vl_version=version, allowed_base_urls=[])


def form(**more: Any) -> dict[str, Any]:
    blank = {"run_id": "r", "status": "answered", "answer": "", "hints": [], "questions": [], "columns": [], "rows": []}
    return {**blank, "truncated": None, "sql": None, "chart": None, "figures": [], **more}


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)


def test_nothing_of_the_data_is_markup() -> None:
    evil = "<script>alert(1)</script><img src=x onerror=y>"
    asks = {"prompt": evil, "options": [{"label": evil}]}
    column = {"name": evil, "type": "VARCHAR", "kind": "text"}
    shown = form(answer=evil, hints=[evil], questions=[asks], columns=[column], rows=[[evil]], sql=evil)
    html = as_html({**shown, "parts": [shown]})
    assert Tags(html).seen <= {"p", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre", "caption"}
    assert html.count("&lt;script&gt;") == 14


def test_what_is_left_out_is_said() -> None:
    column = {"name": "n", "type": "BIGINT", "kind": "integer"}
    shown = form(answer="Many.", columns=[column], rows=[[n] for n in range(60)], truncated="rows")
    for text in (as_text(shown), as_html(shown)):
        assert "50 of 60 rows are shown; all are in .rows; the result was cut" in text


def test_parts_are_answers_of_their_own(project: backedge.Project) -> None:
    column = {"name": "n", "type": "BIGINT", "kind": "integer"}
    whole = Answer(form(parts=[form(run_id="a", columns=[column], rows=[[1]]), form(run_id="b")]), project)
    assert [(part.run_id, part.rows) for part in whole.parts] == [("a", ((1,),)), ("b", ())]


@pytest.mark.skipif(importlib.util.find_spec("pandas") is not None, reason="pandas is installed here")
def test_without_pandas_it_says_what_to_do(monthly: backedge.Answer) -> None:
    with pytest.raises(backedge.BackedgeError, match="pip install pandas, or use `rows`") as error:
        monthly.to_pandas()
    assert error.value.kind == "not_installed"


def test_with_pandas_the_rows_are_handed_on(monthly: backedge.Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    class Frame:
        @staticmethod
        def from_records(rows: list[Any], columns: list[str]) -> tuple[list[Any], list[str]]:
            return rows, columns

    class Pandas:
        DataFrame = Frame

    monkeypatch.setitem(__import__("sys").modules, "pandas", Pandas)
    assert monthly.to_pandas() == (list(monthly.rows), list(monthly.columns))


CELLS: list[tuple[Kind, list[Cell], str]] = [
    ("integer", [1, None, -(2**63)], "BIGINT"),
    ("integer", [2**64, None, -(2**70)], "DECIMAL(38,0)"),
    ("decimal", [Decimal("-0.05"), None, Decimal("12345678901234567890.123")], "DECIMAL(38,3)"),
    ("decimal", [Decimal("1E+3"), Decimal(0)], "DECIMAL(38,0)"),
    ("double", [1.5, None, float("inf")], "DOUBLE"),
    ("text", ["a", None, "", "שלום"], "VARCHAR"),
    ("boolean", [True, None, False], "BOOLEAN"),
    ("date", [date(1900, 2, 28), None, date(2025, 1, 1)], "DATE"),
    ("datetime", [datetime(1969, 12, 31, 23, 59, 59, 999999), None], "TIMESTAMP"),
    ("time", [time(23, 59, 59, 1), None], "TIME"),
    ("interval", [timedelta(days=-1, microseconds=3), None], "INTERVAL"),
    ("text", [None, None], "VARCHAR"),
    ("decimal", [], "DECIMAL(38,0)"),
]


@pytest.mark.parametrize(("kind", "cells", "held"), CELLS)
def test_arrow_holds_every_cell_exactly(kind: Kind, cells: list[Cell], held: str) -> None:
    made = arrow(
        Table.model_construct(columns=(Column(name="c", type="", kind=kind),), rows=tuple((c,) for c in cells))
    )
    with duckdb.connect() as connection:
        read = connection.from_arrow(made)
        assert (str(read.types[0]), len(made)) == (held, len(cells))
        assert [row[0] for row in read.fetchall()] == cells


def test_arrow_keeps_a_moment_with_a_zone() -> None:
    moment = datetime(2025, 3, 1, 12, tzinfo=UTC)
    table = Table.model_construct(columns=(Column(name="c", type="", kind="datetime"),), rows=((moment,), (None,)))
    with duckdb.connect() as connection:
        assert connection.from_arrow(arrow(table)).project("epoch_us(c)").fetchall() == [
            (int(moment.timestamp()) * 1_000_000,),
            (None,),
        ]


def test_arrow_keeps_two_columns_of_one_name_and_digits_beyond_its_decimals() -> None:
    columns = (Column(name="c", type="", kind="integer"), Column(name="c", type="", kind="decimal"))
    long = Decimal("1" * 39 + ".5")
    made = arrow(Table.model_construct(columns=columns, rows=((1, long),)))
    with duckdb.connect() as connection:
        assert connection.from_arrow(made).fetchall() == [(1, str(long))]


class Heard:
    """An asker that only keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, tuple[str, ...], int | None]] = []

    def ask(self, text: str, *, after: Answer | str = "") -> Answer:
        raise NotImplementedError

    async def ask_async(self, text: str, *, after: Answer | str = "") -> Answer:
        raise NotImplementedError

    def reply(self, run_id: str, *values: str, asked: int | None = None) -> Answer:
        self.told.append((run_id, values, asked))
        return Answer(form(), self)

    async def reply_async(self, run_id: str, *values: str, asked: int | None = None) -> Answer:
        return self.reply(run_id, *values, asked=asked)


def test_a_reply_is_for_the_question_that_was_seen() -> None:
    heard = Heard()
    waiting = Answer(form(status="needs_input", questions=[{"seq": 7}]), heard)
    waiting.reply("a", "b")
    asyncio.run(waiting.reply_async("c"))
    assert heard.told == [("r", ("a", "b"), 7), ("r", ("c",), 7)]

"""Dialects that are printed and not run here: each construct is in that database's own words."""

from __future__ import annotations

import pytest
import sqlglot

from backedge.semantic.compile import compile_spec
from backedge.semantic.spec import By, Compiled, Filter, Grain, Spec
from tests.semantic.tpch.questions import MODEL, SPECS

PRINTED = ("bigquery", "databricks", "snowflake", "trino")
WEEKS = {"bigquery": ", ISOWEEK)", "snowflake": "DAYOFWEEKISO("}
GRAINS: tuple[Grain, ...] = ("year", "quarter", "month", "week", "day")


def sql(spec: Spec, dialect: str) -> str:
    found = compile_spec(MODEL, spec, dialect)
    assert isinstance(found, Compiled), found
    return found.sql


@pytest.mark.parametrize("dialect", PRINTED)
@pytest.mark.parametrize("grain", GRAINS)
def test_periods_are_dates_of_that_database(dialect: str, grain: Grain) -> None:
    text = sql(Spec(("orders.order_total",), (By("orders.order_date", grain),)), dialect)
    usual = f", {grain.upper()})" if dialect == "bigquery" else f"DATE_TRUNC('{grain.upper()}'"
    assert (WEEKS.get(dialect, usual) if grain == "week" else usual) in text


@pytest.mark.parametrize("dialect", PRINTED)
@pytest.mark.parametrize("name", SPECS)
def test_every_question_of_the_benchmark_prints_and_parses_again(dialect: str, name: str) -> None:
    text = sql(SPECS[name], dialect)
    assert sqlglot.parse_one(text, read=dialect).sql(dialect=dialect)
    assert "$1" not in text or SPECS[name].where


@pytest.mark.parametrize(
    ("dialect", "quote"), [("databricks", "`"), ("bigquery", "`"), ("trino", '"'), ("snowflake", '"')]
)
def test_names_are_quoted_as_there(dialect: str, quote: str) -> None:
    assert f"{quote}orders_rows{quote}" in sql(Spec(("orders.order_total",)), dialect)


@pytest.mark.parametrize("dialect", ["mysql", "redshift", "clickhouse"])
def test_a_dialect_without_tables_is_refused_by_name(dialect: str) -> None:
    refused = compile_spec(MODEL, Spec(("orders.order_total",), where=(Filter("orders.status", "set"),)), dialect)
    assert isinstance(refused, tuple)
    assert refused[0].kind == "not_supported"
    assert dialect in refused[0].message


def test_a_plain_table_keeps_the_case_that_its_database_folds_to() -> None:
    assert "FROM orders AS" in sql(Spec(("orders.order_total",)), "snowflake")

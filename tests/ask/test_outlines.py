"""An outline of SQL over introspected tables names what is there, and joins all that it names."""

from __future__ import annotations

import pytest

from backedge.ask.prompted.outlines import objections, outline, tables_of
from backedge.query.ports import TableInfo

TABLES = (
    TableInfo("orders.csv", (("id", "BIGINT"), ("amount", "DECIMAL"))),
    TableInfo("items.csv", (("order_id", "BIGINT"), ("qty", "BIGINT"))),
)
AMOUNT, QTY = "orders.csv.amount", "items.csv.qty"
JOIN = "orders.csv.id = items.csv.order_id"


@pytest.mark.parametrize(
    ("columns", "joins", "kind", "told"),
    [
        (["orders.csv.amont"], [], "unknown_column", "orders.csv.amount"),
        ([AMOUNT], ["orders.csv.id = items.csv.orderid"], "unknown_column", "items.csv.order_id"),
        ([AMOUNT, QTY], [], "not_joined", "items.csv"),
        ([AMOUNT], ["orders.csv.id"], "bad_join", "orders.csv.id"),
        ([], [], "no_outline", "columns"),
    ],
)
def test_what_does_not_hold_is_told(columns: list[str], joins: list[str], kind: str, told: str) -> None:
    (defect,) = objections(columns, joins, TABLES)
    assert defect.kind == kind
    assert told in f"{defect.message} {defect.hint} {defect.near}"


def test_what_holds_goes_on_as_text_that_names_its_tables() -> None:
    assert objections([AMOUNT, QTY], [JOIN], TABLES) == ()
    assert tables_of(outline([AMOUNT], [JOIN])) == {"orders.csv", "items.csv"}

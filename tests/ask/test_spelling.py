"""Values of a request are spelt as the data have them: all that differ in case, space or number, and no other."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from backedge.ask.prompted.spelling import Speller, Spelt
from backedge.query.ports import Ran
from backedge.semantic.spec import Filter, Operator, Spec
from tests.ask.grounding_shop import MODEL
from tests.ask.results import table

HELD = ("Web", "web", "Toy", "Store", "Côte d'Ivoire")


class Column:
    """A database whose every column holds the same values."""

    name = "local"
    dialect = "duckdb"

    async def run(self, sql: str, params: Any = (), caps: Any = None) -> Ran:
        """All of them."""
        return Ran(table({"channel": "text"}, [[value] for value in HELD]), 1)


def spelt(value: str, op: Operator = "equals") -> Spelt:
    speller = Speller(MODEL, {"local": Column()}, "local", {}, 5, lambda path: False)  # type: ignore[dict-item]
    return asyncio.run(speller.of(Spec(("orders.total_sales",), where=(Filter("orders.channel", op, (value,)),))))


@pytest.mark.parametrize(
    ("value", "op", "given"),
    [
        ("Store", "equals", Filter("orders.channel", "equals", ("Store",))),
        (" STORE", "equals", Filter("orders.channel", "equals", ("Store",))),
        ("WEB", "equals", Filter("orders.channel", "in", ("Web", "web"))),
        ("web", "not_equals", Filter("orders.channel", "not_in", ("Web", "web"))),
        ("toys", "equals", Filter("orders.channel", "equals", ("Toy",))),
        ("cote d'ivoire", "equals", Filter("orders.channel", "equals", ("Côte d'Ivoire",))),
        ("sto", "contains", Filter("orders.channel", "contains", ("sto",))),
    ],
)
def test_every_spelling_of_a_value_is_taken(value: str, op: Operator, given: Filter) -> None:
    found = spelt(value, op)
    assert (found.spec.where, found.defects) == ((given,), ())
    assert bool(found.assumptions) is (given.values != (value,))


def test_a_value_that_is_not_there_is_refused_with_the_nearest() -> None:
    (defect,) = spelt("Stare").defects
    assert (defect.kind, defect.near[0]) == ("unknown_value", "Store")

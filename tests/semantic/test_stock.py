"""Measures of what is there at a moment, and quotients of totals of different levels."""

from __future__ import annotations

from datetime import date

import pytest

from backedge.semantic.model import Measure, Model
from backedge.semantic.spec import By, Filter, Spec
from backedge.semantic.timed import NonAdditive, Window
from tests.semantic.asking import Rows, defect, rows, view

TABLES = {
    "accounts": "SELECT * FROM (VALUES ('x', 'north'), ('y', 'south')) t(id, region)",
    "balances": """SELECT * FROM (VALUES (1, 'x', DATE '2024-01-01', 100), (2, 'y', DATE '2024-01-01', 50),
        (3, 'x', DATE '2024-01-31', 150), (4, 'y', DATE '2024-01-30', 70), (5, 'x', DATE '2024-02-10', 120),
        (6, 'y', NULL, 999)) t(id, account_id, day, amount)""",
    "tags": "SELECT * FROM (VALUES (3, 'p'), (3, 'p'), (3, 'q'), (5, 'p')) t(balance_id, tag)",
}


def balances(**rule: object) -> Model:
    rules = NonAdditive("day", **rule)  # type: ignore[arg-type]
    return Model(
        (
            view("accounts", "id region", primary="account(id)"),
            view(
                "balances",
                "id:number account_id day:date amount:number",
                Measure("held", "sum", "amount", non_additive=rules),
                Measure("double", "sum", "amount * 2", non_additive=rules),
                Measure("north", "sum", "amount", ("{{accounts.region}} = 'north'",), non_additive=rules),
                Measure("south", "sum", "amount", ("{{accounts.region}} = 'south'",), non_additive=rules),
                Measure("rows", "count", non_additive=rules),
                Measure("moved", "custom", "SUM(amount)", non_additive=rules),
                Measure("twice", "number", "{{held}} * 2"),
                Measure("wrong", "number", "{{held}} * 2", non_additive=rules),
                Measure("lasting", "sum", "amount", non_additive=rules, window=Window(trailing=2)),
                primary="balance(id)",
                foreign="account(account_id)",
            ),
            view("tags", "balance_id:number tag", foreign="balance(balance_id)"),
        )
    )


def ask(measure: str, *by: By, where: tuple[Filter, ...] = (), **rule: object) -> Rows:
    return rows(TABLES, balances(**rule), Spec((f"balances.{measure}",), by, where))


MONTHLY = By("balances.day", "month")


def test_the_last_moment_of_all_counts_without_a_grouping() -> None:
    assert ask("held") == [(120,)]
    assert ask("held", take="first") == [(150,)]


def test_each_group_has_its_own_last_moment() -> None:
    assert ask("held", By("accounts.region")) == [("north", 120), ("south", 70)]
    assert ask("held", MONTHLY) == [(date(2024, 1, 1), 150), (date(2024, 2, 1), 120)]


def test_each_account_counts_at_its_own_last_moment() -> None:
    assert ask("held", per=("account_id",)) == [(190,)]
    assert ask("held", MONTHLY, per=("account_id",))[0] == (date(2024, 1, 1), 220)


def test_what_a_question_filters_by_is_left_out_before_the_last_moment_is_looked_for() -> None:
    january = (Filter("balances.day", "lt", (date(2024, 1, 31),)),)
    assert ask("held", where=january) == [(70,)]


def test_a_filter_of_the_measure_decides_which_rows_have_a_last_moment() -> None:
    assert ask("north", MONTHLY) == [(date(2024, 1, 1), 150), (date(2024, 2, 1), 120)]
    assert ask("south", MONTHLY) == [(date(2024, 1, 1), 70)]
    assert ask("south") == [(70,)]


def test_an_expression_over_a_balance_is_not_summed_over_time() -> None:
    assert (
        ask("double", By("accounts.region")) == ask("twice", By("accounts.region")) == [("north", 240), ("south", 140)]
    )
    assert ask("moved") == [(120,)]


def test_counts_are_of_the_rows_at_that_moment() -> None:
    assert ask("rows", MONTHLY) == [(date(2024, 1, 1), 1), (date(2024, 2, 1), 1)]


def test_a_balance_counts_once_for_each_tag_below_it() -> None:
    assert ask("held", By("tags.tag"), where=(Filter("balances.day", "set"),)) == [("p", 120), ("q", 150), (None, 70)]


def test_the_last_moment_of_a_window_may_lie_before_its_period() -> None:
    assert ask("lasting", MONTHLY, By("accounts.region")) == [
        (date(2024, 1, 1), "north", 150),
        (date(2024, 1, 1), "south", 70),
        (date(2024, 2, 1), "north", 120),
        (date(2024, 2, 1), "south", 70),
    ]


def test_non_additive_over_measures_or_over_no_date_is_refused() -> None:
    assert defect(balances(), Spec(("balances.wrong",))).kind == "bad_expression"
    model = Model((view("v", "day:date n:number", Measure("m", "sum", "n", non_additive=NonAdditive("dya"))),))
    assert "did you mean day" in defect(model, Spec(("v.m",))).hint
    model = Model((view("v", "n:number", Measure("m", "sum", "n", non_additive=NonAdditive("n"))),))
    assert "no date" in defect(model, Spec(("v.m",))).message


FACTS = {
    "financials": "SELECT * FROM (VALUES (1, DATE '2024-01-01', 300), (2, DATE '2024-02-01', 100)) t(id, day, amount)",
    "hours": """SELECT * FROM (VALUES (1, 1, 5), (2, 1, 5), (3, 1, 5), (4, 2, 4), (5, NULL, 7))
        t(id, month_id, hours)""",
}
RATES = Model(
    (
        view(
            "financials",
            "id:number day:date",
            Measure("amount", "sum", "amount"),
            Measure("rate", "ratio", numerator="amount", denominator="{{hours.worked}}"),
            Measure("whole", "ratio", numerator="financials.amount", denominator="amount"),
            Measure("nothing", "ratio", numerator="amount", denominator="hours.idle"),
            Measure("lost", "ratio", numerator="amount", denominator="hours.wrked"),
            Measure("months", "count"),
            Measure("share", "ratio", numerator="months", denominator="hours.entries"),
            Measure("sure", "sum", "amount", fill_nulls_with=0),
            Measure("both", "number", "{{sure}} + {{hours.sure}}"),
            Measure("unsure", "number", "{{amount}} + {{hours.worked}}"),
            primary="month(id)",
        ),
        view(
            "hours",
            "id:number month_id:number kind",
            Measure("worked", "sum", "hours"),
            Measure("idle", "sum", "hours * 0"),
            Measure("entries", "count"),
            Measure("sure", "sum", "hours", fill_nulls_with=0),
            primary="entry(id)",
            foreign="month(month_id)",
        ),
    )
)


def test_each_part_of_a_ratio_is_added_up_at_its_own_grain() -> None:
    found = rows(FACTS, RATES, Spec(("financials.rate",), (By("financials.day", "month"),)))
    assert found == [(date(2024, 1, 1), 20.0), (date(2024, 2, 1), 25.0), (None, None)]


def test_the_total_of_a_ratio_is_the_ratio_of_the_totals() -> None:
    assert rows(FACTS, RATES, Spec(("financials.rate",))) == [(400 / 26,)]
    assert rows(FACTS, RATES, Spec(("financials.whole",))) == [(1.0,)]


def test_a_ratio_of_whole_numbers_keeps_its_fraction() -> None:
    assert rows(FACTS, RATES, Spec(("financials.share",))) == [(0.4,)]


def test_division_by_zero_has_no_value() -> None:
    assert rows(FACTS, RATES, Spec(("financials.nothing",))) == [(None,)]


def test_what_is_missing_on_one_side_is_what_the_measure_says() -> None:
    months = Spec(("financials.both", "financials.unsure"), (By("financials.day", "month"),))
    assert rows(FACTS, RATES, months) == [(date(2024, 1, 1), 315, 315), (date(2024, 2, 1), 104, 104), (None, 7, None)]


def test_a_part_that_is_not_there_is_refused_with_the_nearest() -> None:
    found = defect(RATES, Spec(("financials.lost",)))
    assert (found.kind, "hours.worked" in found.hint) == ("bad_expression", True)


def test_filters_on_a_ratio_are_refused() -> None:
    ratio = Measure("r", "ratio", filters=("x = 1",), numerator="n", denominator="n")
    assert defect(Model((view("v", "x", Measure("n", "count"), ratio),)), Spec(("v.r",))).kind == "bad_expression"


@pytest.mark.parametrize("by", [(), (By("financials.day", "month"),)])
def test_two_derived_measures_that_share_a_part_run_together(by: tuple[By, ...]) -> None:
    found = rows(FACTS, RATES, Spec(("financials.rate", "financials.whole", "financials.amount"), by))
    assert found[0][-2] == 1.0

"""Keys that look along time load as the compiler takes them; mistakes are named with their line."""

from __future__ import annotations

import pytest

from backedge.config.problem import ConfigError
from backedge.config.project import load_project
from backedge.semantic.model import Measure
from backedge.semantic.timed import Calendar, NonAdditive, Shift, Span, Window
from tests.config.projects import CONFIG, VIEW, Write


def loaded(write: Write, measure: str) -> Measure:
    folder = write({"a.view.yml": f"{VIEW}  - {measure}\n"})
    return load_project(folder).catalog.model.views[0].measures[-1]


@pytest.mark.parametrize(
    ("keys", "window"),
    [
        ("trailing: unbounded", Window(trailing="unbounded")),
        ("trailing: '7', leading: current row", Window(trailing=7)),
        ("trailing: 7", Window(trailing=7)),
        ("trailing: 7 days, leading: 1 quarter", Window(Span(days=7), Span(months=3))),
        ("trailing: 3 months, offset: start", Window(Span(months=3), offset="start")),
        ("to_date: fiscal_year", Window(to_date="fiscal_year")),
    ],
)
def test_a_window_is_read(write: Write, keys: str, window: Window) -> None:
    assert loaded(write, f"{{name: w, type: sum, expr: amount, rolling_window: {{{keys}}}}}").window == window


def test_shifts_ratios_and_last_values_are_read(write: Write) -> None:
    assert loaded(write, "{name: s, shift: {measure: revenue, by: 1 year}}").shift == Shift("revenue", Span(months=12))
    later = loaded(write, "{name: s, shift: {measure: revenue, by: 2 weeks, direction: next}}")
    assert later.shift == Shift("revenue", Span(days=-14))
    rule = loaded(write, "{name: n, type: sum, expr: amount, non_additive: {dimension: placed, per: [status]}}")
    assert rule.non_additive == NonAdditive("placed", "last", ("status",))
    ratio = loaded(write, "{name: r, type: ratio, numerator: revenue, denominator: orders.revenue}")
    assert (ratio.type, ratio.numerator, ratio.denominator) == ("ratio", "revenue", "orders.revenue")
    assert loaded(write, "{name: f, type: sum, expr: amount, fill_nulls_with: 0}").fill_nulls_with == 0
    assert loaded(write, "{name: f, type: sum, expr: amount, fill_nulls_with: 0.5}").fill_nulls_with == 0.5


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("{name: w, type: sum, expr: amount, rolling_window: {trailing: 7 moons}}", "`trailing` is `7 moons`"),
        ("{name: w, type: sum, expr: amount, rolling_window: {offset: end}}", "needs either `to_date`"),
        ("{name: w, type: sum, expr: amount, rolling_window: {to_date: year, trailing: 1}}", "needs either `to_date`"),
        ("{name: w, type: sum, expr: amount, rolling_window: {to_date: yeer}}", "`year`"),
        ("{name: s, shift: {measure: revenue, by: a while}}", "`by` of its shift is `a while`"),
        ("{name: s, shift: {measure: revenue}}", "needs `by`"),
        ("{name: s, shift: {measure: revenue, by: 1 year, direction: sideways}}", "`prior`"),
        ("{name: r, type: ratio, numerator: revenue}", "is a ratio: give it `numerator` and `denominator`"),
        ("{name: r, type: sum, expr: amount, numerator: revenue}", "which only `type: ratio` has"),
        ("{name: n, type: sum, expr: amount, non_additive: {dimension: plced}}", "did you mean `placed`"),
        ("{name: f, type: sum, expr: amount, fill_nulls_with: none}", "`fill_nulls_with`"),
    ],
)
def test_a_mistake_is_named_with_its_place(write: Write, measure: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded(write, measure)
    assert said in str(caught.value)
    assert f"a.view.yml:{len(VIEW.splitlines()) + 1}" in str(caught.value)


def test_a_calendar_stands_in_the_project_and_in_a_topic(write: Write) -> None:
    config = f"{CONFIG}calendar: {{week_start: sunday, fiscal_year_start: 4}}\n"
    topic = "name: t\nviews: [orders]\ncalendar: {fiscal_year_start: October}\n"
    model = load_project(write({"config.yml": config, "a.view.yml": VIEW, "t.topic.yml": topic})).catalog.model
    assert (model.calendar, model.topics[0].calendar) == (Calendar(6, 4), Calendar(None, 10))


@pytest.mark.parametrize(
    ("calendar", "said"),
    [("week_start: sonday", "write a weekday such as `monday`"), ("fiscal_year_start: 13", "write a month such as")],
)
def test_a_calendar_that_is_none_is_named(write: Write, calendar: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_project(write({"config.yml": f"{CONFIG}calendar: {{{calendar}}}\n", "a.view.yml": VIEW}))
    assert said in str(caught.value)

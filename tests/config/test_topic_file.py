"""Topics load in each form of Oxygen's default filters; what cannot be compared with yet blocks the topic by name."""

from __future__ import annotations

import pytest

from backedge.config.problem import ConfigError
from backedge.config.project import load_project
from backedge.semantic.model import Topic, TopicFilter
from tests.config.projects import VIEW, Write

OTHER = "name: stores\ntable: stores.csv\ndimensions:\n  - {name: city, type: string}\n"


def loaded(write: Write, filters: str, head: str = "views: [orders, stores]\nbase_view: orders") -> Topic:
    files = {"a.view.yml": VIEW, "b.view.yml": OTHER, "t.topic.yml": f"name: sales\n{head}\n{filters}"}
    return load_project(write(files)).catalog.model.topics[0]


def refused(write: Write, filters: str, head: str = "views: [orders, stores]\nbase_view: orders") -> str:
    with pytest.raises(ConfigError) as caught:
        loaded(write, filters, head)
    return str(caught.value)


@pytest.mark.parametrize(
    ("written", "field", "op", "values"),
    [
        ("{field: paid, eq: {value: false}}", "orders.paid", "equals", (False,)),
        ("{field: paid, eq: true}", "orders.paid", "equals", (True,)),
        ("{field: orders.id, neq: {value: 3}}", "orders.id", "not_equals", (3,)),
        ("{field: stores.city, in: {values: [Oslo, on]}}", "stores.city", "in", ("Oslo", "on")),
        ("{field: status, not_in: [a]}", "orders.status", "not_in", ("a",)),
        ("{field: id, op: gte, value: 7}", "orders.id", "gte", (7,)),
        ("{field: id, op: in, values: [1, 2]}", "orders.id", "in", (1, 2)),
        ("{field: id, filter_type: {lt: {value: 2.5}}}", "orders.id", "lt", (2.5,)),
        ("{field: id, filter_type: {op: lte, value: 2}}", "orders.id", "lte", (2,)),
        ("{field: id, filter_type: gt, value: 2}", "orders.id", "gt", (2,)),
        ("{field: status, eq: {value: null}}", "orders.status", "not_set", ()),
        ("{field: status, op: neq, value: ~}", "orders.status", "set", ()),
        ("{field: placed, gte: {value: 2024-01-05}}", "orders.placed", "gte", ("2024-01-05",)),
    ],
)
def test_each_written_form_of_a_filter(write: Write, written: str, field: str, op: str, values: object) -> None:
    topic = loaded(write, f"default_filters:\n  - {written}\n")
    assert topic.default_filters == (TopicFilter(field, op, values, "t.topic.yml:5"),)  # type: ignore[arg-type]
    assert topic.unsupported == ()


@pytest.mark.parametrize(
    "written",
    [
        "{field: placed, in_date_range: {from: 2024-01-01, to: 2024-01-31}}",
        "{field: placed, op: in_date_range, from: 2024-01-01, to: 2024-01-31}",
        "{field: placed, op: in_date_range, value: {from: 2024-01-01, to: 2024-01-31}}",
        "{field: placed, in_date_range: {values: [2024-01-01, 2024-01-31]}}",
    ],
)
def test_a_range_of_days_includes_its_last_day_and_is_kept_half_open(write: Write, written: str) -> None:
    (only,) = loaded(write, f"default_filters: [{written}]").default_filters
    assert (only.op, only.values) == ("in_range", ("2024-01-01", "2024-02-01"))


def test_a_range_up_to_a_moment_ends_there(write: Write) -> None:
    written = "{field: placed, not_in_date_range: {from: 2024-01-01, to: '2024-01-31T12:00:00'}}"
    (only,) = loaded(write, f"default_filters: [{written}]").default_filters
    assert (only.op, only.values) == ("not_in_range", ("2024-01-01", "2024-01-31T12:00:00"))


def test_numbers_for_a_text_dimension_stay_as_written(write: Write) -> None:
    written = "default_filters: [{field: status, in: {values: [10, 1.50, true, '7']}}]"
    assert loaded(write, written).default_filters[0].values == ("10", "1.50", "true", "7")


@pytest.mark.parametrize(
    "written",
    [
        "{field: placed, in_date_range: {from: 90 days ago, to: today}}",
        "{field: placed, gte: {value: yesterday}}",
        "{field: placed, in: {values: [2024-01-01, ~]}}",
    ],
)
def test_a_value_that_is_not_served_yet_blocks_the_topic(write: Write, written: str) -> None:
    topic = loaded(write, f"default_filters: [{written}]")
    assert topic.default_filters == ()
    assert topic.unsupported == ("default_filters: orders.placed",)


def test_a_field_without_a_view_belongs_to_the_only_view(write: Write) -> None:
    topic = loaded(write, "default_filters: [{field: city, eq: {value: Oslo}}]", head="views: [stores]")
    assert topic.default_filters[0].field == "stores.city"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("{field: status, equals: {value: x}}", "unknown key or operator `equals` in a default filter"),
        ("{field: status, op: equal, value: x}", "t.topic.yml:4: unknown operator `equal`"),
        ("{field: status, nin: {values: [x]}}", "(did you mean"),
        ("{field: status}", "exactly one operator"),
        ("{field: status, eq: {value: a}, neq: {value: b}}", "exactly one operator"),
        ("{eq: {value: a}}", "needs `field`"),
        ("status", "needs `field`"),
        ("{field: status, in: {values: []}}", "at least one value"),
        ("{field: status, in: {values: x}}", "`in` needs `values`"),
        ("{field: status, eq: {value: [a]}}", "`eq` needs `value`"),
        ("{field: status, gt: {value: ~}}", "cannot compare with null"),
        ("{field: placed, in_date_range: {from: 2024-01-01}}", "needs `from` and `to`"),
        (
            "{field: statos, eq: {value: a}}",
            "`statos` is no dimension of view `orders`: a default",
        ),
        ("{field: revenue, eq: {value: 1}}", "`revenue` is a measure of view `orders`"),
        ("{field: store.city, eq: {value: a}}", "is of view `store`, which is not among the views"),
    ],
)
def test_a_wrong_filter_is_refused(write: Write, written: str, said: str) -> None:
    assert said in refused(write, f"default_filters: [{written}]")


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (
            "views: [orders, store]",
            "t.topic.yml:2: view `store` of topic `sales` is not there: declare",
        ),
        ("views: [orders]\nbase_view: stores", "t.topic.yml:3: `base_view` `stores` of topic `sales` is not among"),
        ("views: []", "needs at least one view"),
        ("base_view: orders", "a topic needs `views`"),
        ("views: [orders]\nbase_veiw: orders", "(did you mean `base_view`?)"),
        (
            "views: [orders, stores]\ndefault_filters: [{field: city, eq: {value: a}}]",
            "write `view.city`, or",
        ),
    ],
)
def test_a_wrong_topic_is_refused(write: Write, head: str, said: str) -> None:
    assert said in refused(write, "", head)


def test_a_view_whose_file_is_wrong_is_not_called_missing(write: Write) -> None:
    folder = write({"a.view.yml": "name: orders\ntabel: x\n", "t.topic.yml": "name: t\nviews: [orders]\n"})
    with pytest.raises(ConfigError) as caught:
        load_project(folder)
    assert [problem.file for problem in caught.value.problems] == ["a.view.yml"]

"""What becomes of columns in a draft: what is added up, what never is, and names that cannot collide."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.semantic.draft import Draft, draft_views
from backedge.semantic.draft_keys import Reference
from backedge.semantic.draft_uses import use_of
from backedge.semantic.profile import Column, Kind, TableProfile, has_top, kind_of_type


def number(name: str, kind: Kind = "decimal", low: str = "1.5", high: str = "900.5", different: int = 80) -> Column:
    return Column(name, kind, kind, filled=100, different=different, low=low, high=high)


def use(column: Column) -> str:
    return use_of(column, 100, is_key=False).use


@pytest.mark.parametrize(
    "name",
    ["amount", "Weekly_Sales", "qty", "total_price", "order_total", "num_visits", "refund_amt", "units", "units_sold"],
)
def test_amounts_are_added_up(name: str) -> None:
    assert use(number(name)) == "sum"


@pytest.mark.parametrize(
    "name",
    [
        "price",
        "unit_price",
        "tax_rate",
        "discount_pct",
        "margin (%)",
        "Temperature",
        "avg_sales",
        "cost_per_unit",
        "rating",
        "age",
        "balance",
        "ytd_revenue",
        "min_order_qty",
        "conversion_rate",
        "unit_cost",
        "revenue_growth",
    ],
)
def test_rates_prices_and_levels_are_averaged_and_never_added_up(name: str) -> None:
    assert use(number(name)) == "average"


@pytest.mark.parametrize(
    "name",
    [
        "customer_id",
        "postal_code",
        "order_number",
        "year",
        "month",
        "zip",
        "phone",
        "rank",
        "version",
        "is_vip",
        "fiscal_year",
        "line_no",
        "week_number",
        "level",
    ],
)
def test_ids_codes_years_and_places_are_not_computed_with(name: str) -> None:
    assert use(number(name, "integer", "1", "90")) == "group"


@pytest.mark.parametrize("name", ["lat", "longitude", "Store_Latitude"])
def test_coordinates_are_not_computed_with(name: str) -> None:
    assert use(number(name)) == "group"


@pytest.mark.parametrize("name", ["discount", "tax", "value", "users"])
def test_what_may_be_an_amount_or_a_percentage_is_left_to_a_person(name: str) -> None:
    assert use(number(name)) == "unsure"


def test_a_share_is_not_added_up_whatever_its_name() -> None:
    assert use(number("tax_paid", low="0.0", high="0.9")) == "average"


def test_whole_numbers_that_are_all_years_or_flags_are_not_computed_with() -> None:
    assert use(number("season", "integer", "1998", "2024")) == "group"
    assert use(number("promoted", "integer", "0", "1", different=2)) == "group"


def test_a_number_of_unknown_meaning_is_averaged_and_its_sum_left_to_a_person() -> None:
    assert use(number("foo")) == "unsure"
    view = one(number("foo"))
    assert [m.name for m in view.view.measures] == ["row_count", "average_foo"]
    assert [m.name for m, _ in view.maybe_measures] == ["total_foo"]


@pytest.mark.parametrize(
    ("type_", "kind"),
    [
        ("INTEGER[]", "other"),
        ("DECIMAL(18,3)", "decimal"),
        ("STRUCT(a INTEGER)", "other"),
        ("UUID", "id"),
        ("TIMESTAMP WITH TIME ZONE", "datetime"),
        ("BLOB", "other"),
        ("ENUM('a', 'b')", "id"),
        ("HUGEINT", "integer"),
    ],
)
def test_types_of_the_engine_have_a_kind(type_: str, kind: str) -> None:
    assert kind_of_type(type_) == kind


def text(name: str, different: int = 4, top: tuple[str, ...] = ("a", "b")) -> Column:
    return Column(name, "VARCHAR", "text", filled=100, different=different, longest=5, top=top)


def drafted(*tables: TableProfile, keys: dict[str, tuple[str, ...]] | None = None) -> tuple[Draft, ...]:
    return draft_views(tables, keys or {}, (), "local")


def one(*columns: Column, name: str = "things.csv", key: str = "") -> Draft:
    return drafted(TableProfile(name, 100, columns), keys={name: (key,)} if key else None)[0]


def names(draft: Draft) -> list[str]:
    view = draft.view
    maybe = [m for m, _ in draft.maybe_measures]
    return [d.name for d in view.dimensions] + [m.name for m in (*view.measures, *maybe)]


def test_names_that_fold_to_the_same_are_told_apart() -> None:
    draft = one(text("Order Date"), text("order_date"), text("OrderDate"), text("order.date"))
    assert [d.name for d in draft.view.dimensions] == ["order_date", "order_date_2", "order_date_3", "order_date_4"]
    assert len({d.expr for d in draft.view.dimensions}) == 4


def test_a_measure_never_has_a_dimensions_name_and_a_synonym_belongs_to_one() -> None:
    draft = one(text("total_amount"), number("amount"), number("amt"), number("average_amount"), text("row count"))
    assert len(set(names(draft))) == len(names(draft))
    said = [text for m in draft.view.measures for text in m.synonyms]
    assert len(set(said)) == len(said)


def test_odd_column_names_become_names_without_dots_and_are_quoted() -> None:
    draft = one(text('say "hi"'), text("2024"), text("😀"), text("ä.b"), text("order"), text("plain"))
    found = {d.name: d.expr for d in draft.view.dimensions}
    assert found == {
        "say_hi": '"say ""hi"""', "column_2024": '"2024"', "column_3": '"😀"', "ä_b": '"ä.b"', "order": '"order"',
        "plain": "plain",
    }  # fmt: skip


def test_very_long_names_are_cut_and_stay_different() -> None:
    draft = one(text("x" * 300), text("x" * 299))
    assert [len(d.name) for d in draft.view.dimensions] == [60, 62]


def test_what_cannot_be_grouped_or_is_empty_is_left_out_with_the_reason() -> None:
    empty, nested = Column("void", "VARCHAR", "text"), Column("tags", "VARCHAR[]", "other", filled=5)
    long = Column("body", "VARCHAR", "text", filled=100, different=99, longest=4_000)
    draft = one(empty, nested, long, text("{{x}}"), text("ok"))
    assert ([d.name for d in draft.view.dimensions], [name for name, _ in draft.left_out]) == (
        ["ok"],
        ["void", "tags", "body", "{{x}}"],
    )


def test_rows_are_counted_as_things_only_where_each_row_is_one() -> None:
    count = one(number("id", "integer"), name="raw_orders.csv", key="id").view.measures[0]
    assert (count.name, count.synonyms, count.description) == (
        "order_count", ("orders", "number of orders"), "Number of orders",
    )  # fmt: skip
    assert one(text("region"), name="orders.csv").view.measures[0].name == "row_count"


def test_sales_mean_an_amount_and_not_how_many_rows_there_are() -> None:
    sales = one(number("id", "integer"), number("revenue"), name="sales.csv", key="id")
    assert [m.name for m in sales.view.measures if "sales" in m.synonyms] == []


def test_abbreviations_are_spelled_out_as_synonyms() -> None:
    draft = one(text("cust_nm"), number("qty"))
    assert draft.view.dimensions[0].synonyms == ("customer name",)
    assert [(m.name, m.synonyms) for m in draft.view.measures if m.type == "sum"] == [
        ("total_quantity", ("quantity", "qty"))
    ]


def test_a_synonym_that_is_another_columns_name_is_dropped() -> None:
    assert [d.synonyms for d in one(text("cust_nm"), text("customer_name")).view.dimensions] == [(), ()]


def test_values_are_shown_where_they_are_few_and_not_one_for_each_row() -> None:
    few, many, each = text("region", 4), text("street", 51), replace(text("name", 4), filled=4)
    assert [has_top(column) for column in (few, many, each)] == [True, False, False]


def test_a_line_number_is_not_counted_as_a_thing() -> None:
    assert [m.name for m in one(number("line_item_id", "integer")).view.measures] == ["row_count"]
    lines = TableProfile("order_items", 100, (number("order_id", "integer"), number("line_item_id", "integer")))
    draft = drafted(lines, keys={"order_items": ("order_id", "line_item_id")})[0]
    assert [m.name for m in draft.view.measures] == ["row_count"]


def test_tables_of_one_name_become_views_of_different_names() -> None:
    tables = [
        TableProfile(name, 1, (text("a"),)) for name in ("sales.csv", "sales.parquet", "raw_sales.csv", "s.b.csv")
    ]
    found = [draft.view.name for draft in draft_views(tables, {}, (), "local")]
    assert found == ["sales_csv", "sales_parquet", "raw_sales_csv", "s_b"]


def test_a_reference_with_orphans_is_left_as_a_comment_with_its_share() -> None:
    orders = TableProfile("orders", 100, (number("customer_id", "integer"),))
    customers = TableProfile("customers", 90, (number("id", "integer"),))
    found = [Reference("orders", "customer_id", "customers", "id", "exact", orphans=3)]
    draft = draft_views([orders, customers], {"customers": ("id",)}, found, "local")[0]
    assert (draft.view.entities, [entity.name for entity, _ in draft.maybe_entities]) == ((), ["customer"])
    assert "3 of 100 rows (3.0 %)" in draft.maybe_entities[0][1]

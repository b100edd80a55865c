"""Which keys and joins are proposed by name, and that names alone, or values alone, never make one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from backedge.semantic.draft_keys import Reference, accepted, key_candidates, references
from backedge.semantic.profile import Column, Kind, TableProfile


def column(name: str, different: int, rows: int = 100, kind: Kind = "integer") -> Column:
    return Column(name, kind, kind, filled=rows, different=different, low="1", high=str(different))


def table(name: str, *columns: Column, rows: int = 100) -> TableProfile:
    return TableProfile(name, rows, columns)


CUSTOMERS = table("customers.csv", column("id", 100), column("name", 90, kind="text"))


def test_the_key_is_the_unique_column_that_is_named_as_one() -> None:
    orders = table("orders", column("reference_no", 100), column("order_id", 100), column("amount", 100))
    assert key_candidates(orders, [orders])[0] == ("order_id",)


@pytest.mark.parametrize("name", ["amount", "quantity", "price", "cost", "clicks", "visits", "Weekly_Sales", "rating"])
def test_a_measured_column_is_no_key_though_no_two_rows_share_it(name: str) -> None:
    sales = table("sales", column(name, 100), column("region", 4, kind="text"))
    assert key_candidates(sales, [sales]) == ()


def test_a_column_with_empty_or_repeated_values_is_no_key() -> None:
    repeated, empty = column("id", 99), replace(column("id", 99), filled=99)
    assert [key_candidates(t, [t]) for t in (table("a", repeated), table("a", empty))] == [(), ()]


def test_where_values_are_estimated_a_column_with_one_empty_row_is_still_no_key() -> None:
    full, gap = column("id", 95), replace(column("id", 95), filled=99)
    found = [key_candidates(TableProfile("a", 100, (c,), estimated=True), ()) for c in (full, gap)]
    assert found == [(("id",),), ()]


def test_another_tables_id_that_happens_to_be_unique_is_no_key() -> None:
    payments = table("payments", column("customer_id", 15, rows=15), column("amount", 9, rows=15), rows=15)
    assert key_candidates(payments, [payments, CUSTOMERS]) == ()


def test_a_bridge_between_tables_is_not_keyed_by_the_one_that_it_ends_in() -> None:
    bridge = table("supplier_addresses", column("supplier_id", 100), column("address_id", 100))
    others = [bridge, table("addresses", column("address_id", 100)), table("suppliers", column("supplier_id", 100))]
    assert key_candidates(bridge, others) == (("supplier_id", "address_id"),)


def test_an_empty_table_has_no_key() -> None:
    empty = table("orders", column("id", 0, rows=0), rows=0)
    assert key_candidates(empty, [empty]) == ()


def test_two_columns_are_a_key_where_one_is_not_enough() -> None:
    lines = table("order_items", column("order_id", 40), column("line_no", 5), column("quantity", 9))
    assert key_candidates(lines, [lines]) == (("order_id", "line_no"),)


def test_in_a_small_table_two_columns_are_a_key_only_if_one_counts_within_the_other() -> None:
    daily = table("daily", column("day", 5, rows=10, kind="date"), column("region", 2, rows=10, kind="text"), rows=10)
    enrolled = table("record", column("student_id", 5, rows=10), column("course_id", 5, rows=10), rows=10)
    lines = table("order_items", column("order_id", 5, rows=10), column("line_item_id", 3, rows=10), rows=10)
    assert [key_candidates(t, [t]) for t in (daily, enrolled)] == [(), ()]
    assert key_candidates(lines, [lines]) == (("order_id", "line_item_id"),)


def test_numbers_of_things_are_no_pair_of_keys() -> None:
    papers = table("papers", column("citation_num", 40), column("reference_num", 40))
    assert key_candidates(papers, [papers]) == ()


def test_an_id_with_another_tables_name_in_it_is_no_key() -> None:
    needed = table("prerequisites", column("pre_course_id", 100), column("note", 9, kind="text"))
    assert key_candidates(needed, [needed, table("courses", column("course_id", 100))]) == ()


@pytest.mark.parametrize("name", ["clicks", "boxes"])
def test_a_day_and_a_number_that_only_happen_to_be_unique_are_no_key(name: str) -> None:
    daily = table("visits", column("day", 30, kind="date"), column(name, 60))
    assert key_candidates(daily, [daily]) == ()


def test_a_day_and_a_store_of_which_every_pair_is_there_are_a_key() -> None:
    weekly = table("sales", column("Store", 10), column("Date", 10, kind="date"), column("Weekly_Sales", 99))
    assert key_candidates(weekly, [weekly]) == (("Store", "Date"),)


KINDS: tuple[Kind, ...] = ("text", "integer")


def joins(*tables: TableProfile, keys: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str, str]]:
    return [(r.column, r.other, r.evidence) for r in references(tables, keys)]


KEYS = {"customers.csv": ("id",)}


@pytest.mark.parametrize("name", ["customer_id", "CustomerID", "cust_id", "customer", "customerid", "customer_key"])
def test_a_column_named_after_a_table_may_hold_its_key(name: str) -> None:
    assert joins(table("orders", column(name, 50)), CUSTOMERS, keys=KEYS) == [(name, "customers.csv", "exact")]


@pytest.mark.parametrize(
    "name", ["id", "quantity", "store_id", "number", "key", "customer_count", "customer_name", "code"]
)
def test_a_column_of_the_same_range_with_another_name_holds_nothing(name: str) -> None:
    assert joins(table("orders", column(name, 50)), CUSTOMERS, keys=KEYS) == []


def test_a_number_or_a_code_of_a_thing_is_only_a_hint_at_its_id() -> None:
    assert joins(table("calls", column("customer_no", 50)), CUSTOMERS, keys=KEYS)[0][2] == "alike"


def test_a_column_that_the_other_table_has_beside_its_key_refers_to_that_one() -> None:
    customers = table("customers.csv", column("id", 100), column("customer_no", 100))
    assert joins(table("calls", column("customer_no", 50)), customers, keys=KEYS) == []


def test_a_line_number_never_refers_to_a_table_of_items() -> None:
    items = table("items", column("id", 100))
    assert joins(table("order_lines", column("line_item_id", 3)), items, keys={"items": ("id",)}) == []


def test_a_table_does_not_refer_by_its_own_key() -> None:
    orders, copy = table("orders", column("order_id", 100)), table("raw_orders", column("id", 100))
    assert joins(orders, copy, keys={"orders": ("order_id",), "raw_orders": ("id",)}) == []


def test_the_last_word_of_a_tables_name_is_evidence_for_texts_and_a_hint_for_numbers() -> None:
    suppliers = {kind: table("fruit_suppliers", column("id", 100, kind=kind)) for kind in KINDS}
    found = {
        kind: joins(table("deals", column("supplier_id", 9, kind=kind)), other, keys={"fruit_suppliers": ("id",)})[0][2]
        for kind, other in suppliers.items()
    }
    assert found == {"text": "tail", "integer": "alike"}


def test_a_word_before_the_tables_name_is_evidence_only_where_it_says_a_role() -> None:
    names = ("billing_customer_id", "order_customer_id", "lost_customer_id")
    found = [joins(table("orders", column(name, 50)), CUSTOMERS, keys=KEYS)[0][2] for name in names]
    assert found == ["role", "role", "alike"]


def test_a_whole_number_called_order_may_be_a_place_in_a_list() -> None:
    orders = table("orders", column("id", 100))
    assert joins(table("menu", column("order", 9)), orders, keys={"orders": ("id",)})[0][2] == "alike"


def test_text_and_numbers_do_not_join() -> None:
    assert joins(table("orders", column("customer_id", 50, kind="text")), CUSTOMERS, keys=KEYS) == []


def test_a_table_without_a_key_is_not_referred_to() -> None:
    assert joins(table("orders", column("customer_id", 50)), CUSTOMERS, keys={}) == []


def test_what_often_means_the_same_is_a_hint_and_not_declared() -> None:
    found = references([table("orders", column("user_id", 50)), CUSTOMERS], KEYS)
    assert [r.evidence for r in found] == ["alike"]
    assert accepted([replace(r, orphans=0) for r in found], ()) == {}


def reference(column: str, evidence: str = "exact", orphans: int = 0, other: str = "customers") -> Reference:
    return Reference("orders", column, other, "id", evidence, orphans)  # type: ignore[arg-type]


def test_a_reference_with_orphans_or_not_counted_is_not_declared() -> None:
    assert accepted([reference("customer_id", orphans=1)], ()) == {}
    assert accepted([reference("customer_id", orphans=-1)], ()) == {}
    assert list(accepted([reference("customer_id")], ()).values()) == [""]


def test_a_column_that_two_tables_fit_equally_is_declared_for_neither() -> None:
    assert accepted([reference("sku", "same"), reference("sku", "same", other="offers")], ()) == {}


def test_several_columns_to_one_table_get_the_roles_that_their_names_say() -> None:
    plain, billing = reference("customer_id"), reference("billing_customer_id", "role")
    assert accepted([plain, billing], ()) == {plain: "", billing: "billing_customer"}
    assert accepted([plain, billing], {"billing_customer"}) == {plain: ""}


def test_several_columns_that_names_do_not_tell_apart_are_not_declared() -> None:
    assert accepted([reference("customer"), reference("customer_id")], ()) == {}

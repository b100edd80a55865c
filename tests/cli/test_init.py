"""`backedge init` on data of many shapes: its drafts are valid, answer at once, and join only what belongs together."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from backedge.config.draft_file import MARKER
from backedge.config.validate import check_project
from tests.cli.drafting import Made, answer, made, works
from tests.cli.projects import backedge


def write(folder: Path, **tables: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return folder


def rows(header: str, lines: Iterator[str] | list[str]) -> str:
    return "\n".join([header, *lines]) + "\n"


CUSTOMERS = rows(
    "id,name,country,joined", [f"{i},Person {i},{'FR' if i % 3 else 'DE'},2023-0{i % 9 + 1}-01" for i in range(1, 31)]
)
ORDERS = rows(
    "order_id,cust_id,ordered_at,status,ship_amt,tax_rate",
    [f"{i},{i % 30 + 1},2024-0{i % 6 + 1}-11,{('paid', 'open')[i % 2]},{i % 5}.25,0.2" for i in range(1, 81)],
)
ITEMS = rows(
    "order_id,line_no,product,qty,unit_price",
    [f"{i % 80 + 1},{i // 80 + 1},{('tea', 'mug', 'jam')[i % 3]},{i % 4 + 1},{i % 7 + 1}.50" for i in range(160)],
)
# Its ids run from 1 as those of all others do, and nothing here belongs to any of them.
STRANGERS = rows("id,page,visits", [f"{i},{i % 25 + 1},{i * 3}" for i in range(1, 26)])


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("shop")
    write(folder / "data", customers=CUSTOMERS, orders=ORDERS, order_items=ITEMS, strangers=STRANGERS)
    return made(folder)


def test_a_shop_is_valid_and_its_three_questions_are_answered(shop: Made) -> None:
    works(shop)
    assert len(shop.questions) == 3
    for question in shop.questions:
        ended = backedge("ask", "--project", shop.folder, "--no-input", "--quiet", question)
        assert (ended.code, question) == (0, question), ended.out + ended.err


def test_only_what_belongs_together_joins(shop: Made) -> None:
    assert shop.joins == {"customers": set(), "orders": {"customer"}, "order_items": {"order"}, "strangers": set()}


def test_keys_are_what_no_two_rows_share(shop: Made) -> None:
    keys = {view.name: view.primary.keys if view.primary else () for view in shop.model.views}
    assert keys == {
        "customers": ("id",), "orders": ("order_id",), "order_items": ("order_id", "line_no"), "strangers": ("id",),
    }  # fmt: skip


def test_a_question_across_the_drafted_joins_has_the_right_numbers(shop: Made) -> None:
    quantity: dict[object, int] = {}
    for i in range(160):
        country = "FR" if (i % 80 + 1) % 30 + 1 and ((i % 80 + 1) % 30 + 1) % 3 else "DE"
        quantity[country] = quantity.get(country, 0) + i % 4 + 1
    assert {row[0]: row[1] for row in answer(shop, "total quantity by country")} == quantity
    assert answer(shop, "how many orders are there?") == [[80]]


def test_nothing_adds_up_rates_prices_or_ids(shop: Made) -> None:
    sums = {(view.name, m.expr) for view in shop.model.views for m in view.measures if m.type == "sum"}
    assert sums == {("orders", "ship_amt"), ("order_items", "qty"), ("strangers", "visits")}


@pytest.mark.slow
def test_running_it_again_refuses_and_force_writes_drafts_but_no_file_without_the_mark(tmp_path: Path) -> None:
    write(tmp_path, sales="id,amount\n1,2.5\n2,3.5\n")
    made(tmp_path)
    view = tmp_path / "semantics" / "sales.view.yml"
    drafted = view.read_text()
    view.write_text(drafted + "# mine\n")
    again = backedge("init", tmp_path)
    assert (again.code, view.read_text()) == (2, drafted + "# mine\n")
    assert re.search(r"holds earlier drafts: .*sales\.view\.yml.*--force", again.err)
    made(tmp_path, None, "--force")
    assert view.read_text() == drafted
    view.write_text(drafted.removeprefix(f"{MARKER}\n"))
    forced = backedge("init", tmp_path, "--force")
    assert (forced.code, "is a project already" in forced.err) == (2, True)
    assert view.read_text() == drafted.removeprefix(f"{MARKER}\n")


def test_somebody_elses_project_is_left_alone(tmp_path: Path) -> None:
    write(tmp_path, sales="id,amount\n1,2.5\n")
    (tmp_path / "config.yml").write_text("databases: []\n")
    ended = backedge("init", tmp_path, "--force")
    assert (ended.code, sorted(p.name for p in tmp_path.iterdir())) == (2, ["config.yml", "sales.csv"])
    assert "config.yml" in ended.err


def test_a_link_in_the_place_of_a_draft_is_not_written_through(tmp_path: Path) -> None:
    write(tmp_path / "p", sales="id,amount\n1,2.5\n")
    outside = tmp_path / "outside.yml"
    outside.write_text("mine")
    (tmp_path / "p" / "config.yml").symlink_to(outside)
    ended = backedge("init", tmp_path / "p")
    assert (ended.code, outside.read_text(), (tmp_path / "p" / "semantics").exists()) == (2, "mine", False)


@pytest.mark.slow
def test_one_lonely_csv_outside_the_project(tmp_path: Path) -> None:
    write(
        tmp_path / "in",
        visits=rows("day,channel,clicks", [f"2024-0{i % 9 + 1}-02,{'ab'[i % 2]},{i}" for i in range(40)]),
    )
    project = made(tmp_path / "out", tmp_path / "in" / "visits.csv")
    works(project)
    assert answer(project, "total clicks by channel") == [["a", 380], ["b", 400]]
    assert sorted(p.name for p in (tmp_path / "in").iterdir()) == ["visits.csv"]


@pytest.mark.slow
def test_a_duckdb_file_with_a_foreign_key_a_schema_and_odd_types(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("create table stores (id uuid primary key, city varchar, opened timestamp)")
        connection.execute("insert into stores select uuid(), 'City ' || range % 3, '2020-01-01' from range(9)")
        connection.execute(
            "create schema raw; create table raw.sales (sale_no bigint, store_id uuid, revenue decimal(9, 2), t time)"
        )
        connection.execute(
            "insert into raw.sales select row_number() over (), id, 10.25, '10:00' from stores, range(4)"
        )
        connection.execute("create type mood as enum ('ok', 'sad')")
        connection.execute('create table "odd one" (id int, m mood, tags int[], s struct(a int))')
        connection.execute(
            "insert into \"odd one\" select range, if(range % 2 = 0, 'ok', 'sad'), [1], {'a': 1} from range(50)"
        )
    project = made(tmp_path)
    works(project)
    assert project.joins == {"odd_one": set(), "sales": {"store"}, "stores": set()}
    assert answer(project, "revenue by city") == [[f"City {i}", 123] for i in range(3)]
    assert "left out tags, s" in project.ended.out


@pytest.mark.slow
def test_of_a_database_without_any_row_only_what_has_an_answer_is_offered(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute("create table refunds (id int primary key, amount decimal(9, 2), day date, reason varchar)")
    project = made(tmp_path)
    works(project)
    assert project.questions == ["row count"]


@pytest.mark.slow
def test_a_large_table_and_a_view_are_estimated_and_their_keys_still_counted_on_all_rows(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "big.duckdb")) as connection:
        connection.execute("create table orders as select range id, range % 3000 customer_id from range(250_000)")
        connection.execute("create table lines as select greatest(range, 1) id, 'x' label from range(250_000)")
        connection.execute("create view customers as select range id, 'c' || range % 5 region from range(3_000)")
    project = made(tmp_path)
    works(project)
    keys = {view.name: view.primary.keys if view.primary else () for view in project.model.views}
    assert (keys, project.joins["orders"]) == ({"customers": ("id",), "lines": (), "orders": ("id",)}, {"customer"})
    assert "about" in (tmp_path / "semantics" / "orders.view.yml").read_text()


@pytest.mark.slow
def test_parquet_and_csv_of_one_name_and_a_file_that_is_broken(tmp_path: Path) -> None:
    write(tmp_path, sales=rows("id,amount", [f"{i},1.5" for i in range(30)]), bad="a,b\n1,2\n3\n", void="")
    (tmp_path / "sales.csv.csv").write_text("id,amount\n1,2.5\n")
    duckdb.connect().execute(
        f"copy (select range id, 'k' || range % 3 kind, 2.5 amount from range(30)) to '{tmp_path}/sales.parquet'"
    )
    project = made(tmp_path)
    works(project)
    assert [view.table for view in project.model.views] == ["sales.csv", "sales.csv.csv", "sales.parquet"]
    assert re.search(r"Skipped:\n  bad.csv: .*line 3.*\n  void.csv: .*empty", project.ended.out)


WORST = [
    "order", "SELECT", "Order Date", "order_date", 'a "b" c', "{{x}}", "Größe", "😀", "2024", "x" * 200, "true", "null",
    "- dash", "a: b", "#hash", "'", "\\", "key", "row count", "count", "average amount", "amount", "a\tb",
    "all\x07null",
]  # fmt: skip


@pytest.mark.slow
def test_names_that_break_yaml_sql_or_each_other(tmp_path: Path) -> None:
    with (tmp_path / "drop table; --.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(WORST)
        writer.writerows([[f"{i % 4 + n}" for n in range(len(WORST) - 1)] + [""] for i in range(60)])
    project = made(tmp_path)
    works(project)
    (view,) = project.model.views
    assert len(view.dimensions) + len({m.expr for m in view.measures if m.expr}) == len(WORST) - 2


@pytest.mark.slow
def test_values_that_would_end_a_comment_or_a_string_do_not(tmp_path: Path) -> None:
    evil = ['"a\nname: other"', '"# x: [y"', '"{{z}}"', '"it\'s ""quoted"""', "\u2028line", "\x85next"]
    write(tmp_path, things=rows("id,label", [f"{i},{evil[i % len(evil)]}" for i in range(60)]))
    project = made(tmp_path)
    works(project)
    assert [view.name for view in project.model.views] == ["things"]
    assert project.model.views[0].dimensions[1].samples != ()


@pytest.mark.slow
def test_two_hundred_columns_no_key_and_an_empty_table(tmp_path: Path) -> None:
    names = [f"amount {n}" if n % 10 else f"label {n}" for n in range(200)]
    lines = [",".join(f"{i % 5}.5" if n % 10 else f"v{i % 6}" for n in range(200)) for i in range(40)]
    write(tmp_path, wide=rows(",".join(names), lines), empty="id,name\n")
    project = made(tmp_path)
    works(project)
    sizes = {view.name: (len(view.dimensions), len(view.measures), view.primary) for view in project.model.views}
    assert sizes == {"empty": (2, 1, None), "wide": (20, 361, None)}
    assert "the table is empty" in project.ended.out


@pytest.mark.parametrize("data", ["", "absent", "nothing"])
def test_without_data_nothing_is_written_and_the_next_step_is_said(tmp_path: Path, data: str) -> None:
    (tmp_path / "nothing").mkdir()
    ended = backedge("init", tmp_path / "p", *(("--data", tmp_path / data) if data else ()))
    assert ended.code in (2, 5)
    assert re.search(r"--data|put CSV", ended.err)
    assert not (tmp_path / "p" / "config.yml").exists()


def test_a_file_that_is_no_database_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "x.duckdb").write_text("this is no database at all, but long enough to be looked at " * 50)
    ended = backedge("init", tmp_path)
    assert (ended.code, "cannot be opened" in ended.err, (tmp_path / "config.yml").exists()) == (5, True, False)


@pytest.mark.slow
def test_the_commented_join_works_once_it_is_uncommented(tmp_path: Path) -> None:
    orders = ORDERS.replace("\n5,", "\n5000,")
    write(tmp_path, customers=CUSTOMERS.replace("\n7,", "\n700,"), orders=orders)
    project = made(tmp_path)
    assert project.joins["orders"] == set()
    assert re.search(r"orders\.cust_id → customers: \d+ of 80 rows \(\d\.\d %\)", project.ended.out)
    view = tmp_path / "semantics" / "orders.view.yml"
    text = view.read_text()
    view.write_text(re.sub(r"(?m)^  # (- name: customer|  type: foreign|  key: cust_id)$", r"  \1", text))
    assert view.read_text() != text
    assert (check_project(tmp_path).ok, project.joins["orders"]) == (True, {"customer"})


@pytest.mark.slow
def test_two_columns_that_hold_one_key_are_joined_in_their_roles(tmp_path: Path) -> None:
    trips = [f"{i},{i % 5 + 1},{i % 7 + 1},{i}" for i in range(1, 41)]
    airports = rows("id,city", [f"{i},City {i}" for i in range(1, 10)])
    write(tmp_path, airports=airports, flights=rows("id,origin_airport_id,destination_airport_id,seats_sold", trips))
    project = made(tmp_path)
    works(project)
    assert project.joins["flights"] == {"origin_airport", "destination_airport"}
    assert answer(project, "total seats sold by destination airport city")[0] == ["City 1", 105]

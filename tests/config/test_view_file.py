"""Views load with every key of Oxygen's; mistakes are named with their line, unserved constructs are marked."""

from __future__ import annotations

import pytest

from backedge.config.problem import ConfigError
from backedge.config.project import load_project
from backedge.semantic.model import Dimension, Measure, View
from tests.config.projects import VIEW, Write


def loaded(write: Write, text: str) -> View:
    folder = write({"a.view.yml": text})
    return load_project(folder).catalog.model.views[0]


def refused(write: Write, text: str) -> str:
    folder = write({"a.view.yml": text})
    with pytest.raises(ConfigError) as caught:
        load_project(folder)
    return str(caught.value)


def test_a_view_becomes_a_view_of_the_model(write: Write) -> None:
    view = loaded(write, VIEW)
    assert (view.name, view.table, view.datasource, view.at) == ("orders", "orders.csv", "local", "a.view.yml:1")
    assert view.primary is not None
    assert view.primary.keys == ("id",)
    assert view.dimension("status") == Dimension("status", "string", "status", at="a.view.yml:8")
    measure = view.measure("revenue")
    assert measure is not None
    assert (measure.type, measure.expr) == ("sum", "amount")


def test_a_dimension_without_expr_is_the_column_of_its_name(write: Write) -> None:
    dimension = loaded(write, VIEW).dimension("placed")
    assert dimension is not None
    assert dimension.expr == "placed"


@pytest.mark.parametrize(
    ("name", "dialect", "expr"),
    [("order", "duckdb", '"order"'), ("a b", "mysql", "`a b`"), ("🍎", "duckdb", '"🍎"'), ("a1", "duckdb", "a1")],
)
def test_a_column_that_cannot_stand_bare_is_quoted(write: Write, name: str, dialect: str, expr: str) -> None:
    text = f"name: v\ntable: t\ndialect: {dialect}\ndimensions:\n  - {{name: {name}, type: string}}\n"
    assert loaded(write, text).dimensions[0].expr == expr


def test_unquoted_booleans_numbers_and_dates_in_samples_are_text(write: Write) -> None:
    text = "name: v\ntable: t\ndimensions:\n  - {name: d, type: string, samples: [true, 1.50, yes, 2024-01-05, 007]}\n"
    dimension = loaded(write, text).dimension("d")
    assert dimension is not None
    assert dimension.samples == ("true", "1.50", "yes", "2024-01-05", "007")


def test_oxygens_other_spellings_load(write: Write) -> None:
    view = loaded(
        write,
        """\
        name: v
        data_source: local
        sql: SELECT 1
        dialect: motherduck
        entities:
          - {name: e, type: foreign, keys: [a, b]}
        dimensions:
          - {name: a, type: number}
          - {name: b, type: number, primary_key: true}
        measures:
          - {name: m, type: avg, expr: x, filters: [{expr: a > 1, description: big}]}
          - {name: n, type: count}
        segments:
          - {name: s, expr: a = 1}
        """,
    )
    assert (view.datasource, view.dialect, view.sql) == ("local", "duckdb", "SELECT 1")
    assert view.entities[0].keys == ("a", "b")
    assert view.measures[0].type == "average"
    assert view.measures[0].filters == ("a > 1",)
    assert view.segments[0].expr == "a = 1"
    assert view.dimensions[1].primary_key


def test_what_changes_a_members_meaning_and_is_not_served_marks_it(write: Write) -> None:
    view = loaded(
        write,
        """\
        name: v
        table: t
        dimensions:
          - {name: b, inherits_from: globals.b}
        measures:
          - {name: s, shift: {measure: i, by: 1 year, comparable_by: store, maturity: 14 months}}
          - {name: i, inherits_from: globals.i}
        """,
    )
    members: list[Dimension | Measure] = [*view.dimensions, *view.measures]
    assert [member.unsupported for member in members] == [
        ("inherits_from",),
        ("shift.comparable_by", "shift.maturity"),
        ("inherits_from",),
    ]


def test_what_changes_no_value_does_not_block(write: Write) -> None:
    view = loaded(
        write,
        """\
        name: v
        table: t
        meta: {team: sales}
        label: V
        entities:
          - {name: e, key: a, parent: p, lifespan: {start: opened, end: closed}}
          - {name: f, type: foreign, inherits_from: globals.f}
        dimensions:
          - {name: a, type: number, segmentable: true, meta: {x: 1}, label: A}
        measures:
          - {name: m, type: count, drivers: [{measure: v.m, strength: high}], meta: {y: 2}}
        pre_aggregations:
          - {name: p, measures: [m], dimensions: [a], refresh_key: {every: 1h}}
        """,
    )
    assert view.unsupported == ()
    assert [entity.name for entity in view.entities] == ["e"]
    assert view.dimensions[0].unsupported == view.measures[0].unsupported == ()


def test_a_dialect_that_cannot_be_written_blocks_the_view(write: Write) -> None:
    assert loaded(write, "name: v\ntable: t\ndialect: domo\n").unsupported == ("dialect: domo",)


@pytest.mark.parametrize("name", ["select", "order", "🍎 sales", "👩‍💻", "Größe", "a-b"])
def test_any_plain_name_loads(write: Write, name: str) -> None:
    assert loaded(write, f"name: '{name}'\ntable: t\n").name == name


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "type: sum",
            "synonims: [x], type: sum",
            "a.view.yml:12: unknown key `synonims` in a measure (did you mean `synonyms`?)",
        ),
        ("{name: id,", "{name: id, synonims: [x],", "unknown key `synonims` in a dimension (did you mean `synonyms`?)"),
        (
            "table: orders.csv",
            "tabl: orders.csv",
            "a.view.yml:3: unknown key `tabl` in a view (did you mean `table`?)",
        ),
        ("table: orders.csv", "", "needs `table` (a table's name) or `sql`"),
        ("table: orders.csv", "table: t\nsql: SELECT 1", "has both `table` and `sql`"),
        ("table: orders.csv", "table: t\nmystery:", "unknown key `mystery`"),
        ("type: sum", "type: summ", "`type` of a measure cannot be `summ`: write one of `count`, `sum`"),
        ("type: sum", "type: summ", "(did you mean `sum`"),
        ("expr: amount", "label: x", "measure `revenue` needs `expr`"),
        ("name: revenue, type: sum,", "name: revenue,", "measure `revenue` needs `type`"),
        ("{name: status, type: string}", "{name: status}", "a.view.yml:8: dimension `status` needs `type`"),
        (
            "name: revenue",
            "name: status",
            "a.view.yml:12: member name `status` stands twice (the first is a dimension on line 8)",
        ),
        (
            "key: id",
            "key: idd",
            "key `idd` of entity `order` is no dimension of view `orders`: declare it there (did you mean `id`?)",
        ),
        ("key: id", "key: id, keys: [id]", "has both `key` and `keys`"),
        ("name: order, key: id", "name: order", "entity `order` needs `key`"),
        ("name: orders\n", "", "a view needs `name`"),
        ("name: orders\n", "name: a.b\n", "a name cannot hold a dot"),
        ("name: orders\n", "name: ''\n", "must be a name"),
        ("expr: amount", "expr: {{amount}}", "a key must be plain text"),
        ("expr: amount", "expr: [amount]", "`expr` of a measure must be text: put it in quotes"),
        ("expr: amount", "synonyms: money, expr: x", "`synonyms` of a measure must be a list"),
        ("expr: amount", "expr: ' '", "must not be empty"),
        ("entities:", "entities: none\nx:", "`entities` of a view must be a list"),
        ("  - {name: order, key: id}", "  - order", "item 1 of `entities`"),
        ("table: orders.csv", "table: t\ndialect: postgress", "(did you mean `postgres`?)"),
        ("table: orders.csv", "table: t\ndata_source: other", "they differ"),
        ("type: boolean", "type: boolean, sub_query: maybe", "must be `true` or `false`, not `maybe`"),
    ],
)
def test_a_mistake_is_named_with_its_place(write: Write, old: str, new: str, said: str) -> None:
    assert old in VIEW
    assert said in refused(write, VIEW.replace(old, new, 1))


def test_all_mistakes_of_a_file_are_told_at_once(write: Write) -> None:
    text = VIEW.replace("type: sum", "type: summ").replace("type: date", "typ: date").replace("table:", "tabel:")
    said = refused(write, text)
    assert all(word in said for word in ("`summ`", "`typ`", "`tabel`", "3 problems"))


def test_a_view_without_a_database_gets_the_default(write: Write) -> None:
    folder = write({"a.view.yml": "name: v\ntable: t\n", "b.view.yml": VIEW})
    assert [view.datasource for view in load_project(folder).catalog.model.views] == ["local", "local"]

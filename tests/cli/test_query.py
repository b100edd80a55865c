"""`backedge query` and `--param`: steps run in order, parameters are values, and a refused step says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.projects import VIEW, backedge, make_project

LOOK = """\
name: look
description: A look at the regions
params:
  status: {type: string, values: [paid, open], default: paid}
  least: {type: number}
steps:
  - name: shares
    description: Who brings what
    query: {dimensions: [orders.region], measures: [orders.total_amount], motif: contribution}
  - name: large
    query:
      dimensions: [orders.region]
      measures: [orders.large]
      filters: [{field: orders.status, op: equals, value: "{{params.status}}"}]
"""
LARGE = "  - {name: large, type: count, filters: [{expr: 'amount > {{variables.least}}'}]}\n"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_project(tmp_path_factory.mktemp("saved"))
    (folder / "semantics" / "orders.view.yml").write_text(VIEW + LARGE, encoding="utf-8")
    (folder / "queries" / "look.query.yml").write_text(LOOK, encoding="utf-8")
    return folder


def test_the_steps_of_a_saved_query_are_run(asked: Path) -> None:
    found = backedge("query", "look", "--project", asked, "--param", "least=8", "--json").json
    shares, large = found["steps"]
    assert [column["name"] for column in shares["columns"]] == ["region", "total_amount", "total", "share"]
    assert sum(row[3] for row in shares["rows"]) == pytest.approx(1)
    assert large["rows"] == [["North", 2], ["South", 1], [None, 0]]
    assert sorted(map(str, large["params"])) == ["8", "paid"]
    assert large["filters"] == ["orders.status = paid"]


def test_a_person_sees_each_step(asked: Path) -> None:
    ended = backedge("query", "look", "--project", asked, "--param", "least=8", "--param", "status=open")
    assert ended.code == 0
    for said in ("shares: Who brings what", "large", "orders.status = open"):
        assert said in ended.out


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["loko", "--param", "least=1"], 2, "did you mean 'look'"),
        (["look"], 4, "--param least=..."),
        (["look", "--param", "least=few"], 4, "no number"),
        (["look", "--param", "least=1", "--param", "status=shut"], 4, "one of paid, open"),
        (["look", "--param", "least"], 2, "write NAME=VALUE"),
        (["look", "--param", "least=1", "--param", "least=2"], 2, "given twice"),
    ],
)
def test_wrong_use_is_told(asked: Path, args: list[str], code: int, said: str) -> None:
    ended = backedge("query", *args, "--project", asked)
    assert (ended.code, said in ended.err) == (code, True), ended.err


def test_compile_takes_parameters(asked: Path) -> None:
    request = (
        '{"measures": ["orders.large"], "filters": [{"field": "orders.region", "op": "eq", "value": "{{params.r}}"}]}'
    )
    args = ("compile", "-", "--project", asked, "--param", "least=8", "--param", "r=North", "--json")
    found = backedge(*args, given=request).json
    assert sorted(map(str, found["params"])) == ["8", "North"]
    assert "North" not in found["sql"]
    without = backedge("compile", "-", "--project", asked, given=request)
    assert (without.code, "missing_parameter" in without.err) == (4, True)


@pytest.mark.slow
def test_a_key_that_rows_share_refuses_what_counts_on_it_and_nothing_else(tmp_path: Path) -> None:
    folder = make_project(tmp_path)
    regions = (
        "name: regions\ndatasource: local\ntable: regions.csv\nentities: [{name: region, key: code}]\n"
        "dimensions:\n  - {name: code, type: string}\n  - {name: head, type: string, synonyms: [manager]}\n"
    )
    orders = VIEW.replace("dimensions:\n", "  - {name: region, type: foreign, key: region}\ndimensions:\n", 1)
    (folder / "semantics" / "orders.view.yml").write_text(orders, encoding="utf-8")
    (folder / "semantics" / "regions.view.yml").write_text(regions, encoding="utf-8")
    csv = folder / "data" / "regions.csv"
    csv.write_text("code,head\nNorth,Ann\nSouth,Bob\n", encoding="utf-8")
    by_head = ("ask", "--project", folder, "--json", "order count by manager")
    answered = backedge(*by_head)
    assert (answered.code, answered.json["rows"]) == (0, [["Ann", 2], ["Bob", 2], [None, 1]])
    assert '"local"' in (folder / ".backedge" / "cache" / "keys.json").read_text(encoding="utf-8")
    csv.write_text("code,head\nNorth,Ann\nSouth,Bob\nNorth,Cy\n", encoding="utf-8")
    refused = backedge(*by_head)
    assert refused.code == 4
    assert "2 rows have code = North" in refused.json["answer"]
    assert backedge("ask", "--project", folder, "--json", "order count by region").code == 0


def test_a_word_that_means_a_field_in_two_roles_is_asked_about(tmp_path: Path) -> None:
    folder = make_project(tmp_path)
    places = (
        "name: places\ndatasource: local\ntable: places.csv\nentities: [{name: place, key: id}]\n"
        "dimensions:\n  - {name: id, type: number}\n  - {name: city, type: string}\n"
    )
    roles = "".join(f"  - {{name: place, type: foreign, key: {key}, role: {key}}}\n" for key in ("sent", "billed"))
    keys = "".join(f"  - {{name: {key}, type: number}}\n" for key in ("sent", "billed"))
    orders = VIEW.replace("dimensions:\n", f"{roles}dimensions:\n{keys}", 1).replace("orders.csv", "sold.csv")
    (folder / "semantics" / "orders.view.yml").write_text(orders, encoding="utf-8")
    (folder / "semantics" / "places.view.yml").write_text(places, encoding="utf-8")
    (folder / "data" / "places.csv").write_text("id,city\n1,Rome\n2,Oslo\n", encoding="utf-8")
    sold = "id,region,status,amount,ordered,sent,billed\n1,N,paid,5,2025-01-01,1,2\n2,N,paid,7,2025-01-02,1,1\n"
    (folder / "data" / "sold.csv").write_text(sold, encoding="utf-8")
    asked = backedge("ask", "--project", folder, "--json", "order count by city")
    assert asked.code == 3
    assert [option["value"] for option in asked.json["question"]["options"]] == ["sent.city", "billed.city"]
    answered = backedge("ask", "--project", folder, "--json", "order count by billed city")
    assert answered.json["rows"] == [["Oslo", 1], ["Rome", 1]]

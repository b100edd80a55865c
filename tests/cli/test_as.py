"""`--as` on the command line: who asks decides which rows an answer rests on, and a policy's refusal is exit code 6."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.projects import VIEW, backedge, make_project

POLICY = """row_policies:
  - {name: tenant, expr: "region = {{user.region}}", except: {role: [admin]}}
"""
SPEC = '{"measures": ["orders.total_amount"]}'


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_project(tmp_path_factory.mktemp("held"))
    (folder / "semantics" / "orders.view.yml").write_text(VIEW + POLICY, encoding="utf-8")
    return folder


@pytest.mark.parametrize(("given", "total"), [(["region=North"], 30.75), (["region=North", "region=South"], 135.75)])
def test_each_asker_gets_their_own_total(held: Path, given: list[str], total: float) -> None:
    options = [part for one in given for part in ("--as", one)]
    ended = backedge("ask", "--project", held, "total amount", "--json", *options)
    assert (ended.code, ended.json["rows"]) == (0, [[total]])


def test_a_verified_query_is_held(held: Path) -> None:
    ended = backedge("ask", "--project", held, "Which orders have no region", "--json", "--as", "region=North")
    assert (ended.code, ended.json["rows"]) == (4, [])


@pytest.mark.parametrize("question", ["total amount for North", "Which orders have no region"])
def test_without_the_attribute_it_is_not_permitted(held: Path, question: str) -> None:
    ended = backedge("ask", "--project", held, question)
    assert ended.code == 6
    said = " ".join(ended.out.split())
    assert "needs the attribute region of who asks" in said
    assert "--as region=VALUE" in said
    assert "South" not in ended.out


def test_runs_show_names_who_asked(held: Path) -> None:
    asked = backedge("ask", "--project", held, "total amount", "--json", "--as", "region=South", "--as", "role=x")
    shown = backedge("runs", "show", asked.json["run_id"], "--project", held)
    assert "region = South; role = x" in shown.out
    assert asked.json["asked_as"] == {"region": ["South"], "role": ["x"]}


def test_a_run_goes_on_as_who_asked_it(held: Path) -> None:
    asked = backedge("ask", "--project", held, "income", "--json", "--as", "region=North")
    assert asked.code == 3
    other = backedge("answer", asked.json["run_id"], "1", "--project", held, "--as", "region=South")
    assert (other.code, "region=North" in other.err) == (6, True)
    same = backedge("answer", asked.json["run_id"], "1", "--project", held, "--json")
    assert (same.code, same.json["rows"]) == (0, [[30.75]])


@pytest.mark.parametrize(
    ("extra", "code"), [([], 6), (["--explain"], 6), (["--json"], 6), (["--as", "region=North"], 0)]
)
def test_compile_is_held_too(held: Path, extra: list[str], code: int) -> None:
    ended = backedge("compile", "-", "--project", held, *extra, given=SPEC)
    assert ended.code == code
    if not code:
        assert "WHERE" in ended.out
        assert "only rows of orders that row policy tenant allows" in ended.out


@pytest.mark.parametrize("given", ["region", "=EU", "region=", "region=,", 'region="EU', " =x"])
def test_an_attribute_without_a_name_or_value_is_wrong_use(held: Path, given: str) -> None:
    ended = backedge("ask", "--project", held, "total amount", "--as", given)
    assert ended.code == 2

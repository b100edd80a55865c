"""Automations run task by task, go on where they stopped, and say what failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.automations.projects import REPORT, outputs, project, ran
from tests.cli.projects import backedge


def test_every_kind_of_task_gives_its_part(shop: Path, tmp_path: Path) -> None:
    folder = project(shop, tmp_path, report=REPORT)
    ended = ran(folder, "report")
    assert (ended.code, ended.out) == (0, "several\nNorth: 30.75\nSouth: 100.00\n4 orders\n")
    assert (folder / "out" / "North.csv").read_text() == "total\n30.75\n"
    shown = outputs(ran(folder, "report", "--param", "status=open", "--json"))
    assert shown["each"][1] == {"value": "South", "amount": [{"total": "5.00"}]}
    assert shown["model"] == [{"order_count": 1}]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--param", "status=paidd"), "'paidd' is not one of ['paid', 'open']"),
        (("--param", "stauts=paid"), "there is no variable stauts (there is: status)"),
    ],
)
def test_wrong_variables_are_refused_before_anything_runs(
    shop: Path, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    ended = ran(project(shop, tmp_path, report=REPORT), "report", *options)
    assert (ended.code, said in ended.out) == (1, True)


def test_the_run_s_day_is_a_name(shop: Path, tmp_path: Path) -> None:
    text = "tasks: [{name: t, type: formatter, template: '{{ current_date[:2] }}'}]"
    assert ran(project(shop, tmp_path, day=text), "day").out == "20\n"


def test_a_variable_without_a_default_is_needed(shop: Path, tmp_path: Path) -> None:
    text = """\
variables: {n: {type: integer, description: how many}}
tasks: [{name: t, type: formatter, template: '{{ n + 1 }}'}]
"""
    folder = project(shop, tmp_path, needs=text)
    assert "the variable n needs a value: how many" in ran(folder, "needs").out
    assert ran(folder, "needs", "--param", "n=41").out == "42\n"
    assert "'x' is not of type 'integer'" in ran(folder, "needs", "--param", "n=x").out


def test_a_failed_task_is_named_with_what_was_done(shop: Path, tmp_path: Path) -> None:
    text = """\
tasks:
  - {name: first, type: formatter, template: a}
  - {name: broken, type: execute_sql, database: local, sql_query: SELECT nope FROM orders.csv}
  - {name: never, type: formatter, template: b}
"""
    ended = ran(project(shop, tmp_path, fails=text), "fails")
    assert ended.code == 1
    assert "failed at broken" in ended.out
    assert "nope" in ended.out
    assert "done so far: first" in ended.out


def test_writing_is_refused_whatever_the_template_says(shop: Path, tmp_path: Path) -> None:
    text = "tasks: [{name: t, type: execute_sql, database: local, sql_query: \"{{ 'DROP TABLE orders' }}\"}]"
    ended = ran(project(shop, tmp_path, drops=text), "drops")
    assert ended.code == 1
    assert "SELECT" in ended.out


def test_a_loop_that_fails_in_the_middle_says_where(shop: Path, tmp_path: Path) -> None:
    text = """\
tasks:
  - name: each
    type: loop_sequential
    values: [amount, nope, id]
    tasks:
      - {name: one, type: execute_sql, database: local, sql_query: "SELECT MAX({{ each.value }}) AS m FROM orders.csv"}
"""
    ended = ran(project(shop, tmp_path, loop=text), "loop")
    assert ended.code == 1
    assert "2 of 2 failed" in ended.out or "2 of 3 failed" in ended.out


def test_a_stopped_run_goes_on_in_the_middle_of_its_loop(shop: Path, tmp_path: Path) -> None:
    text = """\
tasks:
  - name: each
    type: loop_sequential
    values: [a, b, c]
    tasks:
      - {name: read, type: execute_sql, database: local, sql_file: "{{ each.value }}.sql"}
      - {name: kept, type: formatter, template: "{{ read.x[0] }}", cache: {path: "blocked/{{ each.value }}.txt"}}
"""
    folder = project(shop, tmp_path, loop=text)
    for name in "abc":
        (folder / f"{name}.sql").write_text(f"SELECT '{name.upper()}' AS x")
    (folder / "blocked").write_text("a file where a folder is wanted")
    ended = ran(folder, "loop")
    assert (ended.code, "waits" in ended.out or "stopped" in ended.out) == (3, True)
    run = ended.err.split("runs retry ")[-1].split()[0] if "runs retry" in ended.err else ""
    listed = backedge("runs", "list", "--project", folder, "--json").json
    root = next(head["run_id"] for head in listed if head["parent"] is None)
    (folder / "blocked").unlink()
    (folder / "a.sql").unlink()  # what is done is not done again
    again = backedge("runs", "retry", root, "--project", folder, "--quiet")
    assert (again.code, again.out) == (0, "A\nB\nC\n"), (run, again)


def test_a_cache_saves_the_task(shop: Path, tmp_path: Path) -> None:
    text = """\
tasks:
  - name: t
    type: execute_sql
    database: local
    sql_query: SELECT COUNT(*) AS n FROM orders.csv
    cache: {path: c/n.json}
"""
    folder = project(shop, tmp_path, cached=text)
    first = ran(folder, "cached", "--json")
    (folder / "data" / "orders.csv").write_text("id,region,status,amount,ordered\n")
    second = ran(folder, "cached", "--json")
    assert outputs(first) == outputs(second) == {"t": [{"n": 5}]}
    assert second.json["outputs"][0]["cached"] is True


def test_one_automation_runs_another_by_its_file(shop: Path, tmp_path: Path) -> None:
    outer = """\
tasks:
  - {name: inner, type: workflow, src: report.automation.yml, variables: {status: "{{ 'open' }}"}}
  - {name: text, type: formatter, template: "{{ inner.model.order_count[0] }} / {{ inner.text.splitlines()[0] }}"}
"""
    assert ran(project(shop, tmp_path, outer=outer, report=REPORT), "outer").out == "1 / several\n"


def test_a_failure_below_is_told_above(shop: Path, tmp_path: Path) -> None:
    outer = "tasks: [{name: inner, type: workflow, src: report.automation.yml, variables: {status: none}}]"
    ended = ran(project(shop, tmp_path, outer=outer, report=REPORT), "outer")
    assert (ended.code, "'none' is not one of" in ended.out) == (1, True)


def test_row_policies_hold_in_sql_tasks(shop: Path, tmp_path: Path) -> None:
    text = "tasks: [{name: t, type: execute_sql, database: local, sql_query: SELECT COUNT(*) AS n FROM orders.csv}]"
    folder = project(shop, tmp_path, counts=text)
    view = folder / "semantics" / "orders.view.yml"
    view.write_text(view.read_text() + 'row_policies:\n  - {name: own, expr: "region IN ({{user.region}})"}\n')
    assert outputs(ran(folder, "counts", "--json", "--as", "region=South")) == {"t": [{"n": 2}]}
    assert ran(folder, "counts").code == 1


def test_an_unknown_automation_is_refused_with_the_nearest(shop: Path, tmp_path: Path) -> None:
    folder = project(shop, tmp_path, report=REPORT)
    ended = ran(folder, "reprot")
    assert (ended.code, "did you mean report?" in ended.err) == (2, True)


def test_automations_are_listed_and_shown(shop: Path, tmp_path: Path) -> None:
    folder = project(shop, tmp_path, report=REPORT)
    assert (
        "report  (report.automation.yml): Amounts of each region"
        in backedge("automation", "list", "--project", folder).out
    )
    shown = backedge("automation", "show", "report", "--project", folder).out
    assert "--param status=…  string, default 'paid': which orders" in shown
    assert "    amount: sql" in shown

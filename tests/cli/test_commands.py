"""The other commands: compile, validate, workflow, doctor, runs; and what `--help` must not load."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.projects import backedge, backedge_process, make_project, started

SPEC = {"measures": ["orders.total_amount"], "dimensions": ["orders.region"], "limit": 2}


def test_help_loads_nothing_heavy() -> None:
    heavy = ("duckdb", "sqlglot", "sqlalchemy", "pydantic", "alembic", "rich.console", "yaml", "nanoarrow", "rapidfuzz")
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom backedge.cli.app import main\n"
        "assert CliRunner().invoke(main, ['--help']).exit_code == 0\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


@pytest.mark.parametrize("command", ["ask", "answer", "compile", "demo", "doctor", "runs", "validate", "workflow"])
def test_every_command_has_its_help(command: str) -> None:
    ended = backedge(command, "--help")
    assert ended.code == 0
    assert len(ended.out.splitlines()) >= 5


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["aks", "x"], "Did you mean 'ask'?"),
        (["total sales"], "To ask a question: backedge ask"),
        (["ask"], "Missing argument"),
        (["ask", "--jsno", "x"], "No such option"),
        (["runs", "list", "--limit", "0"], "0 is not in the range"),
        (["workflow", "show", "nope"], "there is no workflow 'nope'; there is: ask"),
    ],
)
def test_wrong_usage_is_told_with_exit_code_2(args: list[str], said: str) -> None:
    ended = backedge(*args)
    assert ended.code == 2
    assert said in ended.err


def test_compile_gives_sql_values_and_columns(shop: Path, tmp_path: Path) -> None:
    (tmp_path / "spec.json").write_text(json.dumps(SPEC), encoding="utf-8")
    found = backedge("compile", tmp_path / "spec.json", "--project", shop, "--json").json
    assert set(found) == {"sql", "params", "columns", "notes"}
    assert '"orders.csv"' in found["sql"]
    assert [column["name"] for column in found["columns"]] == ["region", "total_amount"]
    piped = backedge("compile", "-", "--project", shop, given=json.dumps(SPEC))
    assert piped.out.strip() == found["sql"]
    assert "total_amount" in backedge("compile", "-", "--explain", "--project", shop, given=json.dumps(SPEC)).out


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("{", 2, "this is no JSON"),
        ("[]", 2, "a spec is a JSON object"),
        ('{"measures": ["orders.total_amuont"]}', 4, "orders.total_amount"),
        ('{"measure": ["orders.total_amount"]}', 4, "measures"),
    ],
)
def test_a_wrong_spec_is_told(shop: Path, text: str, code: int, said: str) -> None:
    ended = backedge("compile", "-", "--project", shop, given=text)
    assert ended.code == code
    assert said in ended.err


def test_an_explained_spec_that_is_refused_has_the_exit_code_of_a_refusal(shop: Path) -> None:
    ended = backedge("compile", "-", "--explain", "--project", shop, given='{"measures": ["orders.nope"]}')
    assert (ended.code, "there is no measure orders.nope" in ended.err) == (4, True)
    assert backedge("compile", "-", "--explain", "--json", "--project", shop, given="{}").code == 2


def test_a_spec_that_is_not_there_is_told(shop: Path) -> None:
    assert backedge("compile", "nope.json", "--project", shop).code == 2


def test_validate_counts_what_it_checked(shop: Path) -> None:
    ended = backedge("validate", shop, "--json")
    assert (ended.code, ended.json["ok"]) == (0, True)
    assert (ended.json["checked"]["views"], ended.json["checked"]["measures"]) == (1, 4)
    assert "1 views" in backedge("validate", shop).out


def test_doctor_tries_the_thing_itself(shop: Path) -> None:
    ended = backedge("doctor", "--project", shop, "--json")
    assert ended.code == 0
    assert {check["check"] for check in ended.json} >= {"python", "libraries", "project", "runs", "database local"}
    assert all(check["ok"] for check in ended.json)


def test_runs_are_listed_and_shown_with_their_attempts(shop: Path) -> None:
    asked = backedge("ask", "--project", shop, "-q", "order count", "--json").json
    listed = backedge("runs", "list", "--project", shop, "--json").json
    assert listed[0]["run_id"] == asked["run_id"]
    assert listed[0]["status"] == "ended"
    shown = backedge("runs", "show", "--project", shop, asked["run_id"][:8])
    assert "Order count is 5." in shown.out
    assert "Clarifying" in shown.out
    again = backedge("runs", "show", "--project", shop, asked["run_id"], "--json").json
    assert again == asked
    lines = backedge("runs", "events", "--project", shop, asked["run_id"]).out.splitlines()
    assert [json.loads(line)["seq"] for line in lines] == list(range(listed[0]["entries"]))


def test_a_waiting_run_can_be_cancelled_once(shop: Path) -> None:
    run = backedge("ask", "--project", shop, "-q", "income", "--json").json["run_id"]
    assert backedge("runs", "cancel", "--project", shop, run).code == 0
    assert backedge("runs", "cancel", "--project", shop, run).code == 1
    assert backedge("runs", "show", "--project", shop, run, "--json").json["status"] == "cancelled"
    refused = backedge("answer", "--project", shop, run, "1")
    assert (refused.code, "asks nothing now" in refused.err) == (2, True)
    assert backedge("runs", "retry", "--project", shop, run).code == 2


def test_an_unknown_run_is_told(shop: Path) -> None:
    for command in (["runs", "show"], ["runs", "events"], ["runs", "retry"], ["runs", "cancel"]):
        ended = backedge(*command, "--project", shop, "nope")
        assert (ended.code, "there is no run nope" in ended.err) == (2, True)


def test_the_workflow_is_shown_from_the_code() -> None:
    shown = backedge("workflow", "show", "ask").out
    assert "| stage | reads | model | produces | check | on failure |" in shown
    assert "Executing --> Diagnosing" in shown
    assert backedge("workflow", "show", "ask", "--mermaid").out.startswith("stateDiagram-v2")
    assert len(backedge("workflow", "show", "ask", "--json").json["stages"]) == 9


@pytest.mark.slow
def test_ctrl_c_leaves_a_run_that_goes_on(tmp_path: Path) -> None:
    shop = make_project(tmp_path)
    rows = "\n".join(f"{n},North,paid,1.00,2025-01-0{n % 9 + 1}" for n in range(400_000))
    (shop / "data/orders.csv").write_text(f"id,region,status,amount,ordered\n{rows}\n", encoding="utf-8")
    asked = ("ask", "--project", str(shop), "total amount by region")
    process = started(*asked, stdin=None, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not list(shop.glob(".backedge/runs.db")) and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    if process.returncode == 0:
        pytest.fail("the question was answered before it could be interrupted")
    assert process.returncode == 130
    assert b"go on with: backedge runs retry" in err
    run = backedge("runs", "list", "--project", shop, "--json").json[0]
    assert run["status"] == "running"
    ended = backedge_process("runs", "retry", "--project", str(shop), run["run_id"], "--json")
    assert (ended.code, json.loads(ended.out)["rows"]) == (0, [["North", 400_000]])

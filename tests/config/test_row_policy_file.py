"""Row policies load strictly from view files, and hold for agents that may not even ask about the view."""

from __future__ import annotations

import pytest

from backedge.config.problem import ConfigError
from backedge.config.project import load_project
from backedge.semantic.model import RowPolicy
from backedge.semantic.permit import permitted_sql
from tests.config.projects import CONFIG, VIEW, Write

POLICY = """
row_policies:
  - name: tenant
    description: Each region sees itself
    expr: region = {{user.region}}
    except: {role: [admin, auditor], team: ops}
  - {name: open, expr: "status <> 'draft'"}
"""
MODELS = """\
models:
  - {name: m, vendor: anthropic, model_ref: x, key_var: K}
"""
AGENT = """\
instructions: Answer.
llm: {ref: m}
databases: [local]
context: ["queries/*.sql"]
"""
VERIFIED = """/* oxy:
  database: local
  embed: [what was ordered]
*/
SELECT * FROM orders
"""


def refused(write: Write, policies: str, **files: str) -> str:
    folder = write({"a.view.yml": VIEW + policies, **files})
    with pytest.raises(ConfigError) as caught:
        load_project(folder)
    return str(caught.value)


def test_policies_become_policies_of_the_view(write: Write) -> None:
    view = load_project(write({"a.view.yml": VIEW + POLICY})).catalog.model.views[0]
    exempt = (("role", ("admin", "auditor")), ("team", ("ops",)))
    tenant = RowPolicy("tenant", "region = {{user.region}}", exempt, "Each region sees itself", at="a.view.yml:15")
    assert view.row_policies == (tenant, RowPolicy("open", "status <> 'draft'", at="a.view.yml:19"))


@pytest.mark.parametrize(
    ("policies", "said"),
    [
        ("row_policies: [{name: a}]", "expr"),
        ("row_policies: [{expr: a}]", "name"),
        ("row_policies: [{name: a, expr: ''}]", "must not be empty"),
        ("row_policies: [{name: a, expr: b, exept: {role: [x]}}]", "did you mean `except`"),
        ("row_policies: [{name: a, expr: b, except: {role: []}}]", "gives no value of `role`"),
        ("row_policies: [{name: a, expr: b, except: {role: ['']}}]", "must not be empty"),
        ("row_policies: [{name: a, expr: b, except: [role]}]", "except"),
        ("row_policies: [{name: a, expr: b}, {name: a, expr: c}]", "stands twice"),
        ("row_policies: [{name: a, expr: 'SUM(amount) > 1'}]", "looks at more than one row"),
        ("row_policies: [{name: a, expr: '{{nothing}} = {{user.x}}'}]", "is no dimension of orders"),
        ("row_policies: [{name: a, expr: 'status = ('}]", "it is not one duckdb expression"),
        ("row_policies: {tenant: a}", "row_policies"),
        ("row_policy: [{name: a, expr: b}]", "did you mean `row_policies`"),
    ],
)
def test_a_wrong_policy_is_refused_with_its_line(write: Write, policies: str, said: str) -> None:
    message = refused(write, policies)
    assert said in message
    assert "a.view.yml:" in message


def test_an_agent_without_the_view_is_held_to_its_policies(write: Write) -> None:
    files = {"views/orders.view.yml": VIEW + POLICY, "queries/all.sql": VERIFIED, "x.agentic.yml": AGENT}
    project = load_project(write({**files, "config.yml": CONFIG + MODELS}), "x")
    model = project.catalog.model
    assert (model.views, [guard.name for guard in model.guards]) == ((), ["orders"])
    sql = project.catalog.verified[0].sql
    found = permitted_sql(model, sql, "duckdb", database="local", default="local")
    assert isinstance(found, tuple)
    assert found[0].kind == "not_permitted"
    held = permitted_sql(model, sql, "duckdb", database="local", default="local", attributes={"region": "EU"})
    assert not isinstance(held, tuple)
    assert held.params == ("EU",)
    assert isinstance(permitted_sql(model, "SELECT 1 FROM other", "duckdb", database="local", default="local"), tuple)


def test_policies_that_cannot_be_read_stop_every_question(write: Write) -> None:
    files = {"views/orders.view.yml": VIEW + "row_policies: [{name: a}]", "queries/all.sql": VERIFIED}
    with pytest.raises(ConfigError, match="its row policies cannot be read"):
        load_project(write({**files, "x.agentic.yml": AGENT, "config.yml": CONFIG + MODELS}), "x")


def test_where_there_are_several_databases_a_policy_names_its_own(write: Write) -> None:
    two = CONFIG + "  - {name: other, type: duckdb, dataset: data/}\n"
    placeless = VIEW.replace("datasource: local\n", "") + POLICY
    with pytest.raises(ConfigError, match="write its `datasource`"):
        load_project(write({"a.view.yml": placeless, "config.yml": two}))
    assert load_project(write({"a.view.yml": VIEW + POLICY, "config.yml": two})).catalog.model.views

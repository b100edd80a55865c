"""`check_project` reads every known file, tells all problems of all of them, and never says "fine" to nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from backedge.config.validate import Report, check_project
from tests.config.projects import CONFIG, VIEW, Write


def said(report: Report, severity: str) -> str:
    return "\n".join(str(problem) for problem in report.problems if problem.severity == severity)


def test_what_was_checked_is_counted(write: Write) -> None:
    files = {
        "config.yml": CONFIG,
        "a.view.yml": VIEW,
        "t.topic.yml": "name: t\nviews: [orders]",
        "q.sql": "/* oxy: {description: d} */ SELECT 1",
        "x.agentic.yml": "databases: [local]",
    }
    report = check_project(write(files))
    assert report.ok
    assert report.problems == ()
    counts = (report.views, report.topics, report.dimensions, report.measures)
    assert counts == (1, 1, 4, 1)
    assert (report.verified, report.agents, report.databases) == (1, 1, 1)


def test_nothing_checked_is_an_error(tmp_path: Path) -> None:
    assert not check_project(tmp_path).ok
    (tmp_path / "a.csv").write_text("x\n1\n")
    assert "nothing was checked" in said(check_project(tmp_path), "error")


def test_every_agent_and_every_file_is_checked_together(write: Write) -> None:
    files = {
        "config.yml": CONFIG,
        "a/a.view.yml": VIEW,
        "a/a.agentic.yml": "context: ['*.yml']\ndatabases: [nope]",
        "b/b.view.yml": VIEW.replace("type: sum", "type: summ"),
        "b/b.agentic.yml": "context: ['*.yml']\nllm: {ref: mystery}",
        "stray.view.yml": "name: v\ntabel: t",
        "stray.topic.yml": "name: t\nviews: [order]",
        "stray.sql": "/* oxy: {database: nowhere, description: d} */ SELECT 1",
    }
    errors = said(check_project(write(files)), "error")
    for expected in ("`nope`", "`summ`", "`mystery`", "`tabel`", "view `order` of topic `t`", "`nowhere`"):
        assert expected in errors


def test_several_agents_are_no_mistake_and_may_use_the_same_names(write: Write) -> None:
    files = {
        "a/a.view.yml": VIEW,
        "a/a.agentic.yml": "context: ['*.yml']",
        "b/b.view.yml": VIEW,
        "b/b.agentic.yml": "context: ['*.yml']",
    }
    assert check_project(write(files)).ok


def test_a_wrong_agent_adds_no_errors_between_files_that_it_does_not_read(write: Write) -> None:
    files = {
        "a/a.view.yml": VIEW,
        "a/a.agentic.yml": "context: ['*.yml']",
        "b/b.view.yml": VIEW,
        "b/b.agentic.yml": "contxt: ['*.yml']",
    }
    report = check_project(write(files))
    assert [problem.file for problem in report.problems if problem.severity != "note"] == ["b/b.agentic.yml"]


def test_only_the_agent_asked_for_is_checked(write: Write) -> None:
    files = {
        "config.yml": CONFIG,
        "a.view.yml": VIEW,
        "a.agentic.yml": "databases: [local]",
        "b.agentic.yml": "databases: [nope]",
    }
    folder = write(files)
    assert check_project(folder, "a").ok
    assert not check_project(folder).ok
    assert "no agent `c`" in said(check_project(folder, "c"), "error")


@pytest.mark.parametrize("suffix", ["agent", "app", "aw", "agent.test", "aw.test"])
def test_oxygens_other_files_are_noted_and_no_error(write: Write, suffix: str) -> None:
    report = check_project(write({"a.view.yml": VIEW, f"x.{suffix}.yml": "{ not even yaml"}))
    assert report.ok
    assert f"x.{suffix}.yml: `.{suffix}.yml` files are not supported yet" in said(report, "note")


def test_constructs_that_load_but_are_not_served_are_noted_with_their_place(write: Write) -> None:
    view = VIEW + "  - {name: r, type: sum, expr: x, inherits_from: globals.r}\npre_aggregations:\n  - {name: p}\n"
    topic = "name: t\nviews: [orders]\ndefault_filters:\n  - {field: placed, gte: {value: 90 days ago}}\n"
    agent = "semantic_engine: {vendor: cube, base_url: u}"
    notes = said(check_project(write({"a.view.yml": view, "t.topic.yml": topic, "x.agentic.yml": agent})), "note")
    assert "a.view.yml:13: `inherits_from` is not supported yet: measure `orders.r` is refused" in notes
    assert "a.view.yml:15: `pre_aggregations` of view `orders` are not used yet" in notes
    assert "t.topic.yml:4: `90 days ago` is no value that a default filter supports yet: topic `t` is refused" in notes
    assert "x.agentic.yml:1: `semantic_engine` is not supported yet" in notes


def test_files_that_an_agent_cannot_read_are_noted(write: Write) -> None:
    files = {"s/a.view.yml": VIEW, "s/notes.txt": "x", "s/orders.views.yml": "x", "x.agentic.yml": "context: ['s/*']"}
    files |= {"s/search.mcp.yml": "x", "s/.mcp.json": "{}"}
    notes = said(check_project(write(files)), "note")
    assert "s/search.mcp.yml: `search.mcp.yml` is of a kind that agents do not read" in notes
    assert "s/.mcp.json" in notes
    assert "s/notes.txt: `notes.txt` is of a kind that agents do not read" in notes
    assert "s/orders.views.yml" in notes


def test_what_the_config_refers_to_must_exist(write: Write) -> None:
    config = (
        CONFIG
        + "defaults: {agent: gone.agent.yml}\nbuilder_agent: {model: gone}\na2a: {agents: [{ref: no.yml, name: n}]}\n"
    )
    warnings = said(check_project(write({"config.yml": config, "a.view.yml": VIEW})), "warning")
    assert "config.yml:3: `defaults.agent` names `gone.agent.yml`, which does not exist" in warnings
    assert "config.yml:5: `a2a` names the agent `no.yml`, which does not exist" in warnings
    assert "config.yml:4: model `gone` of `builder_agent` is not declared" in warnings


def test_errors_come_first_then_warnings_then_notes(write: Write) -> None:
    files = {"z.view.yml": "tabel: x", "a.view.yml": VIEW, "a.app.yml": "", "x.agentic.yml": "context: [nope, '*.yml']"}
    severities = [problem.severity for problem in check_project(write(files)).problems]
    assert severities == sorted(severities, key=["error", "warning", "note"].index)
    assert {"error", "warning", "note"} <= set(severities)

"""The table and the diagram of a workflow, read off its states, stages and edges."""

from __future__ import annotations

import dataclasses
import types
from typing import Any, get_args

from backedge.kernel.stage import Stage
from backedge.kernel.workflow import Workflow, targets

COLUMNS = ("stage", "reads", "model", "produces", "check", "on failure")


def rows_of(workflow: Workflow) -> list[dict[str, str]]:
    """One row for each stage, in the order of the table of edges."""
    stages = {stage.state: stage for stage in workflow.stages}
    return [_row(stages[state]) for state in workflow.edges]


def edges_of(workflow: Workflow) -> dict[str, list[str]]:
    """State to the states that may follow."""
    return {state.__name__: [after.__name__ for after in row] for state, row in workflow.edges.items()}


def _row(stage: Stage[Any, Any]) -> dict[str, str]:
    reads = [f.name for f in dataclasses.fields(stage.state) if f.name != "came_from"]
    checks = [gate.__name__.replace("_", " ") for gate in stage.gates]
    return {
        "stage": stage.name,
        "reads": ", ".join(reads) or "the state it came from",
        "model": stage.model or "no",
        "produces": " or ".join(_names(stage.proposal)),
        "check": "; ".join(checks) or "none",
        "on failure": _on_failure(stage),
    }


def _names(proposal: Any) -> list[str]:
    members = get_args(proposal) if isinstance(proposal, types.UnionType) else (proposal,)
    return [member.__name__ for member in members]


def _on_failure(stage: Stage[Any, Any]) -> str:
    if stage.waits:
        return "the offer is refused; it waits on" if stage.gates else "it waits on"
    refusable = bool(stage.gates or stage.model or stage.otherwise)  # a model's reply may be none at all
    said = [_on_refusal(stage)] if refusable else []
    if stage.outside:
        budget = stage.budget
        calls = f"{budget.transient} transient and {budget.rate_limited} rate-limited calls"
        said.append(f"{calls} tried again, then it pauses")
    return "; ".join(said) or "cannot fail"


def _on_refusal(stage: Stage[Any, Any]) -> str:
    gone = " or ".join(state.__name__ for state in targets(stage)[1])
    way = gone or "it stops until `runs retry`"
    retries = stage.budget.max_retries
    return f"up to {retries} retries, then {way}" if retries else f"at once {way}"


def table(workflow: Workflow) -> str:
    """The rows as a Markdown table."""
    lines = [f"| {' | '.join(COLUMNS)} |", f"|{'---|' * len(COLUMNS)}"]
    lines += [f"| {' | '.join(row[column] for column in COLUMNS)} |" for row in rows_of(workflow)]
    return "\n".join(lines)


def diagram(workflow: Workflow) -> str:
    """The edges as a Mermaid state diagram; dotted notes mark the states that wait."""
    lines = ["stateDiagram-v2", f"    [*] --> {workflow.start.__name__}"]
    for state, row in workflow.edges.items():
        lines += [f"    {state.__name__} --> {after.__name__}" for after in row]
    lines += [f"    {state.__name__} --> [*]" for state in workflow.states if state in workflow.ends]
    lines += [f"    note right of {stage.name}: waits" for stage in workflow.stages if stage.waits]
    return "\n".join(lines)

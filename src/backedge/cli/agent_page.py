"""The page of `backedge agent show`: a row for each stage, then what may be seen and what may be spent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta

from backedge.ask.prompted.privacy import Privacy, Sharing
from backedge.config.agent_file import Agent
from backedge.config.project import Project
from backedge.config.stage_models import NO_MODEL, StageModel, stage_models

RULES = "rules and templates (no model)"
_HEAD = ("stage", "model", "thinking", "max_retries", "key", "set by")


def page(project: Project, extended: bool) -> str:
    """The agent as text for a terminal."""
    agent = project.agent
    if agent is None:
        return f"The project has no agent: every stage runs by {RULES}."
    rows = [_HEAD, *(_row(stage) for stage in stage_models(agent, project.models, extended=extended))]
    widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join((f"agent {agent.name} ({agent.file})", "", *lines, "", *_bounds(agent), *_told(project, extended)))


def _agreeing(agent: Agent) -> Iterator[str]:
    for state in agent.states:
        if state.consistency > 1:
            yield f"consistency of {state.stage}: of {state.consistency} replies more than half must agree"


def _row(stage: StageModel) -> tuple[str, ...]:
    choice = stage.choice
    if stage.stage in NO_MODEL:
        model, key = "no model: it runs the query", ""
    elif choice is None:
        model, key = RULES, ""
    else:
        named = f" ({choice.name})" if choice.name else ""
        model, key = f"{choice.vendor}:{choice.model}{named}", _key(choice.key_var)
    retries = "" if stage.max_retries is None else str(stage.max_retries)
    origins = ", ".join(dict.fromkeys(where for _, where in stage.origins))
    thinking = str(stage.thinking) if stage.thinking and choice else ""
    return stage.stage, model, thinking or "default", retries or "default", key, origins


def _key(name: str) -> str:
    if not name:
        return "none needed"
    return f"{name} ({'set' if os.environ.get(name) else 'not set'})"


def _bounds(agent: Agent) -> Iterator[str]:
    limits = agent.limits
    spent = {"tokens": limits.tokens, "USD": limits.cost, "seconds": limits.wall_clock}
    told = [f"{value:g} {name}" if name != "USD" else f"{value} USD" for name, value in spent.items() if value]
    yield f"budgets of a run: {', '.join((f'{limits.steps} steps', *told))}"
    for stage, seconds in agent.waits:
        yield f"questions of {stage} wait {timedelta(seconds=seconds)}; then the default is taken, where they have one"
    yield from _agreeing(agent)
    yield f"privacy: {_shared(agent.privacy.usual)}"
    for vendor, sharing in sorted(agent.privacy.vendors.items()):
        yield f"privacy for {vendor}: {_shared(sharing)}"
    if agent.privacy.hidden:
        yield f"never sent: values of {', '.join(agent.privacy.hidden)}"


def _shared(sharing: Sharing) -> str:
    return (
        f"{sharing.samples} sample values of a column, {sharing.result_rows} rows of a result, "
        f"notes {'sent' if sharing.notes else 'kept'}, examples {'sent' if sharing.examples else 'kept'}"
    )


def _told(project: Project, extended: bool) -> Iterator[str]:
    assert project.agent is not None
    for stage in stage_models(project.agent, project.models, extended=extended):
        if stage.instructions:
            yield f"\ninstructions of {stage.stage}:\n  " + stage.instructions.replace("\n", "\n  ")


def as_data(project: Project, extended: bool) -> dict[str, object]:
    """The agent as JSON: no key is in it, only whether one is set."""
    agent = project.agent
    if agent is None:
        return {"agent": None, "stages": []}
    stages = stage_models(agent, project.models, extended=extended)
    return {
        "agent": agent.name,
        "file": agent.file,
        "stages": [_stage_data(stage) for stage in stages],
        "default_after": dict(agent.waits),
        "budgets": {k: v if v is None else float(v) for k, v in asdict(agent.limits).items()},
        "privacy": _privacy_data(agent.privacy),
    }


def _stage_data(stage: StageModel) -> dict[str, object]:
    choice = stage.choice
    return {
        "stage": stage.stage,
        "vendor": choice.vendor if choice else None,
        "model": choice.model if choice else None,
        "name": choice.name if choice else None,
        "key": choice.key_var if choice else None,
        "key_set": bool(choice and (not choice.key_var or os.environ.get(choice.key_var))),
        "thinking": str(stage.thinking) if stage.thinking else None,
        "max_retries": stage.max_retries,
        "consistency": stage.consistency,
        "instructions": stage.instructions,
        "set_by": dict(stage.origins),
    }


def _privacy_data(privacy: Privacy) -> dict[str, object]:
    vendors: dict[str, object] = {vendor: asdict(sharing) for vendor, sharing in privacy.vendors.items()}
    return {"usual": asdict(privacy.usual), "vendors": vendors, "hidden": list(privacy.hidden)}

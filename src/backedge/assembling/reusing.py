"""When a model's reply is taken again: its stage's key holds the project's files, the program and the data's state."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import replace
from importlib.metadata import version

from pydantic import JsonValue

from backedge.ask.ports import AskPorts
from backedge.config.project import Project
from backedge.kernel.defect import Failure
from backedge.kernel.workflow import Workflow

READS_DATA = ("clarifying", "specifying")  # values of the data are in their prompts, and their specs are held to keys
REUSED = (*READS_DATA, "interpreting")  # Solving's SQL is tried on the data by each run


def reusing(workflow: Workflow, project: Project, minded: Collection[str]) -> Workflow:
    """The workflow with the stages of `minded` as those of a model: paid for once, for as long as all is the same."""
    stages = []
    for stage in workflow.stages:
        asked = stage.model in minded
        kept = asked and stage.model in REUSED
        stages.append(
            replace(
                stage,
                varies=asked,
                reuse=kept,
                version=f"{stage.version} {_of_project(project)}" if kept else stage.version,
                moment=state_of_data if asked and stage.model in READS_DATA else None,
            )
        )
    return replace(workflow, stages=tuple(stages))


def _of_project(project: Project) -> str:
    """What no prompt shows, and rules go by: the program, the databases, and what automations are made of."""
    known = [automation for automation in project.automations if automation.file in project.delegable]
    parts = (version("backedge"), project.default_database, project.timezone, project.databases, known)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


async def state_of_data(ports: AskPorts) -> JsonValue:
    """Every database with its fingerprint; None where one cannot say whether its data have changed."""
    found: list[JsonValue] = []
    for name, connector in sorted(ports.connectors.items()):
        try:
            stamp = await connector.fingerprint()
        except Failure:
            return None  # the stage itself says what it lacks, if it needs that database at all
        if not stamp:
            return None
        found.append([name, stamp])
    return found

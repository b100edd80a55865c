"""The evidence workflows by name, and each bound to its ports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from backedge.config.evidence_file import EvidenceProject
from backedge.evidence.extract.workflow import EXTRACT
from backedge.evidence.ingest.workflow import INGEST
from backedge.evidence.inquire.workflow import INQUIRE
from backedge.evidence.investigate.workflow import INVESTIGATE
from backedge.evidence.refresh.workflow import REFRESH, RESTRICT
from backedge.evidence.verify.workflow import VERIFY
from backedge.evidence.watch.workflow import WATCH
from backedge.kernel.stage import Stage
from backedge.kernel.workflow import Workflow

BY_NAME = {
    workflow.name: workflow for workflow in (INGEST, EXTRACT, VERIFY, REFRESH, RESTRICT, WATCH, INVESTIGATE, INQUIRE)
}


def with_retries(workflow: Workflow, project: EvidenceProject) -> Workflow:
    """The workflow with the retries that `evidence.yml` gives the roles of its stages."""
    return replace(workflow, stages=tuple(_with_retries(stage, project) for stage in workflow.stages))


def _with_retries(stage: Stage[Any, Any], project: EvidenceProject) -> Stage[Any, Any]:
    asked = next((role.max_retries for role in project.models if role.role == stage.model), None)
    return stage if asked is None else replace(stage, budget=replace(stage.budget, max_retries=asked))


def evidence_workflow(name: str) -> Workflow | None:
    """The workflow of that name; None where there is none."""
    return BY_NAME.get(name)

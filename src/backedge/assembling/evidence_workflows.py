"""The evidence workflows by name, and each bound to its ports."""

from __future__ import annotations

from backedge.evidence.extract.workflow import EXTRACT
from backedge.evidence.ingest.workflow import INGEST
from backedge.evidence.refresh.workflow import REFRESH, RESTRICT
from backedge.evidence.verify.workflow import VERIFY
from backedge.evidence.watch.workflow import WATCH
from backedge.kernel.workflow import Workflow

BY_NAME = {workflow.name: workflow for workflow in (INGEST, EXTRACT, VERIFY, REFRESH, RESTRICT, WATCH)}


def evidence_workflow(name: str) -> Workflow | None:
    """The workflow of that name; None where there is none."""
    return BY_NAME.get(name)

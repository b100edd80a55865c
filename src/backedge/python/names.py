"""The public names of `backedge` and where each is; `__init__.pyi` tells the same to type checkers."""

from __future__ import annotations

PUBLIC = {
    "open": "backedge.python.project:open_project",
    "Project": "backedge.python.project:Project",
    "Answer": "backedge.python.answer:Answer",
    "BackedgeError": "backedge.python.errors:BackedgeError",
    "Machine": "backedge.python.machine:Machine",
    "Workflow": "backedge.kernel.workflow:Workflow",
    "PlanError": "backedge.kernel.workflow:PlanError",
    "Stage": "backedge.kernel.stage:Stage",
    "Settled": "backedge.kernel.stage:Settled",
    "Lesson": "backedge.kernel.stage:Lesson",
    "Refusal": "backedge.kernel.stage:Refusal",
    "Reply": "backedge.kernel.stage:Reply",
    "Unreadable": "backedge.kernel.stage:Unreadable",
    "Record": "backedge.kernel.stage:Record",
    "Child": "backedge.kernel.stage:Child",
    "ChildEnd": "backedge.kernel.stage:ChildEnd",
    "Run": "backedge.kernel.run:Run",
    "Context": "backedge.kernel.journal:Context",
    "Budget": "backedge.kernel.budget:Budget",
    "Limits": "backedge.kernel.budget:Limits",
    "Usage": "backedge.kernel.budget:Usage",
    "Defect": "backedge.kernel.defect:Defect",
    "Transient": "backedge.kernel.defect:Transient",
    "RateLimited": "backedge.kernel.defect:RateLimited",
    "Permanent": "backedge.kernel.defect:Permanent",
}

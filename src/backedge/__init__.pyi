"""What `backedge` offers, for type checkers: the same names as `python/names.py`, kept in step by a test."""

from backedge.kernel.budget import Budget as Budget
from backedge.kernel.budget import Limits as Limits
from backedge.kernel.budget import Usage as Usage
from backedge.kernel.defect import Defect as Defect
from backedge.kernel.defect import Permanent as Permanent
from backedge.kernel.defect import RateLimited as RateLimited
from backedge.kernel.defect import Transient as Transient
from backedge.kernel.journal import Context as Context
from backedge.kernel.run import Run as Run
from backedge.kernel.stage import Child as Child
from backedge.kernel.stage import ChildEnd as ChildEnd
from backedge.kernel.stage import Lesson as Lesson
from backedge.kernel.stage import Record as Record
from backedge.kernel.stage import Refusal as Refusal
from backedge.kernel.stage import Reply as Reply
from backedge.kernel.stage import Settled as Settled
from backedge.kernel.stage import Stage as Stage
from backedge.kernel.stage import Unreadable as Unreadable
from backedge.kernel.workflow import PlanError as PlanError
from backedge.kernel.workflow import Workflow as Workflow
from backedge.python.answer import Answer as Answer
from backedge.python.errors import BackedgeError as BackedgeError
from backedge.python.machine import Machine as Machine
from backedge.python.project import Project as Project
from backedge.python.project import open_project as open

__all__ = [
    "Answer",
    "BackedgeError",
    "Budget",
    "Child",
    "ChildEnd",
    "Context",
    "Defect",
    "Lesson",
    "Limits",
    "Machine",
    "Permanent",
    "PlanError",
    "Project",
    "RateLimited",
    "Record",
    "Refusal",
    "Reply",
    "Run",
    "Settled",
    "Stage",
    "Transient",
    "Unreadable",
    "Usage",
    "Workflow",
    "open",
]

"""The automation workflow: the table of its edges, checked against its stages when it is built."""

from __future__ import annotations

from dataclasses import replace

from pydantic import JsonValue

from backedge.automations.stages.await_tasks import AWAITING_TASKS, OUTPUT
from backedge.automations.stages.branch import BRANCHING
from backedge.automations.stages.call import CALLING
from backedge.automations.stages.consult import CONSULTING
from backedge.automations.stages.format import FORMATTING
from backedge.automations.stages.load import LOADING
from backedge.automations.stages.loop import LOOPING
from backedge.automations.stages.query_model import QUERYING
from backedge.automations.stages.request import REQUESTING
from backedge.automations.stages.run_sql import RUNNING_SQL
from backedge.automations.stages.save import SAVING
from backedge.automations.states import (
    AwaitingTasks,
    Branching,
    Call,
    Calling,
    Consulting,
    Failed,
    Finished,
    Formatting,
    Loading,
    Looping,
    Querying,
    Requesting,
    RunningSql,
    Saving,
)
from backedge.automations.unfolding import outcome_of
from backedge.kernel.journal import Context
from backedge.kernel.workflow import Workflow
from backedge.query.attributes import read_attributes

TASKS = (RunningSql, Querying, Consulting, Looping, Branching, Formatting, Calling, Requesting)
AFTER = (Saving, *TASKS, Finished, Failed)


def begin(call: Call | dict[str, JsonValue], context: Context) -> Loading:
    """Every automation starts with its plan; who asks is what the run's context says."""
    asked = call if isinstance(call, Call) else _call(call)
    asker = tuple(read_attributes(context.attributes).items())
    return Loading(replace(asked, asker=asker, today=context.today.isoformat()))


def _call(given: dict[str, JsonValue]) -> Call:
    variables = given.get("variables")
    return Call(str(given["name"]), dict(variables) if isinstance(variables, dict) else {})


def outcome(end: Finished | Failed) -> dict[str, JsonValue]:
    """What a parent is told: the outputs, with the last table by itself, or the reason why there are none."""
    if isinstance(end, Failed):
        return {"status": "failed", "reason": "; ".join(defect.message for defect in end.refusal.defects)}
    output = outcome_of(end.frame.done)
    told: dict[str, JsonValue] = {
        "status": "done",
        "text": output.text,
        "output": OUTPUT.dump_python(output, mode="json"),
    }
    if output.table is not None:
        told["table"] = output.table.model_dump(mode="json")
    return told


AUTOMATION = Workflow(
    name="automation",
    start=Loading,
    edges={
        Loading: (*TASKS, Finished, Failed),
        RunningSql: AFTER,
        Querying: AFTER,
        Consulting: (*AFTER, AwaitingTasks),
        Looping: (*AFTER, AwaitingTasks),
        Branching: (*AFTER, AwaitingTasks),
        Formatting: AFTER,
        Calling: (AwaitingTasks, Failed),
        Requesting: AFTER,
        AwaitingTasks: (AwaitingTasks, *AFTER),
        Saving: (*TASKS, Finished, Failed),
    },
    stages=(
        LOADING,
        RUNNING_SQL,
        QUERYING,
        CONSULTING,
        LOOPING,
        BRANCHING,
        FORMATTING,
        CALLING,
        REQUESTING,
        AWAITING_TASKS,
        SAVING,
    ),
    begin=begin,
    outcome=outcome,
)

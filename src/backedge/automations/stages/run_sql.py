"""RunningSql: the task's SQL, with values put in as values, runs guarded under the asker's row policies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backedge.automations.finishing import finished, kept, of_rows
from backedge.automations.gates import Faulty, is_sound
from backedge.automations.outputs import Output
from backedge.automations.ports import AutomationPorts
from backedge.automations.sqltemplate import sql_of
from backedge.automations.states import After, Failed, RunningSql
from backedge.automations.tasks import SqlTask
from backedge.automations.templates import TemplateProblem, filled, render
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: RunningSql, ports: AutomationPorts, lesson: Lesson) -> Output | Faulty:
    """The rows, or why there are none."""
    frame, task = state.frame, state.frame.task
    assert isinstance(task, SqlTask)
    try:
        if (held := await kept(frame, ports)) is not None:
            return held
        names = frame.names.values()
        database = render(task.database, names)
        own = {**names, **filled(task.variables, names)}
        sql = sql_of(await _template(task, names, ports), own, ports.data.dialect(database))
    except TemplateProblem as problem:
        return Faulty((problem.defect,))
    return of_rows(await ports.data.sql(database, sql, frame.call.attributes, task.limit))


async def _template(task: SqlTask, names: Mapping[str, Any], ports: AutomationPorts) -> str:
    if not task.file:
        return task.sql
    path = render(task.file, names)
    text = await ports.files.text(path)
    if text is None:
        raise TemplateProblem(Defect("no_file", f"there is no file {path} in the project", "sql_file"))
    return text


def settle(state: RunningSql, output: Output | Faulty) -> Settled[After]:
    """The next task follows."""
    return finished(state.frame, output)


RUNNING_SQL: Stage[RunningSql, Output | Faulty] = Stage(
    RunningSql, Output | Faulty, settle, propose, gates=(is_sound,), otherwise=Failed
)

"""What the stages of tasks share: a cached output, rows as an output, and the state that follows."""

from __future__ import annotations

from dataclasses import replace

from backedge.automations.gates import Faulty
from backedge.automations.outputs import Output, table_text
from backedge.automations.ports import AutomationPorts
from backedge.automations.states import After, Frame, done
from backedge.automations.templates import render
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Settled
from backedge.query.ports import Queried


async def kept(frame: Frame, ports: AutomationPorts) -> Output | None:
    """The output that the task's cache holds, or None. Raises `TemplateProblem`."""
    cache = frame.task.common.cache
    if cache is None:
        return None
    found = await ports.files.cached(replace(cache, path=render(cache.path, frame.names.values())))
    return replace(found, cached=True) if found else None


def of_rows(found: Queried | tuple[Defect, ...]) -> Output | Faulty:
    """Rows as an output, or why there are none."""
    if not isinstance(found, Queried):
        return Faulty(found)
    return Output(table_text(found.ran.table), found.ran.table, sql=found.sql)


def finished(frame: Frame, output: Output | Faulty) -> Settled[After]:
    """The state that follows on a sound output."""
    assert isinstance(output, Output)
    return Settled(done(frame, output))

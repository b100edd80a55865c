"""Saving: a task's output is written to the files that it names."""

from __future__ import annotations

from dataclasses import dataclass, replace

from backedge.automations.gates import Faulty, is_sound
from backedge.automations.ports import AutomationPorts
from backedge.automations.states import Failed, Next, Saving, next_of
from backedge.automations.templates import TemplateProblem, render
from backedge.kernel.stage import Lesson, Settled, Stage


@dataclass(frozen=True)
class Saved:
    """The files that were written, as the project names them."""

    files: tuple[str, ...]


async def propose(state: Saving, ports: AutomationPorts, lesson: Lesson) -> Saved | Faulty:
    """Write the export, then the cache. Writing the same again changes nothing."""
    common, names = state.frame.task.common, state.frame.names.values()
    files: list[str] = []
    try:
        if common.export:
            path = render(common.export.path, names)
            files.append(await ports.files.export(replace(common.export, path=path), state.output))
        if common.cache and not state.output.cached:
            cache = replace(common.cache, path=render(common.cache.path, names))
            await ports.files.keep(cache, state.output)
            files.append(cache.path)
    except TemplateProblem as problem:
        return Faulty((problem.defect,))
    return Saved(tuple(files))


def settle(state: Saving, saved: Saved | Faulty) -> Settled[Next]:
    """The next task follows."""
    return Settled(next_of(state.frame.after(state.output)))


SAVING: Stage[Saving, Saved | Faulty] = Stage(
    Saving, Saved | Faulty, settle, propose, gates=(is_sound,), otherwise=Failed
)

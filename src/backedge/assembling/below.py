"""The runs below one that hold it up: those that stopped or wait for a person, and how they are retried."""

from __future__ import annotations

from typing import Any

from backedge.ask.answer import Found
from backedge.kernel.drive import Driver
from backedge.kernel.run import Run

Held = dict[str, Any]


async def leaves(driver: Driver, run: Run) -> tuple[Run, ...]:
    """The runs that a waiting run waits for, however far below; a run that waits for no other is its own leaf."""
    below = [child for child in run.awaited if child not in run.heard] if run.status == "waiting" else []
    if not below:
        return (run,)
    found = [await leaves(driver, await driver.load(child)) for child in below]
    return tuple(leaf for of_child in found for leaf in of_child)


async def held_up(driver: Driver, run: Run) -> list[Held]:
    """What each run below says of why it does not go on, as data."""
    if run.status != "waiting" or not run.awaited:
        return []
    return [_held(leaf) for leaf in await leaves(driver, run)]


async def asking(driver: Driver, run: Run) -> tuple[Run, ...]:
    """The runs that ask a person something: the run itself, or those below it."""
    return tuple(leaf for leaf in await leaves(driver, run) if leaf.status == "waiting" and not leaf.awaited)


def asked_below(run: Run, asking: tuple[Run, ...], forms: list[Found]) -> Found:
    """What the form of a run says of the questions below it: the only one is answered by way of this run."""
    if not asking or asking == (run,):
        return {}
    questions = [dict(question) for question in forms[0]["questions"]]
    if len(asking) == 1:
        questions = [{**question, "run_id": run.id} for question in questions]
    return {"status": "needs_input", "questions": questions, "question": questions[0] if len(questions) == 1 else None}


def _held(leaf: Run) -> Held:
    stopped = leaf.stopped
    told = {"reason": stopped.reason if stopped else "", "mend": stopped.mend if stopped else ""}
    asked = leaf.labels.get("asked", "")
    return {"run_id": leaf.id, "workflow": leaf.workflow.name, "asked": asked, "status": leaf.status, **told}


async def retry_below(driver: Driver, run: Run, by: str) -> None:
    """Open fresh budgets for a run that stopped, or for those that stopped below it."""
    for leaf in await leaves(driver, run):
        if leaf.stopped and leaf.stopped.resumable:
            await driver.retry(leaf.id, by=by)

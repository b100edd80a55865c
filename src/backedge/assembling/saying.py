"""An answer that somebody typed, offered to the question that it belongs to; who is too late is told what is asked."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from backedge.ask.answers import told_of, typed
from backedge.ask.proposals import Saying
from backedge.ask.states import AwaitingAnswer
from backedge.kernel.drive import Driver, NotAsked
from backedge.kernel.run import CLOCK, Run


async def say(driver: Driver, run_id: str, texts: tuple[str, ...], *, by: str, asked: int | None, now: datetime) -> Run:
    """Answer the open questions of a run, all at once. Raises `NotAsked` with the questions that are open instead."""
    run = await driver.load(run_id)
    seq = asked if asked is not None else _meant(run)
    state = run.values.get(seq)
    today = now.astimezone(ZoneInfo(run.context.timezone)).date()
    saying = typed(state, texts, today) if isinstance(state, AwaitingAnswer) else Saying(texts)
    try:
        return await driver.offer(run.id, saying, by=by, asked=asked)
    except NotAsked as late:
        raise NotAsked(late.run, f"{late}{_instead(late.run, seq)}") from late


def _meant(run: Run) -> int:
    """The question that an answer without a number is for: the open one, or else the last that was answered."""
    return run.asked if run.status == "waiting" else max(run.answered, default=run.asked)


def _instead(run: Run, seq: int) -> str:
    said = ""
    if run.answered.get(seq, ("",))[0] == CLOCK:
        said = "; the time to answer was over, and the default was taken"
    if run.status == "waiting" and isinstance(run.state, AwaitingAnswer):
        said += f"; open now: {told_of(run.state.questions)}"
    return said

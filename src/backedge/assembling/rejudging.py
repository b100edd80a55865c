"""Brings the judgements of a project up to date, and goes on with refreshes, marks and looks that were interrupted."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from backedge.assembling.evidence import EvidenceApp
from backedge.evidence.judging import outdated
from backedge.evidence.refresh.states import Refresh, Refreshed, Rejudging
from backedge.kernel.ports import Taken
from backedge.kernel.run import Run, Status

CHANGES = ("restrict", "refresh", "watch")
TOGETHER = 500  # sources of one run: each of its states holds them all
OPEN: tuple[Status, ...] = ("running", "stopped")


async def interrupted(app: EvidenceApp) -> tuple[Run, ...]:
    """The marks, refreshes and looks that paused or were interrupted, of each the oldest first.

    A mark that was refused is none: it would be refused again.
    """
    found: list[Run] = []
    for workflow in CHANGES:
        heads = [head for status in OPEN async for head in app.heads(workflow, status)]
        runs = [await app.driver.load(head.id) for head in sorted(heads, key=lambda head: (head.created, head.id))]
        found += [r for r in runs if r.stopped is None or (r.stopped.resumable and r.stopped.stop != "refused")]
    return tuple(found)


async def gone_on(app: EvidenceApp, runs: Sequence[Run], by: str) -> tuple[Run, ...]:
    """Those runs, driven on with fresh budgets; one that another process drives is left to it."""
    done: list[Run] = []
    for run in runs:
        with suppress(Taken):
            await app.driver.retry(run.id, by=by)
            done.append(await app.driver.drive(run.id))
    return tuple(done)


async def up_to_date(app: EvidenceApp, by: str) -> tuple[Run, ...]:
    """Judge what an interrupted mark or refresh has left unjudged, and what another policy than today's has judged.

    Nobody outside is asked. The runs by which a judgement changed.
    """
    left = await interrupted(app)
    unjudged = [run for run in left if run.workflow.name == "restrict" or isinstance(run.state, Rejudging)]
    done = list(await gone_on(app, unjudged, by))
    sources = await outdated(app.library, app.project.policy)
    for start in range(0, len(sources), TOGETHER):
        some = sources[start : start + TOGETHER]
        labels = {"asked": f"judge {len(some)} sources anew"}
        asked = Refresh(some, by, judge_only=True)
        done.append(await app.driver.drive(await app.driver.start("refresh", asked, app.context(by), labels=labels)))
    return tuple(run for run in done if isinstance(run.state, Refreshed) and run.state.judgements)


async def refreshed(app: EvidenceApp, sources: Sequence[str], by: str) -> tuple[Run, ...]:
    """Ask the registries how sources stand, and judge them anew. Where a run pauses, those behind it are not begun."""
    starts = range(0, len(sources), TOGETHER)
    runs = [await app.begin_refresh(sources[start : start + TOGETHER], by=by) for start in starts]
    done: list[Run] = []
    for run_id in runs:
        done.append(await app.driver.drive(run_id))
        if done[-1].status != "ended":
            break
    return (*done, *[await app.driver.load(run_id) for run_id in runs[len(done) :]])

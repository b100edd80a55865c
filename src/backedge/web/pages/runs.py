"""Runs of every workflow: the list, one run with its attempts, and what can be done about it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, cast

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from backedge.ask.attempts import attempt_of, prompts_of
from backedge.kernel.ports import Head
from backedge.kernel.provenance import activities
from backedge.kernel.run import Status
from backedge.web.people import Person
from backedge.web.problems import not_found
from backedge.web.rendering import view
from backedge.web.site import Site

PAGE = 50
UNLISTED = "keep"  # runs that only record what was said of an answer: they are listed when asked for
Page = Callable[[Site, Request, Person, Head], Awaitable[Response]]
STATUSES = ("running", "waiting", "ended", "stopped")


def routes(site: Site, pages: Mapping[str, Page]) -> APIRouter:
    """`/runs` and below. `pages` are of workflows that have a page of their own."""
    router = APIRouter()

    @view(router, "/runs")
    async def list_(
        request: Request,
        status: str = "",
        workflow: str = "",
        before: str = "",
        limit: int = Query(PAGE, ge=1, le=500),
    ) -> Response:
        person = await site.allowed(request, "see")
        found = await listed(site, person, status, workflow, before, limit)
        return site.render(request, "runs.html", found, person)

    @view(router, "/runs/{run_id}")
    async def show(request: Request, run_id: str) -> Response:
        person = await site.allowed(request, "see")
        head = await seen(site, person, run_id)
        if head.workflow in pages:
            return await pages[head.workflow](site, request, person, head)
        return site.render(request, "run.html", await run_view(site, head), person)

    @router.post("/runs/{run_id}/retry", include_in_schema=False)
    async def retry(request: Request, run_id: str) -> Response:
        person = await site.allowed(request, "ask")
        head = await seen(site, person, run_id)
        await site.services.runs.retry(head.id, by=person.name)
        return RedirectResponse(f"/runs/{head.id}", 303)

    @router.post("/runs/{run_id}/cancel", include_in_schema=False)
    async def cancel(request: Request, run_id: str, reason: str = Form("cancelled")) -> Response:
        person = await site.allowed(request, "ask")
        head = await seen(site, person, run_id)
        await site.services.runs.cancel(head.id, by=person.name, reason=reason)
        return RedirectResponse(f"/runs/{head.id}", 303)

    return router


async def seen(site: Site, person: Person, run_id: str) -> Head:
    """The row of a run that a person may see. Raises `Refusal` (404) where there is none, or it is not theirs."""
    head = await site.services.runs.head(run_id)
    run = await site.services.runs.load(head.id)
    if not person.may_see(run.context.by):
        raise not_found(f"there is no run {run_id}", "see the list of runs")
    return head


async def listed(site: Site, person: Person, status: str, workflow: str, before: str, limit: int) -> dict[str, Any]:
    """A page of the runs that a person may see, newest first, and where the next one begins."""
    kind = cast("Status | None", status if status in STATUSES else None)
    lines: list[dict[str, Any]] = []
    at, more = before or None, True
    while more and len(lines) <= limit:
        heads = await site.services.runs.heads(status=kind, workflow=workflow or None, limit=limit + 1, before=at)
        more = len(heads) > limit
        for head in heads:
            if head.workflow == UNLISTED != workflow:
                continue
            run = await site.services.runs.load(head.id)
            if person.may_see(run.context.by):
                lines.append(_line(head, run.context.by))
        at = heads[-1].id if heads else None
    shown = lines[:limit]
    following = shown[-1]["id"] if len(lines) > limit else None
    return {"runs": shown, "before": following, "status": status, "workflow": workflow}


def _line(head: Head, by: str) -> dict[str, Any]:
    return {
        "id": head.id,
        "workflow": head.workflow,
        "state": head.state,
        "status": head.status,
        "asked": head.labels.get("asked", ""),
        "by": by,
        "created": _moment(head.created),
        "updated": _moment(head.updated),
        "parent": head.parent.run_id if head.parent else None,
    }


async def run_view(site: Site, head: Head) -> dict[str, Any]:
    """What every run shows: where it stands, its attempts with what was asked and replied, and how long each took."""
    run = await site.services.runs.load(head.id)
    entries = await site.services.runs.entries(head.id)
    done = tuple(activities(entries))
    return {
        **_line(head, run.context.by),
        "trail": list(run.trail),
        "stopped": run.stopped.reason if run.stopped else "",
        "mend": run.stopped.mend if run.stopped else "",
        "resumable": bool(run.stopped and run.stopped.resumable),
        "surfaced": site.services.runs.surfaced(head.id),
        "attempts": [attempt_of(each) for each in done],
        "prompts": prompts_of(done),
        "bars": _bars([(each.stage, each.ms or 0) for each in done]),
        "entries": len(entries),
    }


def _bars(attempts: list[tuple[str, int]]) -> list[dict[str, Any]]:
    """The timeline: where each attempt begins and how long it took, in thousandths of all of them together."""
    whole = max(1, sum(ms for _, ms in attempts))
    found, at = [], 0
    for stage, ms in attempts:
        found.append({"stage": stage, "ms": ms, "x": at * 1000 // whole, "width": max(4, ms * 1000 // whole)})
        at += ms
    return found


def _moment(at: datetime) -> str:
    return at.isoformat(timespec="seconds")

"""Two runs side by side, and one run again, event by event."""

from __future__ import annotations

import difflib
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from backedge.ask.answer import query_of
from backedge.kernel.ports import Head
from backedge.query.exact_json import dumps
from backedge.web.answer_view import as_text, plain_sql
from backedge.web.pages.runs import run_view, seen
from backedge.web.rendering import view
from backedge.web.site import Site
from backedge.web.trace import trace


def routes(site: Site) -> APIRouter:
    """`/compare`, and `/runs/{id}/replay`."""
    router = APIRouter()

    @view(router, "/compare")
    async def compare(request: Request, a: str = "", b: str = "") -> Response:
        person = await site.allowed(request, "see")
        found: dict[str, Any] = {"a": a, "b": b, "rows": [], "sql": []}
        if a and b:
            heads = [await seen(site, person, run_id) for run_id in (a, b)]
            left, right = [await _told(site, head) for head in heads]
            found |= {"a": heads[0].id, "b": heads[1].id, "rows": _rows(left, right)}
            found["sql"] = _differences(left["SQL"], right["SQL"])
        return site.render(request, "compare.html", found, person)

    @view(router, "/runs/{run_id}/replay")
    async def replay(request: Request, run_id: str, at: int = Query(1, ge=1)) -> Response:
        person = await site.allowed(request, "see")
        head = await seen(site, person, run_id)
        lines = trace(await site.services.runs.entries(head.id))
        at = min(at, len(lines))
        found = {"id": head.id, "at": at, "of": len(lines), "line": asdict(lines[at - 1])}
        found["before"] = [asdict(line) for line in lines[: at - 1]]
        return site.render(request, "replay.html", found, person)

    return router


async def _told(site: Site, head: Head) -> dict[str, str]:
    """What is compared of a run, each as text."""
    run = await site.services.runs.load(head.id)
    found: dict[str, Any] = {"Asked": head.labels.get("asked", ""), "Workflow": head.workflow}
    found |= {"Status": f"{head.status} at {head.state}", "Reading": "", "Spec": "", "SQL": "", "Answer": ""}
    if head.workflow == "ask" and site.services.asking is not None:
        form = await site.services.asking.form(head.id)
        query = query_of(run.state)
        spec = run.workflow.codec.write(query.spec) if query and query.spec else ""
        found |= {"Status": form["status"], "Reading": form["reading"] or "", "Answer": form["answer"] or ""}
        found |= {
            "Spec": dumps(spec) if spec else "",
            "SQL": plain_sql(form, site.services.asking.dialect(form["database"] or "")),
        }
    view_of = await run_view(site, head)
    found["States"] = " → ".join(run.trail)
    found["Attempts"] = str(len(view_of["attempts"]))
    found["Time"] = f"{sum(bar['ms'] for bar in view_of['bars'])} ms"
    return {name: as_text(value) for name, value in found.items()}


def _rows(left: dict[str, str], right: dict[str, str]) -> list[dict[str, Any]]:
    return [{"name": name, "a": left[name], "b": right[name], "same": left[name] == right[name]} for name in left]


def _differences(left: str, right: str) -> list[dict[str, str]]:
    """The lines of two texts: `-` is of the first alone, `+` of the second alone."""
    if left == right:
        return []
    lines = difflib.ndiff(left.splitlines(), right.splitlines())
    return [{"mark": line[:1].strip(), "text": line[2:]} for line in lines if not line.startswith("?")]

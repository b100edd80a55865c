"""The page of a question's run: what happens as it happens, the question back, the answer and what it rests on."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from backedge.ask.answer import rows_of
from backedge.ask.following import THREAD
from backedge.ask.picture import picture
from backedge.kernel.defect import Permanent
from backedge.kernel.drive import NotAsked, OfferRefused
from backedge.kernel.ports import Head
from backedge.query.csv_text import csv_text
from backedge.query.table import Table
from backedge.web.answer_view import answer_view, kinds_of, plain_sql
from backedge.web.events import following
from backedge.web.pages.ask import asking_of
from backedge.web.pages.runs import run_view, seen
from backedge.web.people import Person
from backedge.web.problems import Problem, not_found, problem_of
from backedge.web.rendering import exact
from backedge.web.services import Asked
from backedge.web.site import Site
from backedge.web.trace import trace

ASK = "ask"
THREADED = 200  # runs that are looked through for those of a thread
PARQUET = "application/vnd.apache.parquet"


async def answer_page(
    site: Site, request: Request, person: Person, head: Head, refused: Problem | None = None, **more: Any
) -> Response:
    """The page of a run of ask."""
    found = await answer_data(site, person, head, page_number(request))
    said = {
        "kind": request.query_params.get("kind", ""),
        "link": "",
        "shared": False,
        "base": f"/runs/{head.id}",
        **more,
    }
    status = refused.status if refused else 200
    return site.render(request, "answer.html", found, person, status=status, refused=refused, **said)


async def answer_data(site: Site, person: Person | None, head: Head, page: int = 1) -> dict[str, Any]:
    """All that the page of an answer shows."""
    asking, runs = asking_of(site), site.services.runs
    run, entries = await runs.load(head.id), await runs.entries(head.id)
    form = await asking.form(head.id)
    lines = trace(entries)
    feedback = await asking.kept("feedback", f"{head.id}/")
    shares, ended = await asking.kept("share", f"{head.id}/"), await asking.kept("unshare", f"{head.id}/")
    gone = {record.key for record in ended}
    return {
        **await run_view(site, head),
        **answer_view(form, page),
        "trace": [asdict(line) for line in lines],
        "last": lines[-1].seq if lines else -1,
        "kinds": list(kinds_of(run, form)),
        "sql": plain_sql(form, asking.dialect(form["database"] or "")),
        "thread": await _thread(site, person, head, form["thread"]) if person else [],
        "feedback": [record.body for record in feedback],
        "shares": [{"key": record.key, "by": record.body["by"]} for record in shares if record.key not in gone],
    }


def page_number(request: Request) -> int:
    """The page of rows that is asked for; the first where that is no number."""
    given = request.query_params.get("page", "1")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 9 else 1


async def _thread(site: Site, person: Person, head: Head, thread: str) -> list[dict[str, Any]]:
    """The questions of a thread, oldest first; the first one alone is no thread."""
    heads = await site.services.runs.heads(workflow=ASK, limit=THREADED)
    found = [each for each in heads if each.id == thread or each.labels.get(THREAD) == thread]
    if all(each.id != head.id for each in found):
        found.append(head)
    lines = []
    for each in sorted(found, key=lambda each: (each.created, each.id)):
        run = await site.services.runs.load(each.id)
        if each.parent is None and person.may_see(run.context.by):
            lines.append({"id": each.id, "asked": each.labels.get("asked", ""), "status": each.status})
    return lines if len(lines) > 1 else []


def routes(site: Site) -> APIRouter:
    """What is below `/runs/{id}` of a question."""
    router = APIRouter()
    _said(site, router)
    _rows(site, router)
    _charts(site, router)

    @router.get("/runs/{run_id}/events", include_in_schema=False)
    async def events(request: Request, run_id: str, after: int = Query(-1, ge=-1)) -> Response:
        person = await site.allowed(request, "see")
        head = await seen(site, person, run_id)
        last = request.headers.get("last-event-id", "")
        after = int(last) if last.isascii() and last.isdigit() and len(last) < 10 else after
        headers = {"X-Accel-Buffering": "no", "Cache-Control": "no-cache"}
        return StreamingResponse(_stream(site, head, after), media_type="text/event-stream", headers=headers)

    return router


def _said(site: Site, router: APIRouter) -> None:
    """What a person says to a run: answers, and SQL of their own."""

    @router.post("/runs/{run_id}/answers", include_in_schema=False)
    async def answer(request: Request, run_id: str) -> Response:
        person = await site.allowed(request, "ask")
        head = await seen(site, person, run_id)
        form = await request.form()
        values = tuple(str(form[name]) for name in sorted(form, key=_place) if name.startswith("value-"))
        seq = str(form.get("seq", ""))
        try:
            asked = int(seq) if seq.isascii() and seq.isdigit() else None
            await asking_of(site).answer(head.id, values, by=person.name, asked=asked)
        except (NotAsked, OfferRefused) as error:
            return await answer_page(site, request, person, head, problem_of(error))
        return RedirectResponse(f"/runs/{head.id}", 303)

    @router.post("/runs/{run_id}/sql", include_in_schema=False)
    async def edit(request: Request, run_id: str, sql: str = Form("")) -> Response:
        person = await site.allowed(request, "ask")
        head = await seen(site, person, run_id)
        form = await asking_of(site).form(head.id)
        if not sql.strip():
            refused = Problem(422, "no_sql", "there is no SQL to run", "write a SELECT")
            return await answer_page(site, request, person, head, refused)
        database = form["database"] or ""
        asked = Asked(
            form["asked"], person.name, person.attributes, head.labels.get("agent", ""), sql=sql, database=database
        )
        return RedirectResponse(f"/runs/{await asking_of(site).ask(asked)}", 303)


def _place(name: str) -> int:
    number = name.removeprefix("value-")
    return int(number) if number.isdigit() else -1


async def _table(site: Site, request: Request, run_id: str) -> tuple[Head, Table]:
    """The rows of a run that the person may see. Raises `Refusal` (404) where it has none."""
    person = await site.allowed(request, "see")
    head = await seen(site, person, run_id)
    ran = rows_of((await site.services.runs.load(head.id)).state) if head.workflow == ASK else None
    if ran is None:
        raise not_found(f"run {head.id} has no rows", "look at the run")
    return head, ran.table


def _rows(site: Site, router: APIRouter) -> None:
    """The rows of an answer as files."""

    @router.get("/runs/{run_id}/result.csv", include_in_schema=False)
    async def as_csv(request: Request, run_id: str) -> Response:
        head, table = await _table(site, request, run_id)
        return _download(csv_text(table).encode(), "text/csv; charset=utf-8", f"{head.id}.csv")

    @router.get("/runs/{run_id}/result.parquet", include_in_schema=False)
    async def as_parquet(request: Request, run_id: str) -> Response:
        head, table = await _table(site, request, run_id)
        return _download(await asking_of(site).parquet(table), PARQUET, f"{head.id}.parquet")


def _charts(site: Site, router: APIRouter) -> None:
    """The charts of an answer, and their pictures."""

    async def charts(request: Request, run_id: str) -> tuple[Head, dict[str, Any], dict[str, dict[str, Any]]]:
        head, _ = await _table(site, request, run_id)
        form = await asking_of(site).form(head.id)
        kinds = kinds_of(await site.services.runs.load(head.id), form)
        if not kinds:
            raise not_found(f"run {head.id} has no chart", "its table is the answer")
        return head, form, kinds

    @router.get("/runs/{run_id}/chart.json", include_in_schema=False)
    async def spec(request: Request, run_id: str, kind: str = "") -> Response:
        _, _, kinds = await charts(request, run_id)
        return exact(one_kind(kinds, kind))

    @router.get("/runs/{run_id}/chart.svg", include_in_schema=False)
    async def svg(request: Request, run_id: str, kind: str = "") -> Response:
        head, form, kinds = await charts(request, run_id)
        drawn = picture({**form, "chart": one_kind(kinds, kind)})
        assert drawn is not None
        return _download(await asking_of(site).picture(drawn, "svg"), "image/svg+xml", f"{head.id}.svg")

    @router.get("/runs/{run_id}/chart.png", include_in_schema=False)
    async def png(request: Request, run_id: str, kind: str = "") -> Response:
        head, form, kinds = await charts(request, run_id)
        drawn = picture({**form, "chart": one_kind(kinds, kind)})
        assert drawn is not None
        return _download(await asking_of(site).picture(drawn, "png"), "image/png", f"{head.id}.png")


def one_kind(kinds: dict[str, dict[str, Any]], kind: str) -> dict[str, Any]:
    """The chart of a kind; the drawn one for none. Raises `Permanent` where the answer is not drawn so."""
    if not kind:
        return next(iter(kinds.values()))
    if kind not in kinds:
        raise Permanent(f"this answer is not drawn as {kind}", mend=f"it can be: {', '.join(kinds)}")
    return kinds[kind]


def _download(content: bytes, media: str, name: str) -> Response:
    return Response(content, headers={"Content-Disposition": f'attachment; filename="{name}"'}, media_type=media)


async def _stream(site: Site, head: Head, after: int) -> AsyncIterator[str]:
    """The lines behind `after` as server-sent events, whose ids are their places; `status` when it rests or goes on.

    A cut stream is taken up behind the last id that was read: nothing is told twice, and nothing is left out.
    """
    runs = site.services.runs
    status = ""
    async for found in following(runs, head.id, after):
        new = {event.seq for event in found}
        lines = [line for line in trace(await runs.entries(head.id)) if line.seq in new] if new else []
        for line in lines:
            yield _event(site.render.text("trace_line.html", line=line), line.seq)
        now = (await runs.head(head.id)).status
        if now != status:
            status = now
            yield f"event: status\ndata: {json.dumps(status)}\n\n"
        if not found:
            yield ": still here\n\n"
    yield "event: done\ndata: {}\n\n"


def _event(text: str, seq: int) -> str:
    body = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"id: {seq}\n{body}\n"

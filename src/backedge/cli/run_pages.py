"""What `backedge runs` prints: the list, one run, its entries."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import cast

from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

from backedge.ask.answer import Found
from backedge.ask.attempts import prompts_of
from backedge.ask.following import THREAD
from backedge.assemble import EVIDENCE, App, followed, head_of, is_unasked, open_app, open_store
from backedge.cli.attempts_page import print_attempts
from backedge.cli.show import next_step, show
from backedge.kernel.journal import entry_to_json
from backedge.kernel.ports import Head, Store
from backedge.kernel.provenance import activities
from backedge.kernel.run import Status
from backedge.query.exact_json import dumps

PAGE = 200


@asynccontextmanager
async def _store(folder: Path) -> AsyncIterator[Store]:
    store = open_store(folder)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def _app(folder: Path, run_id: str) -> AsyncIterator[App]:
    app = open_app(folder, (await head_of(folder, run_id)).labels.get("agent"))
    try:
        yield app
    finally:
        await app.close()


async def list_runs(
    folder: Path, as_json: bool, status: str | None, limit: int, before: str | None, thread: str | None
) -> None:
    """Print the heads of runs, newest first."""
    heads = await _heads(folder, status, limit, before, thread)
    if as_json:
        print(dumps([_head(head) for head in heads], 2))
        return
    if not heads:
        print('There are no runs here yet; start with: backedge ask "…"')
        return
    table = Table(
        Column("run", no_wrap=True, min_width=12),
        "status",
        Column("asked", no_wrap=True, overflow="ellipsis"),
        "updated",
    )
    for head in heads:
        updated = head.updated.astimezone().strftime("%Y-%m-%d %H:%M")
        asked = head.labels.get("asked") or (f"(part of {head.parent.run_id})" if head.parent else "")
        table.add_row(head.id, head.status, Text(" ".join(asked.split())), updated)
    Console(highlight=False).print(table)


async def _heads(
    folder: Path, status: str | None, limit: int, before: str | None, thread: str | None
) -> tuple[Head, ...]:
    if is_unasked(folder):
        return ()
    kind = cast(Status | None, status)
    async with _store(folder) as store:
        if thread is None:
            return await store.heads(status=kind, limit=limit, before=before)
        named = await followed(store, thread)
        root = named.labels.get(THREAD, named.id)
        return await _of_thread(store, root, kind, limit, before)


async def _of_thread(
    store: Store, root: str, status: Status | None, limit: int, before: str | None
) -> tuple[Head, ...]:
    """The runs of one thread, from the newest to the one that it began with."""
    found: list[Head] = []
    while len(found) < limit and (page := await store.heads(status=status, limit=PAGE, before=before)):
        found += [head for head in page if root in (head.id, head.labels.get(THREAD))]
        before = page[-1].id
        if any(head.id == root for head in page):
            break
    return tuple(found[:limit])


def _head(head: Head) -> Found:
    return {
        "run_id": head.id,
        "workflow": head.workflow,
        "status": head.status,
        "state": head.state,
        "entries": head.seq,
        "created": _iso(head.created),
        "updated": _iso(head.updated),
        "wake_at": _iso(head.wake_at) if head.wake_at else None,
        "parent": head.parent.run_id if head.parent else None,
        "labels": dict(head.labels),
    }


def _iso(at: datetime) -> str:
    return at.isoformat()


async def show_run(folder: Path, run_id: str, as_json: bool, prompts: bool) -> None:
    """Print one run: its answer form, then each attempt, and with `prompts` what models were sent and replied."""
    if (head := await head_of(folder, run_id)).workflow in EVIDENCE:
        from backedge.cli.evidence_run_page import show_evidence_run

        await show_evidence_run(folder, head.id, as_json, prompts)
        return
    async with _app(folder, run_id) as app:
        run = await app.driver.load(run_id)
        if run.workflow.name == "automation":
            from backedge.automations.report import report
            from backedge.cli.automating import told

            made = report(run, await app.store.read(run.id))
            print(dumps(made, 2) if as_json else told(made))
            return
        found, parts = await app.answer(run), await app.parts(run)
        if prompts:
            found["prompts"] = prompts_of(activities(await app.store.read(run.id)))
    if as_json:
        print(dumps(found, 2))
        return
    console = Console(highlight=False)
    console.print(f"[dim]asked[/]  {escape(found['asked'])}")
    if found["after"]:
        console.print(f"[dim]after[/]  {found['after']} (thread {found['thread']})", highlight=False, soft_wrap=True)
    if found["asked_as"]:
        given = "; ".join(f"{name} = {', '.join(values)}" for name, values in found["asked_as"].items())
        console.print(f"[dim]   as[/]  {escape(given)}", highlight=False, soft_wrap=True)
    show(run, found, console, parts=parts)
    console.print()
    console.print(f"[dim]states[/]  {' → '.join(found['states'])}", soft_wrap=True)
    print_attempts(found, console)
    if step := next_step(found, folder):
        console.print(step, soft_wrap=True, markup=False)


async def print_events(folder: Path, run_id: str) -> None:
    """Print the journal."""
    head = await head_of(folder, run_id)
    async with _store(folder) as store:
        for stored in await store.read(head.id):
            entry = json.loads(entry_to_json(stored.entry))
            line = {"run_id": head.id, "seq": stored.seq, "at": stored.at.isoformat(), **entry}
            print(json.dumps(line, ensure_ascii=False))


async def cancel_run(folder: Path, run_id: str, by: str, reason: str) -> bool:
    """Cancel it; whether anything changed."""
    if (head := await head_of(folder, run_id)).workflow in EVIDENCE:
        from backedge.cli.evidence_run_page import cancel_evidence_run

        return await cancel_evidence_run(folder, head.id, by, reason)
    async with _app(folder, run_id) as app:
        before = await app.driver.load(run_id)
        after = await app.driver.cancel(run_id, by=by, reason=reason)
    return after.seq > before.seq

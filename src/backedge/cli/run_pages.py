"""What `backedge runs` prints: the list, one run with its attempts, its entries."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import cast

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from backedge.ask.answer import Found
from backedge.assemble import App, open_app, open_store
from backedge.cli.exact_json import dumps
from backedge.cli.show import show
from backedge.kernel.journal import entry_to_json
from backedge.kernel.ports import Head, Store
from backedge.kernel.run import Status


@asynccontextmanager
async def _store(folder: Path) -> AsyncIterator[Store]:
    store = open_store(folder)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def _app(folder: Path, run_id: str) -> AsyncIterator[App]:
    async with _store(folder) as store:
        agent = (await store.head(run_id)).labels.get("agent")
    app = open_app(folder, agent)
    try:
        yield app
    finally:
        await app.close()


async def list_runs(folder: Path, as_json: bool, status: str | None, limit: int, before: str | None) -> None:
    """Print the heads of runs, newest first."""
    async with _store(folder) as store:
        heads = await store.heads(status=cast(Status | None, status), limit=limit, before=before)
    if as_json:
        print(dumps([_head(head) for head in heads], 2))
        return
    if not heads:
        print('There are no runs here yet; start with: backedge ask "…"')
        return
    table = Table("run", "workflow", "status", "state", "entries", "updated")
    for head in heads:
        updated = head.updated.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        table.add_row(head.id, head.workflow, head.status, head.state, str(head.seq), updated)
    Console(highlight=False).print(table)


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


async def show_run(folder: Path, run_id: str, as_json: bool) -> None:
    """Print one run: its answer form, then each attempt."""
    async with _app(folder, run_id) as app:
        run = await app.driver.load(run_id)
        found = await app.answer(run)
    if as_json:
        print(dumps(found, 2))
        return
    console = Console(highlight=False)
    console.print(f"[dim]asked[/]  {escape(found['asked'])}")
    show(run, found, console)
    console.print()
    console.print(f"[dim]states[/]  {' → '.join(found['states'])}", soft_wrap=True)
    table = Table("stage", "attempt", "outcome", "ms", "by", "why")
    for attempt in found["attempts"]:
        why = "; ".join(d["message"] for d in attempt.get("defects", ())) or attempt.get("message", "")
        row = (attempt["stage"], str(attempt["attempt"]), attempt["outcome"], str(attempt["ms"]), attempt.get("by", ""))
        table.add_row(*row, escape(why))
    console.print(table)


async def print_events(folder: Path, run_id: str) -> None:
    """Print the journal."""
    async with _store(folder) as store:
        head = await store.head(run_id)
        for stored in await store.read(head.id):
            entry = json.loads(entry_to_json(stored.entry))
            line = {"run_id": head.id, "seq": stored.seq, "at": stored.at.isoformat(), **entry}
            print(json.dumps(line, ensure_ascii=False))


async def cancel_run(folder: Path, run_id: str, by: str, reason: str) -> bool:
    """Cancel it; whether anything changed."""
    async with _app(folder, run_id) as app:
        before = await app.driver.load(run_id)
        after = await app.driver.cancel(run_id, by=by, reason=reason)
    return after.seq > before.seq

"""`backedge runs wake`: goes on with every waiting run whose time has come, so that its default is taken."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from backedge.ask.answer import status_of
from backedge.assemble import is_unasked, open_app, open_store
from backedge.cli.exits import ANSWERED, FAILED
from backedge.cli.trace import tracer
from backedge.kernel.defect import Failure
from backedge.kernel.ports import Head, Store, Taken
from backedge.query.exact_json import dumps

PAGE = 200


async def wake_runs(folder: Path, as_json: bool, quiet: bool) -> int:
    """Drive them one after the other; the exit code says whether each could be driven."""
    due = [] if is_unasked(folder) else await _due(folder)
    done, failed = [], 0
    for head in due:
        try:
            done.append({"run_id": head.id, "status": await _drive(folder, head, quiet)})
        except (Taken, Failure) as error:
            failed += 1
            print(f"backedge: {head.id}: {error}", file=sys.stderr)
    if as_json:
        print(dumps(done, 2))
    else:
        print("\n".join(f"{run['run_id']}  {run['status']}" for run in done) or "No run's time has come.")
    return FAILED if failed else ANSWERED


async def _due(folder: Path) -> list[Head]:
    """The runs to drive: those that started the due ones, if a run did."""
    store, now = open_store(folder), datetime.now(UTC)
    try:
        found: dict[str, Head] = {}
        before = None
        while page := await store.heads(status="waiting", limit=PAGE, before=before):
            for head in page:
                if head.wake_at is not None and head.wake_at <= now:
                    root = await _root(store, head)
                    found[root.id] = root
            before = page[-1].id
        return list(found.values())
    finally:
        await store.close()


async def _root(store: Store, head: Head) -> Head:
    """The run at the top: driving it drives all below that wait. One that is over waits for nothing any more."""
    while head.parent is not None and (parent := await store.head(head.parent.run_id)).status in ("waiting", "running"):
        head = parent
    return head


async def _drive(folder: Path, head: Head, quiet: bool) -> str:
    app = open_app(folder, head.labels.get("agent"), watch=None if quiet else tracer())
    try:
        run = await app.driver.drive(head.id)
        return run.status if run.workflow.name == "automation" else status_of(run)
    finally:
        await app.close()

"""What `backedge runs show`, `retry` and `cancel` do with a run of an evidence workflow, which opens evidence.yml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from backedge.ask.attempts import attempt_of, prompts_of, usage_of
from backedge.assembling.opening_evidence import open_evidence
from backedge.cli.attempts_page import print_attempts
from backedge.cli.investigate_page import retry_investigations
from backedge.cli.session import who
from backedge.cli.sources_page import retry_sources
from backedge.kernel.journal import Moved, Stored
from backedge.kernel.ports import Head
from backedge.kernel.provenance import activities
from backedge.kernel.run import Run
from backedge.query.exact_json import dumps

INVESTIGATING = ("investigate", "inquire")


async def show_evidence_run(folder: Path, run_id: str, as_json: bool, prompts: bool) -> None:
    """Print one run: where it is, each attempt, and the runs it started; with `prompts` what models were sent."""
    app = open_evidence(folder)
    try:
        run = await app.driver.load(run_id)
        entries = await app.store.read(run.id)
        data = _data(run, entries)
        data["children"] = [_child(await app.store.head(child)) for child in data["children"]]
    finally:
        await app.close()
    if prompts:
        data["prompts"] = prompts_of(activities(entries))
    if as_json:
        print(dumps(data, 2))
        return
    console = Console(highlight=False)
    console.print(f"[dim]asked[/]  {escape(data['asked'])}", soft_wrap=True)
    console.print(f"[dim]states[/]  {' → '.join(data['states'])}  ({data['status']})", soft_wrap=True)
    if data["why"]:
        console.print(f"{data['why']}{'; ' * bool(data['mend'])}{data['mend']}", soft_wrap=True, markup=False)
    print_attempts(data, console)
    for child in data["children"]:
        console.print(f"[dim]started[/]  {child['run_id']}  {child['status']}  {child['state']}", soft_wrap=True)


def _child(head: Head) -> dict[str, Any]:
    return {"run_id": head.id, "workflow": head.workflow, "status": head.status, "state": head.state}


def _data(run: Run, entries: tuple[Stored, ...]) -> dict[str, Any]:
    done = activities(entries)
    stopped = run.stopped
    return {
        "run_id": run.id,
        "workflow": run.workflow.name,
        "status": run.status,
        "states": list(run.trail),
        "asked": run.labels.get("asked", ""),
        "labels": dict(run.labels),
        "parent": run.parent.run_id if run.parent else None,
        "why": stopped.reason if stopped else "",
        "mend": stopped.mend if stopped else "",
        "can_go_on": run.status == "running" or (stopped is not None and stopped.resumable),
        "attempts": [attempt_of(activity) for activity in done],
        "usage": usage_of(done),
        "children": [child for stored in entries if isinstance(stored.entry, Moved) for child in stored.entry.children],
    }


async def retry_evidence_run(folder: Path, run_id: str, workflow: str, as_json: bool) -> int:
    """Go on with a run as its own command does: an ingest with its parts and records; its exit code."""
    if workflow in INVESTIGATING:
        return await retry_investigations(folder, run_id, who(), as_json)
    return await retry_sources(folder, (run_id,), who(), as_json)


async def cancel_evidence_run(folder: Path, run_id: str, by: str, reason: str) -> bool:
    """Cancel it; whether anything changed."""
    app = open_evidence(folder)
    try:
        before = await app.driver.load(run_id)
        after = await app.driver.cancel(run_id, by=by, reason=reason)
    finally:
        await app.close()
    return after.seq > before.seq

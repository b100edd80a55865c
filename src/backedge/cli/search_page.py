"""What `backedge search` does and prints."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from backedge.assembling.opening_evidence import open_evidence
from backedge.assembling.search_views import search_data
from backedge.cli.lines import one_line
from backedge.evidence import kinds
from backedge.evidence.chunks import Snapshot
from backedge.evidence.saved_searches import SavedSearch
from backedge.evidence.watch.states import Seen
from backedge.kernel.defect import Permanent
from backedge.kernel.run import Run
from backedge.query.exact_json import dumps

SNIPPET = 240
ALL = "all"
ARMS = {"lexical": "words", "semantic": "meaning"}
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


async def search(folder: Path, query: str, limit: int, arm: str, snapshot: str, as_json: bool) -> None:
    """Print what is found, and the snapshot by which it is found again."""
    at = _snapshot(snapshot)
    app = open_evidence(folder)
    try:
        data = await search_data(app, query, limit, arm, at)
    finally:
        await app.close()
    by_words = app.embedder is None
    if as_json:
        click.echo(dumps(data, 2))
        return
    hits, name = data["hits"], data["snapshot"]
    for hit in hits:
        _print_hit(hit)
    if not hits:
        click.echo("nothing is found")
    if by_words:
        click.echo("found by words alone: there is no embedder (pip install 'backedge[embed]')", err=True)
    click.echo(f"snapshot {name}")


def _print_hit(hit: dict[str, Any]) -> None:
    unusable = "" if hit["eligible"] else "  (may not be used)"
    ranks = ", ".join(f"{ARMS[name]} {each['rank']}" for name, each in hit["arms"].items() if name in ARMS)
    title = one_line(hit["title"] or hit["source"], SNIPPET)
    click.echo(f"{hit['rank']}. {title}  [{hit['role']} {hit['section']}]{f'  ({ranks})' if ranks else ''}{unusable}")
    click.echo(f"   {hit['source']} {hit['start']}-{hit['end']}: {one_line(hit['text'], SNIPPET)}")


def _snapshot(text: str) -> Snapshot | None:
    index, _, revision = text.partition(":")
    if not text:
        return None
    if not index or not revision.isdigit():
        raise Permanent(f"{text!r} is no snapshot", mend="copy INDEX:REVISION from what an earlier search printed")
    return Snapshot(index, int(revision))


async def save(folder: Path, name: str, query: str, targets: tuple[str, ...], by: str, as_json: bool) -> None:
    """Keep a search, and print what its first look finds."""
    if not NAME.fullmatch(name) or name == ALL:
        raise Permanent(f"a search cannot be called {name!r}", mend="name it with letters, digits, - _ . and not 'all'")
    app = open_evidence(folder)
    try:
        if await app.library.all(kinds.LOOKED, f"{name}/"):
            raise Permanent(
                f"there is a saved search {name!r} already", mend=f"look again: backedge search --new {name}"
            )
        run = await app.watch(SavedSearch(name, query, targets, by))
    finally:
        await app.close()
    _print_seen([run], as_json)


async def look_again(folder: Path, name: str, by: str, as_json: bool) -> None:
    """Print what saved searches find that no look before found."""
    app = open_evidence(folder)
    try:
        looked = await app.library.all(kinds.LOOKED, "" if name == ALL else f"{name}/")
        saved = {look.saved.name: look.saved for look in looked}
        if not saved:
            said = "there is no saved search" if name == ALL else f"there is no saved search {name!r}"
            raise Permanent(said, mend='save one: backedge search "words" --save NAME')
        runs = [await app.watch(SavedSearch(s.name, s.query, s.targets, by)) for s in saved.values()]
    finally:
        await app.close()
    _print_seen(runs, as_json)


def _print_seen(runs: list[Run], as_json: bool) -> None:
    seen: list[dict[str, Any]] = []
    for run in runs:
        if not isinstance(run.state, Seen):
            stopped = run.stopped
            raise Permanent(
                stopped.reason if stopped else f"run {run.id} is not done", mend=stopped.mend if stopped else ""
            )
        seen += [
            {"search": run.state.saved.name, "target": found.target, "new": list(found.ids), "at": found.at}
            for found in run.state.new
        ]
    if as_json:
        click.echo(dumps({"looks": seen}, 2))
        return
    for each in seen:
        click.echo(f"{each['search']} in {each['target']}: {', '.join(each['new']) or 'nothing new'}")


async def rebuild(folder: Path, as_json: bool) -> None:
    """Make the search view anew, and print its snapshot."""
    app = open_evidence(folder)
    try:
        snapshot = await app.rebuild_view()
    finally:
        await app.close()
    name = f"{snapshot.index}:{snapshot.revision}"
    click.echo(dumps({"snapshot": name}, 2) if as_json else f"made anew; snapshot {name}, older ones are gone")

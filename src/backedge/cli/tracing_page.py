"""What `backedge trace` and `backedge verify` print."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.assembling.tracing import traced
from backedge.assembling.verifying import verified_again
from backedge.cli.exits import ANSWERED, FAILED
from backedge.cli.investigate_page import opened
from backedge.cli.lines import plain
from backedge.evidence.exporting.reverified import reverified_text
from backedge.evidence.exporting.trace_form import trace_json, trace_text
from backedge.query.exact_json import dumps


async def trace_words(folder: Path, words: str, investigation: str, as_json: bool) -> int:
    """Print what words rest on; the exit code."""
    async with opened(folder) as (app, investigations):
        key = (await investigations.named(investigation)).id if investigation else None
        found = await traced(words, key, app.library, app.contents, app.project.tables)
    click.echo(dumps(trace_json(found), 2) if as_json else plain(trace_text(found)), nl=as_json)
    return FAILED if found.broken else ANSWERED


async def verify_run(folder: Path, run: str, as_json: bool) -> int:
    """Print what a check of everything came to; the exit code."""
    async with opened(folder) as (app, investigations):
        found = await verified_again((await investigations.named(run)).id, app)
    click.echo(dumps(found.as_data(), 2) if as_json else plain(reverified_text(found)), nl=as_json)
    return ANSWERED if found.holds else FAILED

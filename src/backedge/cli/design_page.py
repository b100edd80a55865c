"""What `backedge design` does and prints."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.investigate_page import opened, print_standing
from backedge.cli.lines import plain
from backedge.cli.session import project_flag
from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.designs import Approval, Design
from backedge.evidence.exporting.design_diff import changes_between, diff_text
from backedge.evidence.exporting.design_markdown import to_markdown
from backedge.evidence.exporting.design_view import DesignView, design_view, to_json
from backedge.evidence.library import Library
from backedge.kernel.defect import Permanent
from backedge.query.exact_json import dumps


async def show_design(folder: Path, run: str, version: int | None, as_json: bool) -> None:
    """Print a version of the design."""
    async with opened(folder) as (app, investigations):
        key = (await investigations.named(run)).id
        view = await design_view(key, app.library, app.contents, version, app.project.tables)
    if as_json:
        click.echo(dumps(to_json(view), 2))
        return
    click.echo(plain(to_markdown(view)))
    _print_next(view, project_flag(folder))


def _print_next(view: DesignView, flag: str) -> None:
    if not view.approved and view.version == view.newest:
        click.echo(f"next: backedge design approve {view.investigation} --version {view.version} --because …{flag}")
        click.echo(f"      backedge design request-changes {view.investigation} CHANGE … --because …{flag}")


async def show_changes(folder: Path, run: str, old: int | None, new: int | None, as_json: bool) -> None:
    """Print what changed between two versions."""
    async with opened(folder) as (app, investigations):
        designs = await _designs((await investigations.named(run)).id, app.library)
        tables = app.project.tables
    if len(designs) < 2 and (old is None or new is None):
        raise Permanent(f"there is {len(designs)} version of this design: nothing to compare it with")
    later = designs[-1].version if new is None else new
    earlier = later - 1 if old is None else old
    found = changes_between(_of(designs, earlier), _of(designs, later), tables)
    click.echo(dumps(found, 2) if as_json else plain(diff_text(found)))


async def _designs(investigation: str, library: Library) -> tuple[Design, ...]:
    return tuple(each.design for each in await library.all(kinds.DESIGN, f"{investigation}/"))


def _of(designs: tuple[Design, ...], version: int) -> Design:
    found = next((design for design in designs if design.version == version), None)
    if found is None:
        known = ", ".join(str(design.version) for design in designs) or "none"
        raise Permanent(f"there is no version {version}", mend=f"there are versions {known}")
    return found


async def decide_design(
    folder: Path, run: str, version: int | None, because: str, changes: tuple[str, ...], by: str, as_json: bool
) -> int:
    """Offer an approval, or changes, and print how the investigation stands then; the exit code."""
    async with opened(folder) as (app, investigations):
        found = await investigations.named(run)
        designs = await _designs(found.id, app.library)
        seen = version or (designs[-1].version if designs else 0)
        approval = Approval(seen, not changes, by, because, changes)
        done = await investigations.approve(found, approval)
        return await print_standing(investigations, done, folder, as_json)

"""What `backedge init` prints: what was found, what it was not sure of, what was written, and what to ask first."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from backedge.cli.init_project import Drafted
from backedge.cli.session import project_flag
from backedge.semantic.draft import Draft


def print_found(found: Drafted, folder: Path) -> None:
    """Print it all on stdout."""
    for line in _page(found, folder):
        click.echo(line)


def _page(found: Drafted, folder: Path) -> Iterator[str]:
    yield f"Read {_many(len(found.drafts), 'table')} of {found.data}, every row:"
    width = max(len(draft.view.name) for draft in found.drafts)
    for draft in found.drafts:
        yield f"  {draft.view.name:<{width}}  {_facts(draft)}"
    yield from _listed("Joins, every value checked:", [line for draft in found.drafts for line in _joins(draft, found)])
    yield from _listed("Not sure; look at the comments in the files:", _doubts(found))
    yield from _listed("Skipped:", [f"{table}: {why}" for table, why in found.measured.skipped])
    yield from _listed(f"Wrote, and `backedge validate` accepts, in {folder}:", found.written)
    yield from _listed("Left alone, though not drafted any more; remove them if you agree:", found.left)
    asks = [f"backedge ask{project_flag(folder)} {shlex.quote(question)}" for question in found.questions]
    yield from _listed("Try:", asks)


def _listed(title: str, lines: list[str] | tuple[str, ...]) -> Iterator[str]:
    if lines:
        yield ""
        yield title
        yield from (f"  {line}" for line in lines)


def _facts(draft: Draft) -> str:
    primary = draft.view.primary
    key = f"key {' + '.join(primary.keys)}" if primary else "no key"
    counts = (f"{draft.table.rows:>9,} rows", key, _many(len(draft.view.dimensions), "dimension"))
    return ", ".join([*counts, _many(len(draft.view.measures), "measure")])


def _joins(draft: Draft, found: Drafted) -> Iterator[str]:
    owners = {d.view.primary.name: d.view for d in found.drafts if d.view.primary}
    for entity in draft.view.entities:
        if entity.type == "foreign":
            other = owners[entity.name]
            mine, theirs = f"{draft.view.name}.{entity.keys[0]}", other.primary.keys[0] if other.primary else ""
            yield f"{mine} → {other.name}.{theirs}{f' as {entity.role}' if entity.role else ''}"


def _doubts(found: Drafted) -> list[str]:
    doubts = [doubt for draft in found.drafts for doubt in draft.doubts]
    for draft in found.drafts:
        if draft.maybe_measures:
            names = ", ".join(measure.name for measure, _ in draft.maybe_measures[:5])
            more = " …" if len(draft.maybe_measures) > 5 else ""
            doubts.append(f"{draft.view.name}: whether adding up means anything: {names}{more}")
        if draft.left_out:
            doubts.append(f"{draft.view.name}: left out {', '.join(name for name, _ in draft.left_out[:5])}")
        doubts += [f"{draft.view.name}: {note}" for note in draft.table.notes]
    return doubts


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"

"""Writes an investigation as an RO-Crate: request to approvals, the records and sources used, and their provenance."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from backedge.assembling.crate import LINES, About, Part, content_parts, record_parts, written
from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.exporting import exported
from backedge.assembling.investigation_lineage import investigation_lineage
from backedge.assembling.related_runs import made_by, started_by
from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.exporting.design_markdown import to_markdown
from backedge.evidence.exporting.design_view import design_view, to_json
from backedge.evidence.exporting.exported import Exported
from backedge.evidence.investigate.workflow import INVESTIGATE
from backedge.evidence.kinds import Kind
from backedge.evidence.views import request_of
from backedge.kernel.defect import Permanent
from backedge.kernel.ports import Head
from backedge.kernel.stage import Record

# Of each file its kind, and what it is. The rows of a file are in the order of their keys.
FILES: tuple[tuple[str, Kind[object], str], ...] = (  # type: ignore[assignment]
    ("facets.jsonl", kinds.FACETS_AT, "Facets after each change"),
    ("facet-changes.jsonl", kinds.CHANGED, "Every change of a facet"),
    ("round-trips.jsonl", kinds.TOLD, "Round trips over the facets"),
    ("facets-confirmed.jsonl", kinds.CONFIRMED, "Which facets were confirmed, and by whom"),
    ("questions.jsonl", kinds.QUESTIONS, "Questions, and facets that nothing investigates"),
    ("search-plans.jsonl", kinds.PLAN, "Search plans"),
    ("executions.jsonl", kinds.EXECUTION, "Executions with their snapshots and hits"),
    ("sorted.jsonl", kinds.SORTED, "What of the hits may be used, and why the others may not"),
    ("gaps.jsonl", kinds.GAP, "Coverage gaps"),
    ("resolved.jsonl", kinds.RESOLVED, "Hits that were resolved"),
    ("assessments.jsonl", kinds.ASSESSMENT, "Assessments"),
    ("sufficiency.jsonl", kinds.SUFFICIENCY, "Whether the evidence suffices"),
    ("packages.jsonl", kinds.PACKAGE, "Packages by the hash of what is in them"),
    ("candidates.jsonl", kinds.CANDIDATES, "Approaches and their comparison"),
    ("approach-decisions.jsonl", kinds.DECISION, "Decisions on the approaches"),
    ("designs.jsonl", kinds.DESIGN, "Every version of the design"),
    ("approvals.jsonl", kinds.APPROVAL, "Decisions on versions of the design"),
)


async def investigation_crate(app: EvidenceApp, investigation: str, out: Path, *, force: bool = False) -> None:
    """Write the crate at once or not at all; the same store gives the same bytes.

    Raises `Permanent` where the run is no investigation, the folder holds anything (with `force`: anything but a
    crate), or a library is missing.
    """
    head = await app.store.head(investigation)
    if head.workflow != INVESTIGATE.name:
        said = f"run {head.id} is no investigation, it is of the workflow {head.workflow}"
        raise Permanent(said, mend="backedge investigate list")
    rows = {kind.name: await _rows(app, kind, head.id) for _, kind, _ in FILES}
    told = _used(await exported(app, accepted_only=False), rows)
    runs = await started_by(app, (head.id, *await made_by(app, (each.version.content for each in told.versions))))
    heads = [await app.store.head(run_id) for run_id in sorted(runs)]
    name = f"Investigation {head.id}: {head.labels.get('asked', '')}".rstrip(": ")
    says = "Made by backedge export. Each content is named by its SHA-256; the designs say whether they are approved."
    about = About(name, says, max(each.updated for each in heads), told.versions)
    await written(out, about, _parts(app, head, rows, told, heads), force=force)


async def _rows(app: EvidenceApp, kind: Kind[object], investigation: str) -> tuple[Record, ...]:
    """The records of a kind that belong to the investigation."""
    found = await app.store.records(kind.name, under=investigation)
    return tuple(each for each in found if each.key == investigation or each.key.startswith(f"{investigation}/"))


def _used(told: Exported, rows: dict[str, tuple[Record, ...]]) -> Exported:
    """Of everything the records that were assessed or cited, and the versions that these are of or that were found."""
    keys = {kinds.ASSESSMENT.value(row).assessment.record for row in rows[kinds.ASSESSMENT.name]}
    for row in rows[kinds.DESIGN.name]:
        for section in kinds.DESIGN.value(row).design.sections:
            keys |= {key for citation in section.citations for key in citation.records}
    replaced = {each.record.key: each.record.replaces for each in told.records}
    keys |= set(_before(keys, replaced))
    records = tuple(each for each in told.records if each.record.key in keys)
    versions = {each.record.version for each in records}
    for row in rows[kinds.SORTED.name]:
        found = kinds.SORTED.value(row).sorted
        versions |= {hit.chunk.version for hit in found.eligible if hit.chunk is not None}
        versions |= {each.version for each in found.excluded}
    return Exported(tuple(each for each in told.versions if each.version.content in versions), records)


def _before(keys: Iterable[str], replaced: dict[str, str]) -> Iterable[str]:
    """The attempts before these records."""
    for key in keys:
        while key := replaced.get(key, ""):
            yield key


async def _parts(
    app: EvidenceApp, head: Head, rows: dict[str, tuple[Record, ...]], told: Exported, heads: list[Head]
) -> AsyncIterator[Part]:
    request = request_of(await app.driver.load(head.id))
    asked = {"investigation": head.id, "text": request.text, "by": request.by, "at": head.created.isoformat()}
    yield Part("request.json", _json(asked), "application/json", "The request")
    for name, kind, says in FILES:
        if rows[kind.name]:
            yield Part(name, "".join(map(_line, rows[kind.name])).encode("utf-8"), LINES, says)
    for row in rows[kinds.DESIGN.name]:
        number = kinds.DESIGN.value(row).design.version
        view = await design_view(head.id, app.library, app.contents, number, app.project.tables)
        says = f"Version {number} of the design: {view.mark}"
        yield Part(f"design-{number}.md", to_markdown(view).encode("utf-8"), "text/markdown", says)
        yield Part(f"design-{number}.json", _json(to_json(view)), "application/json", says)
    for part in record_parts(told, await investigation_lineage(app, request, rows, told, heads)):
        yield part
    async for part in content_parts(app, told):
        yield part


def _line(row: Record) -> str:
    return json.dumps({"key": row.key, "body": row.body}, ensure_ascii=False, sort_keys=True) + "\n"


def _json(body: object) -> bytes:
    return (json.dumps(body, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode("utf-8")

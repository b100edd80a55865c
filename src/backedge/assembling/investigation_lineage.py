"""How an investigation came about, as PROV-JSON: what led to what from the request to the approvals, and who did it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.lineage import MADE, Lineage
from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.designs import Design
from backedge.evidence.exporting.exported import Exported
from backedge.evidence.investigate.states import Request
from backedge.evidence.kinds import RECORD, Kind, numbered
from backedge.kernel.ports import Head
from backedge.kernel.stage import Record

REQUEST = "request"
Rows = Mapping[str, tuple[Record, ...]]
Used = Iterable[tuple[str, str]]
Led = Callable[[Any, Rows], Used]


async def investigation_lineage(
    app: EvidenceApp, request: Request, rows: Rows, told: Exported, heads: list[Head]
) -> str:
    """PROV-JSON. `rows` are the investigation's records by kind, `heads` the runs that it rests on.

    Each record has the SHA-256 of its body, is derived from what it was made of, and attributed to who decided it.
    """
    made = Lineage()
    for version in told.versions:
        made.version(version)
    for record in told.records:
        made.record(record)
    facts = {"be:sha256": hashlib.sha256(request.text.encode()).hexdigest(), "prov:label": "the request"}
    made.thing(REQUEST, request.key, facts, request.by)
    of_kinds = [(kind, led, row) for kind, led in LED.items() for row in rows.get(kind.name, ())]
    for kind, _, row in of_kinds:
        made.thing(kind.name, row.key, _facts(row), _by(kind.value(row)))
    for kind, led, row in of_kinds:
        made.led_to(led(kind.value(row), rows), kind.name, row.key)
    for old, new in pairwise(rows.get(kinds.DESIGN.name, ())):
        made.revision(kinds.DESIGN.name, new.key, old.key)
    for head in heads:
        made.run(head, await app.store.read(head.id))
        for name in (*(kind.name for kind in MADE), *(kind.name for kind in LED)):
            for row in await app.store.records(name, run_id=head.id):
                made.generated(head.id, name, row.key)
    return made.text()


def _facts(row: Record) -> dict[str, str]:
    body = json.dumps(row.body, ensure_ascii=False, sort_keys=True)
    return {"be:sha256": hashlib.sha256(body.encode()).hexdigest(), "prov:label": f"{row.kind} {row.key}"}


def _by(value: Any) -> str:
    """The person who made a record, where one did: a change, a decision, an approval, a judgement that was reviewed."""
    match value:
        case kinds.Changed():
            return value.change.by
        case kinds.Confirmed():
            return value.by
        case kinds.Chosen():
            return value.decision.by
        case kinds.ApprovalOf():
            return value.approval.by
        case kinds.Weighed():
            return value.sufficiency.reviewed_by
    return ""


def _inquiry(kind: Kind[Any], key: str, rows: Rows) -> Used:
    """The records of a kind that belong to an inquiry."""
    return [(kind.name, r.key) for r in rows.get(kind.name, ()) if r.key == key or r.key.startswith(f"{key}/")]


def _questions(inquiry: str) -> tuple[str, str]:
    return kinds.QUESTIONS.name, inquiry.partition("/")[0]


def _facets(value: kinds.FacetsAt, rows: Rows) -> Used:
    if value.number == 0:
        return [(REQUEST, value.investigation)]
    return [(kind.name, numbered(value.investigation, number)) for kind, number in _before(value.number)]


def _before(number: int) -> tuple[tuple[Kind[Any], int], ...]:
    return (kinds.FACETS_AT, number - 1), (kinds.CHANGED, number)


def _last_facets(value: kinds.Questions, rows: Rows) -> Used:
    return [(kinds.FACETS_AT.name, row.key) for row in rows.get(kinds.FACETS_AT.name, ())[-1:]]


def _package(value: kinds.Packaged, rows: Rows) -> Used:
    inquiry = f"{value.investigation}/{value.package.question.key}"
    records = [(RECORD.name, record.record) for record in value.package.records]
    return [*_inquiry(kinds.SUFFICIENCY, inquiry, rows), *_inquiry(kinds.GAP, inquiry, rows), *records]


def _design(value: kinds.DesignVersion, rows: Rows) -> Used:
    design: Design = value.design
    cited = [(RECORD.name, key) for s in design.sections for c in s.citations for key in c.records]
    return [(kinds.DECISION.name, value.investigation), (kinds.CANDIDATES.name, value.investigation), *cited]


# What each kind of record was made of: (kind, key) of records that are exported beside it.
LED: dict[Kind[Any], Led] = {
    kinds.FACETS_AT: _facets,
    kinds.CHANGED: lambda v, _: [(kinds.FACETS_AT.name, numbered(v.investigation, v.change.number - 1))],
    kinds.TOLD: lambda v, _: [
        (REQUEST, v.investigation),
        (kinds.FACETS_AT.name, numbered(v.investigation, v.number)),
    ],
    kinds.CONFIRMED: lambda v, _: [(kinds.FACETS_AT.name, numbered(v.investigation, v.number))],
    kinds.QUESTIONS: _last_facets,
    kinds.PLAN: lambda v, _: [_questions(v.inquiry)],
    kinds.EXECUTION: lambda v, rows: _inquiry(kinds.PLAN, v.inquiry, rows),
    kinds.SORTED: lambda v, rows: _inquiry(kinds.EXECUTION, v.inquiry, rows),
    kinds.GAP: lambda v, rows: [_questions(v.inquiry), *_inquiry(kinds.EXECUTION, v.inquiry, rows)],
    kinds.RESOLVED: lambda v, rows: _inquiry(kinds.SORTED, v.inquiry, rows),
    kinds.ASSESSMENT: lambda v, _: [_questions(v.inquiry), (RECORD.name, v.assessment.record)],
    kinds.SUFFICIENCY: lambda v, rows: [_questions(v.inquiry), *_inquiry(kinds.ASSESSMENT, v.inquiry, rows)],
    kinds.PACKAGE: _package,
    kinds.CANDIDATES: lambda v, rows: _inquiry(kinds.PACKAGE, v.investigation, rows),
    kinds.DECISION: lambda v, _: [(kinds.CANDIDATES.name, v.investigation)],
    kinds.DESIGN: _design,
    kinds.APPROVAL: lambda v, _: [(kinds.DESIGN.name, numbered(v.investigation, v.number))],
}

"""Facets, questions, records and assessments that fit all rules, for tests that break one."""

from __future__ import annotations

from typing import Any

from backedge.evidence.facets import FACETS, Facet, FacetName, FacetValue
from backedge.evidence.inquiry import (
    Applicability,
    Assessment,
    InvestigationQuestion,
    Relationship,
    Sufficiency,
    Wants,
)
from backedge.evidence.records import EvidenceRecord, Proposal, Quotation, Span


def facets(**confirmations: Any) -> tuple[Facet, ...]:
    """The eight with a value each, all confirmed but those named."""
    values = (FacetValue("a value", "reviewer"),)
    return tuple(Facet(row.name, row.importance, values, confirmations.get(row.name, "confirmed")) for row in FACETS)


def question(key: str = "q1", *names: FacetName, **fields: Any) -> InvestigationQuestion:
    """A question that is whole."""
    its: dict[str, Any] = {"answer_fields": ("size of the effect",), "decision": "which dose to use"} | fields
    return InvestigationQuestion(key, f"What of {key}?", names or ("endpoint",), wants=Wants(), **its)


def proposal(**fields: Any) -> Proposal:
    """A finding of what `wants()` asks for."""
    its: dict[str, Any] = {
        "kind": "finding",
        "statement": "Empagliflozin lowered systolic blood pressure.",
        "species": "male Wistar rats",
        "population": "male rats aged 12 weeks",
        "treatment": "empagliflozin 10 mg/kg",
        "comparator": "vehicle",
        "endpoint": "systolic blood pressure",
        "direction": "decrease",
        "effect": "12 mmHg",
        "units": "mmHg",
        "n": "12",
        "quotations": (Quotation("s1", "lowered systolic blood pressure"),),
    }
    return Proposal(**its | fields)


def wants(**fields: str) -> Wants:
    """What a question asks for, that `proposal()` gives."""
    its = {
        "species": "rat",
        "population": "adult male rats",
        "treatment": "empagliflozin",
        "comparator": "placebo",
        "endpoint": "systolic blood pressure",
    }
    return Wants(**its | fields)


def record(key: str, source: str = "s1", words: str = "lowered systolic blood pressure") -> EvidenceRecord:
    """A record with one span."""
    span = Span("v1", "t1", "s1", "results", 10, 10 + len(words), words, "", "")
    return EvidenceRecord(key, "v1", source, proposal(), ((span,),))


def assessed(
    key: str, relationship: Relationship = "supports", applies: Applicability = "direct", source: str = "s1"
) -> Assessment:
    """An assessment on which rules and model agree."""
    return Assessment(key, source, relationship, applies, applies, applies, "why")


def sufficiency(**fields: Any) -> Sufficiency:
    """A judgement of partial evidence that is whole."""
    its: dict[str, Any] = {
        "status": "partial",
        "assumptions": (),
        "critical_gaps": ("no dose above 10 mg/kg",),
        "coverage": "one dose of two",
    }
    return Sufficiency(**its | fields)

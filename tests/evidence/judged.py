"""Proposals and passages for tests: short to write, whole in what a rule looks at."""

from __future__ import annotations

from typing import Any

from backedge.evidence.flags import flags_of
from backedge.evidence.ports import Passage, Shown
from backedge.evidence.reading import Role
from backedge.evidence.records import Proposal, Quotation, Span

NOTHING: dict[str, Any] = {
    "kind": "finding",
    "species": "unknown",
    "population": "not stated",
    "treatment": "not stated",
    "comparator": "not stated",
    "endpoint": "not stated",
    "direction": "not_stated",
    "effect": "",
    "units": "",
    "n": "",
}


def proposal(statement: str, quoted: str = "", **fields: Any) -> Proposal:
    """A proposal that says only its statement, and what else is told."""
    told = {**NOTHING, "quotations": (Quotation("s1", quoted),), **fields}
    return Proposal(statement=statement, **told)


def passage(exact: str, role: Role = "results", before: str = "", after: str = "") -> Passage:
    """Quoted words with what stands around them."""
    return Passage(Span("v", "t", "s1", role, len(before), len(before) + len(exact), exact, "", ""), "", before, after)


def shown(text: str, role: Role = "methods") -> Shown:
    """A section that tells what groups and subjects are."""
    return Shown("s2", role, "", text)


def kinds(statement: str, *quoted: str, around: tuple[Shown, ...] = (), **fields: Any) -> set[str]:
    """The kinds of flags of a statement beside what is quoted, those for thin records left out."""
    found = flags_of(proposal(statement, **fields), tuple(passage(text) for text in quoted), around)
    return {flag.kind for flag in found if not flag.kind.startswith("thin_")}

"""The rules of sufficiency: what rests on one record alone, and what a model may not say of the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backedge.evidence.chances import chances_in
from backedge.evidence.inquiry import Assessment, CoverageGap, Sufficiency
from backedge.evidence.quoting import quoted_elsewhere
from backedge.kernel.defect import Defect

APPLIES = ("direct", "indirect")


def only_affirmative(assessments: Sequence[Assessment], studies: Mapping[str, str]) -> str:
    """The record that is the only affirmative evidence, or empty.

    Affirmative is what supports and applies. Records of one study count once: `studies` names the study of each source,
    so that a preprint and its article, or two reports of one trial, are one.
    """
    affirmative = [a for a in assessments if a.relationship == "supports" and a.applicability in APPLIES]
    found = {studies.get(a.source, a.source) for a in affirmative}
    return affirmative[0].record if len(found) == 1 else ""


def overstated(assessments: Sequence[Assessment], gaps: Sequence[CoverageGap], said: Sufficiency) -> Defect | None:
    """What the assessments do not bear: sufficient without direct support, or over open gaps; conflict unsaid."""
    if (loose := _loose(said)) is not None:
        return loose
    direct = [a for a in assessments if a.applicability == "direct"]
    supports = [a for a in direct if a.relationship == "supports"]
    contradicts = [a for a in direct if a.relationship == "contradicts"]
    if said.status == "sufficient" and not (supports or contradicts):
        hint = "say partial or insufficient, and name what is missing"
        return Defect("sufficient_without_direct", "no record is direct evidence", "status", hint)
    if said.status == "sufficient" and supports and contradicts:
        hint = "say conflicting or partial, and what the contradiction is"
        return Defect("conflict_unsaid", "direct records support and contradict", "status", hint)
    open_ = [gap for gap in gaps if gap.closed_by == 0]
    if said.status == "sufficient" and open_:
        return Defect("sufficient_over_gap", f"a gap is open: {open_[0].why}", "status", "say partial or insufficient")
    if said.status != "sufficient" and not any(gap.strip() for gap in said.critical_gaps):
        hint = "name what is missing for the decision"
        return Defect("gaps_missing", f"{said.status}, and no critical gap is named", "critical_gaps", hint)
    if not said.coverage.strip():
        return Defect("coverage_missing", "nothing is said of what is covered", "coverage", "say what is")
    return None


def _loose(said: Sufficiency) -> Defect | None:
    """What a judgement may not say at all: a chance of success, and words that it quotes and nobody can check."""
    for text in (said.coverage, *said.assumptions, *said.critical_gaps):
        if chances := chances_in(text):
            hint = "say what the records show and what is missing"
            return Defect("chance_of_success", f"a chance of success is stated: {chances[0].words!r}", "coverage", hint)
        if quoted := quoted_elsewhere(text, ()):
            hint = "say it in words of your own: the records are shown with their quotations"
            return Defect("judgement_quotes", f"{quoted[0][:60]!r} is quoted", "coverage", hint)
    return None

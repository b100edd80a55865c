"""What models reply in an investigation of ketorolac and nausea, task by task: good replies and refused ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backedge.evidence.designs import CRITERIA, SECTIONS
from backedge.evidence.facets import FACETS
from tests.evidence.investigated import REQUEST
from tests.evidence.outside import NAUSEA
from tests.evidence.prompted import JUDGED, TAKEN

ITEM: dict[str, Any] = {
    **TAKEN["records"][0],
    "quotations": [{"section": "s4", "text": NAUSEA, "prefix": "", "suffix": ""}],
    "statement": "In rats, nausea did not differ between ketorolac and placebo (p = 0.62).",
    "species": "rat",
    "population": "male Wistar rats",
}


def value(text: str, quote: str = "", **fields: str) -> dict[str, Any]:
    """A value of a facet: explicit with a quote, else inferred."""
    told = {"origin": "explicit", "reason": ""} if quote else {"origin": "inferred", "reason": "it is not stated"}
    return {"text": text, "quote": quote, **told, **fields}


def facets(**values: list[dict[str, Any]]) -> dict[str, Any]:
    """The eight, each inferred but for those given."""
    return {row.name: {"values": values.get(row.name, [value("open")]), "importance": row.importance} for row in FACETS}


FACETS_SAID = facets(
    objective=[value("whether ketorolac causes nausea", REQUEST)],
    model_system=[value("rats", "rats")],
    intervention=[value("ketorolac", "ketorolac")],
    endpoint=[value("nausea", "nausea")],
    comparator=[],
)
TOLD_AGAIN: dict[str, Any] = {
    "reconstruction": "Does ketorolac cause nausea in rats?",
    "contradictions": [],
    "omissions": [],
    "additions": ["timing: nothing is said of it"],
}
QUESTION: dict[str, Any] = {
    "text": "Does ketorolac cause more nausea than placebo in rats?",
    "facets": [row.name for row in FACETS],
    "answer_fields": ["size of the effect"],
    "decision": "whether to use ketorolac",
    "wants": {"species": "rat", "population": "", "treatment": "ketorolac", "comparator": "", "endpoint": "nausea"},
}
QUESTIONS_SAID: dict[str, Any] = {"questions": [QUESTION], "uninvestigated": []}
PLANNED: dict[str, Any] = {
    "lexical": ["ketorolac nausea pain"],
    "semantic": ["Nausea did not differ between ketorolac and placebo."],
    "wider_lexical": ["ketorolac emesis"],
    "wider_semantic": [],
    "targets": ["library"],
    "stopping": "when both arms were read",
}
ASSESSED: dict[str, Any] = {
    "assessments": [
        {
            "record": f"rec_{number}",
            "reason": "The drug is the same.",
            "relationship": "supports",
            "applicability": "indirect",
        }
        for number in (1, 2)
    ]
}
WEIGHED: dict[str, Any] = {
    "coverage": "One dose in male rats.",
    "assumptions": ["Other doses are alike."],
    "critical_gaps": ["No dose but one was tried."],
    "status": "partial",
}


def approach(title: str, **fields: Any) -> dict[str, Any]:
    """An approach that is whole."""
    rated = {"rationale": "One dose alone was tried.", "records": ["rec_1"], "rating": "adequate"}
    told = {
        "title": title,
        "summary": "Rats are given ketorolac or placebo.",
        "records": ["rec_1", "rec_2"],
        "assumptions": [{"text": "rats show nausea by eating kaolin", "rests_on": "rec_1"}],
        "ratings": {row.name: rated for row in CRITERIA},
    }
    return told | fields


CANDIDATES: dict[str, Any] = {
    "approaches": [approach("Kaolin intake"), approach("Facial expression")],
    "comparison": "They differ in what is measured.",
}


def sentence(text: str, *records: str) -> dict[str, Any]:
    """A sentence and what it cites."""
    return {"text": text, "records": list(records)}


def written(**sections: list[dict[str, Any]]) -> dict[str, Any]:
    """A design whose sections say that nothing is known, but for those given."""
    names: list[str] = [row.name for row in SECTIONS]
    told: dict[str, Any] = {
        name: {"sentences": sections.get(name, [sentence(f"Of {name} nothing is known.")])} for name in names
    }
    return {**told, "facets": {row.name: f"Met, or left open, for {row.name}." for row in FACETS}}


DESIGN = written(evidence_basis=[sentence("Two studies bear on it.", "rec_1", "rec_2"), sentence("Both are in rats.")])
MENDED = {**ITEM, "statement": "In rats, nausea did not differ from placebo (p = 0.62)."}  # the same would be reused
UNFOUND = {**ITEM, "quotations": [{"section": "s4", "text": "Nausea was much worse.", "prefix": "", "suffix": ""}]}

GOOD: Mapping[str, Mapping[str, Any]] = {
    "extracting": {"records": [ITEM], "nothing": ""},
    "reextracting": {"records": [MENDED], "nothing": ""},
    "verifying": JUDGED,
    "extracting_facets": FACETS_SAID,
    "round_tripping": TOLD_AGAIN,
    "deriving_questions": QUESTIONS_SAID,
    "planning": PLANNED,
    "assessing": ASSESSED,
    "weighing": WEIGHED,
    "proposing": CANDIDATES,
    "designing": DESIGN,
}
# What is of the right form, and is refused by a gate, or by the agent where there is no gate.
INVENTED: Mapping[str, Mapping[str, Any]] = {
    "extracting": {"records": [UNFOUND], "nothing": ""},
    "reextracting": {"records": [UNFOUND], "nothing": ""},
    "verifying": {**JUDGED, "scope": {"reason": "Wider.", "outcome": "failed"}},
    "extracting_facets": facets(endpoint=[value("vomiting", "vomits all day")]),
    "round_tripping": {**TOLD_AGAIN, "reconstruction": " "},
    "deriving_questions": {"questions": [{**QUESTION, "facets": ["timing"]}], "uninvestigated": []},
    "planning": {**PLANNED, "targets": ["library", "the_moon"]},
    "assessing": {"assessments": [ASSESSED["assessments"][0], {**ASSESSED["assessments"][1], "record": "rec_7"}]},
    "weighing": {**WEIGHED, "status": "sufficient"},
    "proposing": {**CANDIDATES, "approaches": [approach("Kaolin intake")]},
    "designing": written(evidence_basis=[sentence("Nine studies bear on it.", "rec_9")]),
}

"""A small source, replies about it, and what of a prompt stands in which block."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine
from typing import Any, TypeVar

from backedge.evidence.ports import Passage, Shown
from backedge.evidence.records import CHECKS, EvidenceRecord, Proposal, Quotation, Span
from backedge.evidence.sources import Metadata
from backedge.kernel.stage import Reply, Unreadable

T = TypeVar("T")
METADATA = Metadata(title="Ketorolac after surgery", kind="research-article", year=2019, headings=("Humans",))
ABSTRACT = "Pain at 24 h was lower with ketorolac than with placebo (2.1 vs 4.0, p < 0.001)."
RESULTS = "Sixty women took part. Nausea did not differ between the groups (p = 0.62)."
SECTIONS = (Shown("s2", "abstract", "RESULTS", ABSTRACT), Shown("s7", "results", "Outcomes", RESULTS))
ITEM: dict[str, Any] = {
    "quotations": [{"section": "s7", "text": RESULTS[23:], "prefix": "took part. ", "suffix": ""}],
    "kind": "finding",
    "statement": "In women, nausea did not differ between ketorolac and placebo.",
    "species": "human",
    "population": "women",
    "treatment": "ketorolac",
    "comparator": "placebo",
    "endpoint": "nausea",
    "direction": "no_difference",
    "effect": "p = 0.62",
    "units": "",
    "n": "Sixty",
}
TAKEN: dict[str, Any] = {"records": [ITEM], "nothing": ""}
JUDGED: dict[str, Any] = {
    "reason": "Both say that nausea did not differ.",
    **{name: {"reason": f"The same {name}.", "outcome": "passed"} for name in CHECKS},
    "label": "entailed",
}
QUOTATION = Quotation("s7", RESULTS[23:], "took part. ")
PROPOSAL = Proposal(
    "finding",
    ITEM["statement"],
    "human",
    "women",
    "ketorolac",
    "placebo",
    "nausea",
    "no_difference",
    "p = 0.62",
    "",
    "Sixty",
    (QUOTATION,),
)


def record(text: str = RESULTS, proposal: Proposal = PROPOSAL) -> EvidenceRecord:
    """The record of the proposal, its quotation found in that text."""
    start = text.index(proposal.quotations[0].text)
    return EvidenceRecord("v.1", "v", "s", proposal, ((span(text, start, len(proposal.quotations[0].text)),),))


def span(text: str, start: int, length: int) -> Span:
    """A span of the text of section s7."""
    exact = text[start : start + length]
    return Span("v", "t", "s7", "results", start, start + length, exact, "", "")


def passage(text: str = RESULTS) -> Passage:
    """The passage of the record."""
    found = record(text).spans[0][0]
    return Passage(found, "Outcomes", text[: found.start], text[found.end :])


def blocks_of(text: str) -> list[tuple[str, str]]:
    """The marked blocks of a prompt: their names and what stands in them. Nothing stands between them."""
    found = [(m[1], m[3]) for m in _BLOCK.finditer(text)]
    assert _BLOCK.sub("", text).strip() == ""
    return found


_BLOCK = re.compile(r"<<data ([^\n]+?) ([0-9a-f]{12})>>\n(.*?)\n<<end \2>>", re.DOTALL)


def got(call: Coroutine[Any, Any, Reply[T] | Unreadable]) -> T:
    """The proposal of a call that is a reply."""
    said = asyncio.run(call)
    assert isinstance(said, Reply), said
    return said.proposal

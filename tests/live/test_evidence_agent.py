"""The evidence agent with a real model of 0.5 B: typed records or an honest refusal, and no false quotation gets in."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest

from backedge.adapters.models.connection import Connection
from backedge.adapters.models.local import LocalAgent
from backedge.agent.ports import ModelSettings
from backedge.evidence.passages import passages_of
from backedge.evidence.places import LocatedText
from backedge.evidence.ports import Shown
from backedge.evidence.prompted.extractor import PromptedExtractor
from backedge.evidence.prompted.verifier import PromptedVerifier
from backedge.evidence.reading import Reading, Section
from backedge.evidence.records import CHECKS, EvidenceRecord, Proposal, Span
from backedge.evidence.sources import Metadata
from backedge.evidence.spans import located
from backedge.evidence.validation import validate
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Reply

pytestmark = pytest.mark.live

TITLE = "Vitamin Q and tail length in rats"
ABSTRACT = (
    "Forty Wistar rats were given vitamin Q (10 mg/kg) or water for six weeks. Tails were longer with vitamin Q than "
    "with water (19.2 vs 17.1 cm, p = 0.003). Body weight did not differ between the groups (p = 0.41). Vitamin Q may "
    "be useful where tails are short."
)
TEXT = f"{TITLE}\n{ABSTRACT}"
START = len(TITLE) + 1
SECTIONS = (Section("s1", "title", "", 0, len(TITLE)), Section("s2", "abstract", "Abstract", START, len(TEXT)))
READING = Reading(TEXT, SECTIONS, "test/1")
HASH = hashlib.sha256(TEXT.encode()).hexdigest()


def agent_of(weights: Path) -> LocalAgent:
    return LocalAgent(Connection(ModelSettings("local", "qwen"), file=weights), weights)


def placed(proposal: Proposal) -> tuple[tuple[Span, ...], ...]:
    found = [located(LocatedText(READING), q, version="v", text_hash=HASH) for q in proposal.quotations]
    return tuple(() if isinstance(spans, Defect) else spans for spans in found)


def test_an_abstract_comes_to_typed_records_and_a_false_quotation_to_none(weights: Path) -> None:
    agent, shown = agent_of(weights), (Shown("s2", "abstract", "Abstract", ABSTRACT),)
    said = asyncio.run(PromptedExtractor(agent).extract(Metadata(title=TITLE), shown, Lesson()))
    if not isinstance(said, Reply):
        assert said.defect.kind in ("reply_form", "reply_cut", "reply_not_json", "reply_empty")
        return
    assert said.proposal.records or said.proposal.nothing
    records = [EvidenceRecord(f"v.{n}", "v", "s", p, placed(p)) for n, p in enumerate(said.proposal.records)]
    for record in records:
        accepted = not validate(record, TEXT, HASH, SECTIONS)
        spans = [span for found in record.spans for span in found]
        assert all(TEXT[span.start : span.end] == span.exact for span in spans)
        assert not accepted or (spans and all(record.spans))
    sound = [record for record in records if all(record.spans)]
    for record in sound[:1]:
        verified(agent, record)


def verified(agent: LocalAgent, record: EvidenceRecord) -> None:
    passages = passages_of(record, READING)
    judged = asyncio.run(PromptedVerifier(agent).verify(record.proposal, passages, (), Lesson()))
    assert isinstance(judged, Reply), judged
    assert [check.name for check in judged.proposal.checks] == list(CHECKS)
    assert all(check.reason for check in judged.proposal.checks)

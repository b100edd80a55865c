"""Flags on quotations that doctors picked from articles: honest ones are left alone, ones cut from a negation found."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from backedge.evidence.flags import flags_of
from backedge.evidence.passages import around_of, passages_of
from backedge.evidence.polarity import FORWARD, content, marks, plain
from backedge.evidence.records import EvidenceRecord, Quotation, Span
from backedge.evidence.spans import located
from backedge.kernel.defect import Defect
from tests.evidence.judged import proposal
from tests.real.evidence_inference import DATA, REASON, articles

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not DATA.is_dir(), reason=REASON)]
LABELS = {"1": "increase", "-1": "decrease", "0": "no_difference"}
FEWEST = 5  # content words of a cut quotation


def found_in(article: str, words: str) -> tuple[Span, ...]:
    """The quotation in the first section that has it; empty where none has."""
    for section in articles()[article].reading.sections:
        found = located(articles()[article], Quotation(section.key, words), version="v", text_hash="t")
        if not isinstance(found, Defect):
            return found
    return ()


def picked() -> Iterator[tuple[dict[str, str], dict[str, str], tuple[Span, ...]]]:
    """Each valid quotation that is found: its row, its prompt, and its spans."""
    csv.field_size_limit(10**8)
    with (DATA / "prompts_merged.csv").open(encoding="utf-8", newline="") as file:
        prompts = {row["PromptID"]: row for row in csv.DictReader(file)}
    with (DATA / "v2_annotations.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            valid = row["PMCID"] in articles() and row["Valid Reasoning"] == "True" and row["Annotations"].strip()
            if valid and row["PromptID"] in prompts and (spans := found_in(row["PMCID"], row["Annotations"])):
                yield row, prompts[row["PromptID"]], spans


def kinds(article: str, statement: str, spans: tuple[Span, ...], **fields: str) -> set[str]:
    reading = articles()[article].reading
    told = proposal(statement, statement, **fields)
    record = EvidenceRecord("k", "v", "s", told, (spans,))
    return {flag.kind for flag in flags_of(told, passages_of(record, reading), around_of(record, reading))}


def test_a_record_that_says_its_quotation_is_seldom_flagged(capsys: pytest.CaptureFixture[str]) -> None:
    """Its statement is the quotation, the other fields are what the doctors were asked about."""
    seen: Counter[str] = Counter()
    for row, prompt, spans in picked():
        fields = {
            "treatment": prompt["Intervention"],
            "comparator": prompt["Comparator"],
            "endpoint": prompt["Outcome"],
        }
        words = " ".join(span.exact for span in spans)
        found = kinds(row["PMCID"], words, spans, direction=LABELS[row["Label Code"]], **fields)
        found = {kind for kind in found if not kind.startswith("thin_")}
        seen.update(["all", *found, *(["flagged"] if found else [])])
    with capsys.disabled():
        print(f"\n{dict(sorted(seen.items()))}")
    assert seen["all"] == 314
    assert seen["flagged"] <= 42
    assert seen["negation_outside"] + seen["hedge_lost"] + seen["values_swapped"] + seen["comparator_missing"] <= 2
    assert seen["number_missing"] + seen["number_unit"] + seen["number_sign"] + seen["number_comparison"] <= 12


def test_a_quotation_that_is_cut_from_its_negation_is_flagged(capsys: pytest.CaptureFixture[str]) -> None:
    """Of each quotation what stands a word behind a negation of it, with a statement that says just that."""
    seen: Counter[str] = Counter()
    for row, _, spans in picked():
        for span in spans:
            for words in tails(span.exact):
                if cut := found_in(row["PMCID"], words):
                    found = kinds(row["PMCID"], words, cut)
                    seen["flagged" if found & {"negation_outside", "negation_lost"} else "passes"] += 1
    with capsys.disabled():
        print(f"\n{dict(seen)}: {seen['flagged'] / seen.total():.3f} of the cut ones are flagged")
    assert seen.total() >= 25
    assert seen["flagged"] / seen.total() >= 0.9


def tails(quoted: str) -> Iterator[str]:
    """What begins one word behind a "not" or "no", where that is long enough and denies nothing itself."""
    for mark in marks(plain(quoted)):
        behind = re.match(r"\s+\S+\s+(?P<tail>[^.;]+)", quoted[mark.end :])
        if mark.pole == FORWARD and mark.word in ("not", "no", "did not", "no significant") and behind:
            words = behind["tail"].strip()
            if len(content(words)) >= FEWEST and not any(True for _ in marks(plain(words))):
                yield words

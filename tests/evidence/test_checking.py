"""What a section of a design may cite, quote and count: only what the records of that very sentence say."""

from __future__ import annotations

import pytest

from backedge.evidence.designs import Citation, DesignSection
from backedge.evidence.inquiry import PackagedRecord
from backedge.evidence.investigate.checking import section_problems
from backedge.evidence.records import Span

GLUCOSE = "Velorin lowered fasting glucose by 2.1 mmol/L compared with vehicle in mice (95% CI 1.4 to 2.8)."
WEIGHT = "Body weight was lower after velorin than after vehicle in mice (mean difference 3.4 g)."


def record(key: str, text: str) -> PackagedRecord:
    span = Span("v", "t", "s1", "results", 0, len(text), text, "", "")
    return PackagedRecord(key, "src", "v", "finding", text, (span,), "supports", "direct", critical=True)


HELD = {"glucose": record("glucose", GLUCOSE), "weight": record("weight", WEIGHT)}


def section(sentence: str, *records: str, more: str = "") -> DesignSection:
    return DesignSection("evidence_basis", f"{sentence} {more}".strip(), (Citation(sentence, records),))


GOOD = [
    section('One study found that "Velorin lowered fasting glucose by 2.1 mmol/L".', "glucose"),
    section("Body weight was lower by 3.4 g.", "weight"),
    section("Glucose fell by 2.1 mmol/L and weight by 3.4 g.", "glucose", "weight"),
    section("All of it is of one study.", "glucose", more="Fifteen mice a group, 60 in all."),
    section("Glucose fell.", "glucose", more='We call this the "low" dose.'),
]


@pytest.mark.parametrize("good", GOOD)
def test_what_the_records_of_a_sentence_say_may_be_said(good: DesignSection) -> None:
    assert list(section_problems(good, HELD)) == []


BAD = [
    (section('One study found that "Velorin lowered fasting glucose by 2.1 mmol/L".', "weight"), "stands in no span"),
    (section("Body weight was lower by 3.4 g.", "glucose"), "3.4"),
    (section("Body weight was lower by 4.3 g.", "weight"), "4.3"),
    (section("Glucose fell by 2.1 mg/dL.", "glucose"), "2.1"),
    (section('It "lowered glucose in every mouse".', "glucose"), "stands in no span"),
    (section("Glucose fell.", "glucose", more='It "lowered fasting glucose by 2.1 mmol/L".'), "cites no record"),
    (section("Glucose fell.", "nobody"), "in no package"),
    (section("Glucose fell."), "cites no record"),
    (DesignSection("endpoints", "Glucose.", (Citation("Weight.", ("weight",)),)), "is not in the section"),
]


@pytest.mark.parametrize(("bad", "why"), BAD)
def test_what_they_do_not_say_is_a_problem(bad: DesignSection, why: str) -> None:
    found = list(section_problems(bad, HELD))
    assert len(found) >= 1
    assert why in found[0]

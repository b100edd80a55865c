"""What a section of a design may cite, quote and count: only what the records of that very sentence say."""

from __future__ import annotations

import pytest

from backedge.evidence.designs import Citation, Design, DesignSection
from backedge.evidence.inquiry import PackagedRecord
from backedge.evidence.investigate.checking import facet_problems, section_problems
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
    section("All of it is of one study and two verified records.", "glucose"),
    DesignSection("sample_size", "Fifteen mice a group, 60 in all.", ()),
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
    (section("Glucose fell by nine mmol/L in ninety mice.", "glucose"), "nine"),
    (section("Velorin raised fasting glucose by 2.1 mmol/L in mice.", "glucose"), "and what it cites says"),
    (section("Velorin lowered fasting glucose in patients with diabetes.", "glucose"), "other species"),
    (section("Glucose fell.", "glucose", more="It cured 93% of mice."), "93"),
    (section('"', "glucose", more='Velorin cured every mouse of diabetes" they wrote.'), "cured every mouse"),
    (section("They wrote ``cured every mouse of diabetes''.", "glucose"), "cured every mouse"),
    (section("They wrote <q>cured every mouse</q>.", "glucose"), "cured every mouse"),
    (section("They wrote \uff02cured every mouse\uff02.", "glucose"), "cured every mouse"),
    (section("They wrote \u201fcured every mouse\u201d.", "glucose"), "cured every mouse"),
    (section("Glucose fell.", "nobody"), "in no package"),
    (section("Glucose fell."), "cites no record"),
    (DesignSection("endpoints", "Glucose.", (Citation("Weight.", ("weight",)),)), "is not in the section"),
]


@pytest.mark.parametrize(("bad", "why"), BAD)
def test_what_they_do_not_say_is_a_problem(bad: DesignSection, why: str) -> None:
    found = list(section_problems(bad, HELD))
    assert len(found) >= 1
    assert why in found[0]


def test_what_is_said_of_facets_quotes_only_what_stands_in_a_record() -> None:
    facets = (("endpoint", 'As said: "lowered fasting glucose by 2.1 mmol/L".'), ("timing", 'It "cured every mouse".'))
    found = list(facet_problems(Design(1, (), facets), [GLUCOSE]))
    assert [problem.split(":")[0] for problem in found] == ["facet timing"]

"""Flags: each pair of a statement and a quotation that does not say it is found; honest pairs are left alone."""

from __future__ import annotations

from typing import Any

import pytest

from backedge.evidence.flags import flags_of
from backedge.evidence.reading import Role
from backedge.evidence.records import CHECKS
from tests.evidence.judged import kinds, passage, proposal, shown
from tests.evidence.pairs import FLAGGED, HONEST

MICE = "Male C57BL/6 mice were fed curcumin or vehicle."
LONGER = "After training walking distance was longer than in the control group."


def test_there_are_enough_pairs() -> None:
    assert (len(FLAGGED) >= 100, len(HONEST) >= 60, len({*FLAGGED}) == len(FLAGGED), len({*HONEST}) == len(HONEST)) == (
        True,
        True,
        True,
        True,
    )


@pytest.mark.parametrize(("statement", "quoted", "kind"), FLAGGED)
def test_what_the_quotation_does_not_say_is_flagged(statement: str, quoted: str, kind: str) -> None:
    assert kind in kinds(statement, quoted)


@pytest.mark.parametrize(("statement", "quoted"), HONEST)
def test_an_honest_record_is_not_flagged(statement: str, quoted: str) -> None:
    assert kinds(statement, quoted) == set()


def test_a_statement_that_is_its_quotation_is_not_flagged() -> None:
    quoted = {words for _, words, _ in FLAGGED}
    assert ([words for words in quoted if kinds(words, words)], len(quoted) > 90) == ([], True)


@pytest.mark.parametrize(
    ("fields", "quoted", "kind"),
    [
        ({"direction": "increase", "endpoint": "mortality"}, "Mortality was lower with the drug.", "direction_opposed"),
        ({"direction": "decrease", "endpoint": "mortality"}, "Mortality was higher with it.", "direction_opposed"),
        ({"direction": "no_difference", "endpoint": "pain"}, "Pain was lower with the drug.", "direction_opposed"),
        ({"direction": "increase", "endpoint": "pain"}, "Pain did not differ (p = 0.41).", "direction_opposed"),
        ({"direction": "increase", "endpoint": "pain"}, "Pain was higher (p = 0.41).", "direction_opposed"),
        ({"effect": "0.83 (0.72–0.96)"}, "The rate ratio was 0.83 (0.72–0.69).", "number_missing"),
        ({"effect": "-1.2", "units": "mm"}, "The difference was 1.2 mm.", "number_sign"),
        ({"effect": "p < 0.01"}, "The difference was significant, p > 0.01.", "number_comparison"),
        ({"effect": "12", "units": "mg"}, "The dose was 12 µg.", "number_unit"),
        ({"n": "60"}, "Sixteen women took part.", "number_missing"),
        ({"species": "human"}, "Curcumin slowed growth in mice.", "species_other"),
        ({"species": "rat"}, "Curcumin slowed growth in mice.", "species_other"),
        ({"species": "mouse"}, "Curcumin slowed growth.", "species_unstated"),
        ({"comparator": "naproxen"}, "The drug was given for a week.", "comparator_missing"),
        ({"comparator": "sham surgery"}, "The drug was given after surgery.", "comparator_missing"),
        ({"comparator": "control injection"}, "A control got the drug.", "comparator_missing"),
        ({"species": "human", "population": "mice"}, "Thirty mice and 30 women were seen.", "species_inconsistent"),
        ({"species": "human", "population": "mice"}, "Thirty women were seen.", "species_other"),
        ({"species": "human", "population": "mice"}, "Thirty mice were seen.", "species_other"),
        ({"treatment": "aspirin 10 mg"}, "Aspirin was given (100 mg).", "number_missing"),
        ({"treatment": "aspirin 100 µg"}, "Aspirin was given (100 mg).", "number_unit"),
        ({"comparator": "aspirin 10 mg"}, "Aspirin was given (100 mg).", "number_missing"),
        ({"population": "42 women"}, "Twenty-four women took part.", "number_missing"),
        ({"population": "women < 60 years"}, "Women > 60 years took part.", "number_comparison"),
        ({"endpoint": "pain at 30 days"}, "Pain was told after 45 days.", "number_missing"),
        ({"treatment": "aspirin [the reviewer agreed]"}, "Aspirin was given.", "words_inserted"),
        *(
            ({"n": "24"}, f"Women took part {words}.", "number_role")
            for words in (
                "for 24 weeks",
                "(24 %)",
                "(24 percentage points)",
                "(p = 24)",
                "(95% CI 24 to 30)",
                "(IQR 12–24)",
                "aged 24",
                "with a mean of 24",
                "(24 ± 3)",
                "(SD 24)",
                "on day 24",
                "(Table 24)",
                "with 24 mg",
                "with 24 mm3",
            )
        ),
        ({"n": "2010"}, "Women took part in 2010.", "number_role"),
    ],
)
def test_a_field_that_the_quotation_does_not_say_is_flagged(fields: dict[str, Any], quoted: str, kind: str) -> None:
    assert kind in kinds("What was seen is told.", quoted, **fields)


@pytest.mark.parametrize(
    ("fields", "quoted"),
    [
        ({"direction": "decrease", "endpoint": "mortality"}, "Mortality was lower with the drug."),
        ({"direction": "decrease", "endpoint": "mortality"}, "Age was higher, and mortality was lower with it."),
        ({"direction": "no_difference", "endpoint": "pain"}, "Pain did not differ between groups (p = 0.41)."),
        ({"direction": "no_difference", "endpoint": "pain"}, "Pain was lower with the drug (p = 0.41)."),
        (
            {"direction": "increase", "endpoint": "gait", "treatment": "naproxen", "comparator": "placebo"},
            "Gait was lower with placebo.",
        ),
        ({"direction": "not_stated"}, "Mortality was lower with the drug."),
        ({"direction": "association", "endpoint": "age"}, "Age was associated with mortality."),
        ({"effect": "0.83 (0.72–0.96)"}, "The rate ratio was 0.83 (95% CI, 0.72-0.96)."),
        ({"effect": "12", "units": "mg"}, "The dose was 12 mg."),
        ({"n": "60"}, "Sixty women took part."),
        ({"n": "not stated"}, "Women took part."),
        ({"species": "unknown"}, "Curcumin slowed growth in mice."),
        ({"species": "mouse"}, "Curcumin slowed growth in C57BL/6 animals."),
        ({"species": "rodent"}, "Curcumin slowed growth in mice."),
        ({"comparator": "none"}, "The drug was given for a week."),
        ({"comparator": "placebo"}, "The drug was better than placebo."),
        ({"comparator": "placebo control group"}, "The drug was better than placebo."),
        ({"comparator": "sham surgery"}, "Others had surgery that was a sham."),
        ({"species": "mouse", "population": "male C57BL/6 mice"}, "Thirty mice were seen."),
        ({"species": "mouse", "population": "mice with human tumours"}, "Thirty mice were seen."),
        ({"species": "rodents", "population": "mice"}, "Thirty mice were seen."),
        ({"treatment": "aspirin 100 mg"}, "Aspirin was given (100 mg)."),
        ({"comparator": "aspirin 100 mg"}, "Aspirin was given (100 mg)."),
        ({"population": "24 women"}, "Twenty-four women took part."),
        ({"population": "women aged ≥ 60 years"}, "Women aged 60 years or older took part."),
        ({"endpoint": "pain at week 6"}, "Pain was told after 6 weeks."),
        ({"treatment": "aspirin [low dose]"}, "Aspirin [low dose] was given."),
        *(
            ({"n": "24"}, f"Women took part {words}.")
            for words in ("(n = 24)", "(24 of 60)", "in 24 towns; 24 % withdrew, 24 did not", "(N=24, mean age 50)")
        ),
        ({"n": "2010"}, "Of the women 2010 took part."),
    ],
)
def test_a_field_that_the_quotation_says_is_not_flagged(fields: dict[str, Any], quoted: str) -> None:
    assert kinds("What was seen is told.", quoted, **fields) == set()


def test_what_stands_around_names_species_groups_and_subjects() -> None:
    told: dict[str, Any] = {"species": "mouse", "comparator": "vehicle", "n": "24"}
    around = (shown(f"{MICE} There were 24 of them."),)
    assert kinds("Tumours were slowed.", "Tumours were slowed.", around=around, **told) == set()
    assert kinds("Tumours were slowed.", "Tumours were slowed.", **told) == {
        "species_unstated",
        "comparator_missing",
        "number_missing",
    }


def test_references_state_no_species_and_no_comparator() -> None:
    around = (shown("1. Smith J. Curcumin or vehicle in mice.", role="references"),)
    assert kinds("Tumours were slowed.", "Tumours were slowed.", around=around, comparator="vehicle") == {
        "comparator_missing"
    }
    assert kinds("Tumours were slowed.", "Tumours were slowed.", around=around, species="mouse") == {"species_unstated"}


def test_the_species_of_the_quotation_counts_before_that_of_the_paper() -> None:
    around = (shown(MICE),)
    found = kinds("Tumours were slowed.", "In patients, tumours were slowed.", around=around, species="mouse")
    assert found == {"species_other"}


def test_the_numbers_of_groups_may_stand_around_and_each_field_is_held_by_itself() -> None:
    around = (shown("Aspirin 100 mg was given to 24 women for 12 weeks."),)
    told: dict[str, Any] = {"treatment": "aspirin 100 mg", "population": "24 women", "endpoint": "pain at 12 weeks"}
    assert kinds("Pain was told.", "Pain was told by women.", around=around, **told) == set()
    assert kinds(
        "Pain was told.", "Pain was told by women.", around=around, **told | {"treatment": "aspirin 81 mg"}
    ) == {"number_missing"}


def test_a_number_that_stands_only_around_is_not_quoted() -> None:
    flags = flags_of(proposal("Mortality was 12 %."), (passage("Mortality was told.", after=" It was 12 %."),), ())
    assert "number_missing" in {flag.kind for flag in flags}


def test_a_direction_and_a_statement_that_disagree() -> None:
    told: dict[str, Any] = {"direction": "increase", "endpoint": "mortality"}
    assert "direction_inconsistent" in kinds("Mortality was lower with it.", "Mortality was lower with it.", **told)


def test_a_comparison_of_named_groups_is_not_flagged() -> None:
    told: dict[str, Any] = {"treatment": "training", "comparator": "control", "endpoint": "walking distance"}
    said = "Walking distance was longer after training than in the control group."
    assert kinds(said, LONGER, **told, direction="increase") == set()


@pytest.mark.parametrize(
    ("quoted", "role", "effect", "expected"),
    [
        ("Pain fell.", "results", "", {"thin_quotation"}),
        ("Drug A reduced postoperative pain after knee surgery", "title", "", {"thin_place"}),
        ("Drug A reduced postoperative pain after knee surgery", "results", "lower", {"thin_effect"}),
        ("Drug A reduced postoperative pain after knee surgery", "results", "", set()),
    ],
)
def test_what_is_thin(quoted: str, role: Role, effect: str, expected: set[str]) -> None:
    found = flags_of(proposal("Pain fell.", effect=effect), (passage(quoted, role),), ())
    thin = [flag for flag in found if flag.kind.startswith("thin_")]
    assert ({flag.kind for flag in thin}, {flag.at_most for flag in thin} <= {"entailed"}) == (expected, True)


def test_every_flag_has_a_check_and_lowers_only() -> None:
    found = [flag for s, q, _ in FLAGGED for flag in flags_of(proposal(s), (passage(q),), ())]
    assert found
    assert {flag.check for flag in found} <= set(CHECKS)
    assert all(flag.message and flag.at_most in ("entailed", "ambiguous") for flag in found)

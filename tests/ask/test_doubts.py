"""Questions that look plain and are not: each was once answered with a true number of something else."""

from __future__ import annotations

from datetime import date

import pytest

from backedge.ask.grounding.ground import ground
from backedge.ask.intent import Ambiguous, Clarified, Intent, NotUnderstood
from backedge.semantic.compile import compile_spec
from backedge.semantic.spec import By, Compiled
from tests.ask.grounding_clinic import CATALOG, MODEL, VALUES

TODAY = date(2024, 3, 15)

READ = """
cities with more than 5 stays                  => stay_count by city; stay_count over 5
which cities have more than 5 stays            => stay_count by city; stay_count over 5
cities where stay count is over 5              => stay_count by city; stay_count over 5
stay count by city with bills over 900         => stay_count, bill_total by city; bill_total over 900
bills over 900 by city                         => bill_total by city; bill_total over 900
stays with score over 3                        => stay_count; score over 3
closed stays                                   => stay_count; state is closed
stay count in york                             => stay_count; city is York
which patient has the most stays               => stay_count by patient_id; top 1
which quarter had the most visit minutes       => visit_minutes by day.quarter; top 1
top 3 quarters by visit minutes                => visit_minutes by day.quarter; top 3
top 3 quarters and cities by visit minutes     => visit_minutes by day.quarter, city; top 3
which ward has the best week                   => highest_bill by ward
stays by month of discharged                   => stay_count by discharged.month
stays by admission date month                  => stay_count by admitted.month
stays by discharged month in 2022              => stay_count by discharged.month; discharged in 2022
stays by discharged in 2022                    => stay_count by discharged; discharged in 2022
stays discharged in March 2024                 => stay_count; discharged in March 2024
patients by year                               => patient_count by born
list the patients in york                      => list of patient_id; city is York
list of patients                               => list of patient_id
how many beds                                  => beds_used
stays for April                                => stay_count; nurse is April
stays in March                                 => stay_count; month_name is March
stays for Williams                             => stay_count; nurse is Williams
stays for William                              => stay_count; nurse is William
stays for Müller                               => stay_count; nurse is Müller
stays for ward A or B                          => stay_count; ward in A, B
stays for ward A                               => stay_count; ward is A
ward A stays                                   => stay_count; ward is A
stays for patient 7                            => stay_count; patient_id is 7
open stay                                      => open_stays
opeen stays                                    => open_stays
score by city                                  => bill_total by city
"""
ASKED = """
stays in ward A and B           => ward is "A and B", in stays | ward in A, B, in stays
stays not open                  => state is "not open", in stays | state is not open, in stays
stays where state is not open   => state is "not open", in stays | state is not open, in stays
bills for patient 5             => full name is Patient 5, in patients | patient id is 5, in stays
visit minutes for 2024          => day in 2024 | release year is 2024, in stays
stays per patient => a row for each patient (by patient id, in stays) | one number: the average over each patient
stays by day                    => by day, in visits | by day of admitted, in stays | by day of discharged, in stays
top 5 stays => bill total, in stays | beds used, in stays | stay count, in stays | open stays, in stays
"""
REFUSED = """
stays over 5 by city                  => what of 'stays' is over a number
number of stays over 5 by city        => what of 'stays' is over a number
stays by city over 5                  => what of 'stays' is over a number
cities with stays over 5              => what of 'stays' is over a number
open stays over 5 by city             => what of 'open stays' is over a number
patients over 60                      => what of 'patients' is over a number
patients with over 3 stays by city    => for each of 'patients'
patients by city with over 3 stays    => for each of 'patients'
bills with more than 3 stays by city  => for each of 'bills'
uninsured patients                    => 'uninsured'
closed and open stays                 => go together
stays order by city                   => cannot be ordered by it
stays sorted by stays                 => a ranking needs a dimension
stays by day of week                  => 'day of week'
stays by month of year                => 'month of year'
discharged stays in York              => what 'discharged' restricts
stays admitted in York                => what 'admitted' restricts
which city has the best stays         => does not say by what
the largest stays by city             => does not say by what
bills in April by ward                => may be the month
stays in April                        => may be the month
"""


def asked(question: str) -> Clarified:
    return ground(question, CATALOG, VALUES, today=TODAY)


def rows(table: str) -> list[tuple[str, ...]]:
    return [tuple(part.strip() for part in line.split("=>")) for line in table.splitlines() if "=>" in line]


@pytest.mark.parametrize(("question", "reading"), rows(READ))
def test_it_is_read_as(question: str, reading: str) -> None:
    found = asked(question)
    assert isinstance(found, Intent), found
    assert found.reading == reading
    assert found.draft is not None
    assert isinstance(compile_spec(MODEL, found.draft), Compiled)


@pytest.mark.parametrize(("question", "labels"), rows(ASKED))
def test_it_is_asked_back(question: str, labels: str) -> None:
    found = asked(question)
    assert isinstance(found, Ambiguous), found
    assert " | ".join(option.label for option in found.options) == labels


@pytest.mark.parametrize(("question", "reason"), rows(REFUSED))
def test_it_is_refused(question: str, reason: str) -> None:
    found = asked(question)
    assert isinstance(found, NotUnderstood), found
    assert reason in found.reason


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("score by city", "read 'score' as bill_total, not as the dimension score"),
        ("visit minutes in 2024 and 2030", "there is no data for 2030"),
        ("how many beds", "read 'how many beds' as beds_used"),
    ],
)
def test_what_was_decided_is_said(question: str, said: str) -> None:
    found = asked(question)
    assert isinstance(found, Intent), found
    assert any(said in note for note in found.assumptions), found.assumptions


def test_a_key_far_from_the_measure_is_taken_from_the_view_that_owns_it() -> None:
    found = asked("lab cost by patient id")
    assert isinstance(found, Intent), found
    assert found.draft is not None
    assert found.draft.by == (By("patients.patient_id"),)


def test_a_date_that_could_be_another_is_named() -> None:
    named, only = asked("stays discharged in 2022"), asked("visit minutes in 2022")
    assert isinstance(named, Intent)
    assert named.dates == ("stays.discharged",)
    assert isinstance(only, Intent)
    assert only.dates == ("visits.day",)

"""Packages: contradictions are in, what is critical is never trimmed, and an invalid package says why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backedge.evidence.inquiry import Applicability, CoverageGap, Package, Relationship
from backedge.evidence.packages import (
    CHARACTERS_A_TOKEN,
    MOST_NAMED,
    Packable,
    nothing_verified,
    package,
    package_key,
    without_invalid,
)
from tests.evidence.inquired import assessed, question, record, sufficiency


def packable(
    key: str, relationship: Relationship = "supports", applies: Applicability = "direct", **fields: Any
) -> Packable:
    its: dict[str, Any] = {"verified": True, "eligible": True, "broken": ()} | fields
    return Packable(record(key), assessed(key, relationship, applies), **its)


def packed(*packables: Packable, tokens: int = 10_000, only: str = "") -> Package:
    return package(question(), packables, sufficiency(only_affirmative=only), (CoverageGap("g", "q1", "why"),), tokens)


def keys(made: Package) -> list[str]:
    return [record.record for record in made.records]


def test_a_package_holds_what_bears_on_the_question_with_its_spans() -> None:
    made = packed(
        packable("r1"),
        packable("r2", "contradicts", "indirect"),
        packable("r3", "context", "unknown"),
        packable("r4", "irrelevant"),
        packable("r5", applies="not_applicable"),
    )
    assert (keys(made), made.trimmed, made.invalid) == (["r1", "r2", "r3"], (), ())
    assert [span.exact for span in made.records[0].spans] == ["lowered systolic blood pressure"]
    assert [each.critical for each in made.records] == [True, True, False]
    assert [gap.key for gap in made.gaps] == ["g"]


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ({"verified": False}, "no longer accepted"),
        ({"eligible": False}, "may not be used"),
        ({"broken": ("the span is beyond the text",)}, "the span is beyond the text"),
    ],
)
def test_an_invalid_package_says_why(fault: dict[str, Any], says: str) -> None:
    (why,) = packed(packable("r1"), packable("r2", **fault)).invalid
    assert ("r2" in why, says in why) == (True, True)


def test_what_is_wrong_with_a_record_that_is_left_out_does_not_matter() -> None:
    assert packed(packable("r1"), packable("r2", "irrelevant", verified=False)).invalid == ()


def room(records: int) -> int:
    """Tokens for so many of the records that `packable` makes."""
    one = record("r")
    size = len(one.proposal.statement) + sum(len(span.exact) for spans in one.spans for span in spans)
    return -(-size * records // CHARACTERS_A_TOKEN)


def test_what_is_not_critical_is_trimmed_and_listed() -> None:
    made = packed(
        packable("r1", "context", "indirect"),
        packable("r2", "context", "indirect"),
        packable("r3", "contradicts", "indirect"),
        packable("r4"),
        packable("r5", applies="indirect"),
        tokens=room(3),
        only="r5",
    )
    assert (keys(made), made.trimmed, made.invalid) == (["r3", "r4", "r5"], ("r1", "r2"), ())


def test_what_is_critical_and_does_not_fit_makes_the_package_invalid_and_stays_in() -> None:
    made = packed(packable("r1"), packable("r2"), tokens=room(1))
    assert (keys(made), made.trimmed) == (["r1", "r2"], ())
    assert made.invalid == (f"what is critical does not fit into {room(1)} tokens",)


def test_the_key_is_the_hash_of_the_content() -> None:
    made, same, other = packed(packable("r1")), packed(packable("r1")), packed(packable("r2"))
    assert (made.key == same.key == package_key(made), made.key == other.key) == (True, False)
    assert package_key(replace(made, invalid=("why",))) != made.key


def test_of_an_invalid_package_nothing_is_told_but_why() -> None:
    good, bad = packed(packable("r1")), packed(packable("r2", verified=False))
    assert without_invalid(good) == good
    told = without_invalid(bad)
    assert (told.records, len(told.gaps), "r2 is no longer accepted" in told.gaps[-1].why) == ((), 2, True)


def test_nothing_is_verified_where_no_valid_package_holds_a_record() -> None:
    empty, bad = packed(), packed(packable("r2", verified=False))
    assert nothing_verified((empty, bad, packed(packable("r1")))) is None
    found = nothing_verified((empty, bad))
    assert found is not None
    assert (found.kind, found.retryable) == ("nothing_verified", False)
    assert found.message == "nothing verified bears on q1 (why); q1 (record r2 is no longer accepted)"
    many = nothing_verified((empty,) * (MOST_NAMED + 3))
    assert many is not None
    assert many.message.endswith("; and 3 more")

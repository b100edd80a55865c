"""Facets: explicit values stand in the request, commands act within the eight, and what is not settled is named."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from backedge.evidence.facet_rules import applied, described, misused, placed_facets, unsettled
from backedge.evidence.facets import FACET_NAMES, FACETS, Facet, FacetCommand, FacetName, FacetValue, Importance, Origin
from tests.evidence.inquired import facets

REQUEST = "Does empagliflozin lower blood pressure in male rats,\nand at which dose? A rat weighs 300 g."


@dataclass(frozen=True)
class SaidValue:
    text: str
    origin: Origin = "explicit"
    quote: str = ""
    reason: str = ""


@dataclass(frozen=True)
class SaidFacet:
    name: FacetName
    importance: Importance
    values: tuple[SaidValue, ...]


def command(kind: str, facet: FacetName | None = "endpoint", **fields: Any) -> FacetCommand:
    return FacetCommand(kind, "ann", 0, facet, **fields)  # type: ignore[arg-type]


def one_of(found: tuple[Facet, ...], name: FacetName = "endpoint") -> Facet:
    return next(facet for facet in found if facet.name == name)


def placed(*values: SaidValue, name: FacetName = "intervention", importance: Importance = "mandatory") -> Facet:
    (found,) = placed_facets(REQUEST, [SaidFacet(name, importance, values)])
    return found


def test_an_explicit_value_stands_where_its_words_stand() -> None:
    (value,) = placed(SaidValue("male rats", quote="male rats, and at which dose")).values
    (span,) = value.spans
    assert REQUEST[span.start : span.end] == span.exact == "male rats,\nand at which dose"


@pytest.mark.parametrize("quote", ["female rats", "empagliflozin lowers", "", "lower blood pressures", "at which dos"])
def test_an_explicit_value_that_the_request_does_not_say_has_no_span(quote: str) -> None:
    assert placed(SaidValue("x", quote=quote)).values[0].spans == ()


def test_a_word_of_three_letters_may_be_cited() -> None:
    assert placed(SaidValue("rat", quote="rat")).values[0].spans[0].exact == "rat"


def test_only_explicit_values_have_spans_and_empty_ones_are_dropped() -> None:
    values = placed(SaidValue("oral", "inferred", "male rats", "usual"), SaidValue("")).values
    assert [(value.text, value.spans, value.reason) for value in values] == [("oral", (), "usual")]


def test_the_table_says_what_is_mandatory_and_a_model_only_what_is_not() -> None:
    assert placed(importance="optional").importance == "mandatory"
    assert placed(name="timing", importance="optional").importance == "optional"
    assert placed(name="timing", importance="mandatory").importance == "mandatory"


def test_facets_stand_in_the_order_of_the_table() -> None:
    said = [SaidFacet(row.name, row.importance, ()) for row in reversed(FACETS)]
    assert (len(FACET_NAMES), tuple(facet.name for facet in placed_facets(REQUEST, said))) == (8, FACET_NAMES)


@pytest.mark.parametrize(
    ("change", "open_"),
    [
        ({}, ()),
        ({"confirmation": "open"}, ("endpoint",)),
        ({"confirmation": "assumed"}, ()),
        ({"confirmation": "confirmed", "values": ()}, ("endpoint",)),
        ({"confirmation": "assumed", "values": ()}, ("endpoint",)),
        ({"confirmation": "unresolved"}, ("endpoint",)),
        ({"confirmation": "unresolved", "flagged": True, "values": ()}, ()),
        ({"confirmation": "open", "flagged": True}, ("endpoint",)),
        ({"confirmation": "open", "importance": "important"}, ()),
    ],
)
def test_a_mandatory_facet_is_confirmed_assumed_or_left_open_and_flagged(
    change: dict[str, Any], open_: tuple[str, ...]
) -> None:
    changed = tuple(replace(facet, **change) if facet.name == "endpoint" else facet for facet in facets())
    assert unsettled(changed) == open_


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (command("edit", None, texts=("x",)), "unknown_facet"),
        (command("edit", "weather", texts=("x",)), "unknown_facet"),  # type: ignore[arg-type]
        (command("edit", value=2, texts=("x",)), "unknown_value"),
        (command("edit", value=0, texts=("x",)), "unknown_value"),
        (command("remove", value=2), "unknown_value"),
        (command("split", value=2, texts=("x", "y")), "unknown_value"),
        (command("split", texts=("x", " ")), "texts_missing"),
        (command("add"), "texts_missing"),
        (command("add", texts=("x", "y")), "texts_missing"),
        (command("edit"), "texts_missing"),
        (command("edit", texts=("x", "y")), "texts_missing"),
        (command("edit", texts=("x", "y"), importance="optional"), "texts_missing"),
        (command("assume"), "reason_missing"),
        (command("flag", reason=" "), "reason_missing"),
        (command("confirm", None), None),
        (command("round_trip", None), None),
        (command("edit", importance="optional"), None),
        (command("edit", value=1, texts=("x",), importance="optional"), None),
        (command("confirm_facet"), None),
        (command("flag", reason="nobody knows"), None),
    ],
)
def test_a_command_that_cannot_be_carried_out_says_why(said: FacetCommand, kind: str | None) -> None:
    defect = misused(facets(), said)
    assert (defect.kind if defect else None) == kind


def test_what_has_no_value_cannot_be_confirmed_but_its_importance_can_be_changed() -> None:
    empty = tuple(replace(facet, values=()) for facet in facets())
    kinds = [
        defect.kind if (defect := misused(empty, said)) else None
        for said in (
            command("confirm_facet"),
            command("assume", reason="usual"),
            command("edit", importance="optional"),
            command("edit", texts=("x",)),
        )
    ]
    assert kinds == ["nothing_to_confirm", "nothing_to_confirm", None, "unknown_value"]


@pytest.mark.parametrize(
    ("said", "values", "confirmation", "flagged"),
    [
        (command("edit", value=2, texts=(" new ",), reason="why"), ["one", "new"], "open", False),
        (command("edit", importance="optional"), ["one", "two"], "unresolved", True),
        (command("add", texts=("three",)), ["one", "two", "three"], "open", False),
        (command("split", value=1, texts=("a", "b")), ["a", "b", "two"], "open", False),
        (command("remove", value=1), ["two"], "open", False),
        (command("confirm_facet"), ["one", "two"], "confirmed", False),
        (command("assume", reason="usual"), ["one", "two"], "assumed", False),
        (command("flag", reason="nobody knows"), ["one", "two"], "unresolved", True),
    ],
)
def test_a_command_changes_one_facet_and_its_history_says_how(
    said: FacetCommand, values: list[str], confirmation: str, flagged: bool
) -> None:
    both = (FacetValue("one", "explicit"), FacetValue("two", "inferred", reason="r"))
    before = replace(one_of(facets()), values=both, confirmation="unresolved", flagged=True, note="old")
    found, change = applied(tuple(before if f.name == "endpoint" else f for f in facets()), said, 7)
    after = one_of(found)
    assert ([value.text for value in after.values], after.confirmation, after.flagged) == (
        values,
        confirmation,
        flagged,
    )
    assert tuple(facet.name for facet in found) == FACET_NAMES
    assert [f for f in found if f.name != "endpoint"] == [f for f in facets() if f.name != "endpoint"]
    assert (change.number, change.facet, change.what, change.by) == (7, "endpoint", said.kind, "ann")
    assert (change.before, change.after, change.reason) == (described(before), described(after), said.reason)


def test_what_a_reviewer_wrote_is_theirs_and_what_they_left_keeps_its_origin() -> None:
    both = (FacetValue("one", "explicit"), FacetValue("two", "inferred"))
    before = tuple(replace(facet, values=both, note="old") for facet in facets())
    found, _ = applied(before, command("edit", value=1, texts=("new",), reason="why", importance="optional"), 1)
    after = one_of(found)
    assert after.values == (FacetValue("new", "reviewer", reason="why"), both[1])
    assert (after.importance, after.note) == ("optional", "")


def test_a_facet_is_described_with_all_that_a_reviewer_can_change() -> None:
    facet = replace(one_of(facets()), confirmation="unresolved", flagged=True, values=())
    assert described(facet) == "not stated (mandatory, unresolved, flagged)"

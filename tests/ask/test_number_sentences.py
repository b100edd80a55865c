"""The numbers gate over sentences written by hand: no wrong one passes, at most one right one in fifty is refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from backedge.ask.numbers.amounts import Amount, Unreadable, amounts_in
from backedge.ask.numbers.read import read_figures
from backedge.ask.numbers.sheet import Sheet
from backedge.ask.shape import shape_of
from backedge.kernel.defect import Defect
from backedge.query.table import Cell, Column, Kind, Table
from backedge.semantic.spec import OutputColumn

SETS: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("number_sentences.yml").read_text("utf-8"))


def sheet(given: dict[str, Any]) -> Sheet:
    """The result of one set."""
    made = [_column(*column) for column in given["columns"]]
    kinds = [kind for _, kind in made]
    columns = tuple(Column(name=c.name, type=k, kind=k) for c, k in made)
    rows = tuple(tuple(_cell(cell, kind) for cell, kind in zip(row, kinds, strict=True)) for row in given["rows"])
    table = Table(columns=columns, rows=rows, truncated=given.get("truncated"))
    members = tuple(member for member, _ in made)
    return Sheet(
        shape_of(members, table),
        table,
        {m.name: m.type for m in members if m.kind == "measure"},
        question=given["question"],
        phrases=tuple(given.get("filters", ())),
        whole=not given.get("truncated") and not given.get("limit"),
        direction="highest" if given.get("limit") else "",
    )


def _column(name: str, kind: Kind, how: str = "") -> tuple[OutputColumn, Kind]:
    if how in ("month", "year"):
        return OutputColumn(name, f"v.{name.removesuffix('_' + how)}", "dimension", kind, how), kind  # type: ignore[arg-type]  # a grain
    return OutputColumn(name, f"v.{name}", "measure" if how else "dimension", how or kind), kind


def _cell(cell: Any, kind: Kind) -> Cell:
    if cell is None or kind not in ("decimal", "date"):
        return cell  # type: ignore[no-any-return]  # YAML's own
    if kind == "decimal":
        return Decimal(str(cell))
    return cell if isinstance(cell, date) else date.fromisoformat(str(cell))


def sentences(which: str) -> Iterator[tuple[str, str]]:
    for name, given in SETS.items():
        yield from ((name, text) for text in given[which])


@cache
def sheet_named(name: str) -> Sheet:
    return sheet(SETS[name])


def refused(name: str, text: str) -> Defect | None:
    found = read_figures(text, sheet_named(name))
    return found if isinstance(found, Defect) else None


@pytest.mark.parametrize(("name", "text"), list(sentences("wrong")))
def test_a_wrong_sentence_is_refused(name: str, text: str) -> None:
    assert refused(name, text) is not None


def test_nearly_every_right_sentence_passes() -> None:
    every = list(sentences("right"))
    lost = {text: defect.message for name, text in every if (defect := refused(name, text))}
    wrong = list(sentences("wrong"))
    passed = [text for name, text in wrong if not refused(name, text)]
    print(
        f"\n{len(lost)} of {len(every)} right sentences refused, {len(passed)} of {len(wrong)} wrong ones let through"
    )
    for text, message in lost.items():
        print(f"  {text}  ->  {message}")
    assert len(lost) * 50 <= len(every), lost


def test_figures_stand_at_their_places_in_order() -> None:
    for name, text in sentences("right"):
        found = read_figures(text, sheet_named(name))
        if not isinstance(found, Defect):
            assert [text[f.start : f.end] for f in found] == [f.text for f in found]
            assert all(one.end <= other.start for one, other in pairwise(found)), text


def amount(text: str) -> Amount:
    (found,) = amounts_in(text)
    assert isinstance(found, Amount)
    return found


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("1,249", ["1249", "1249.4"], ["1248", "1249.6"]),
        ("about 1,200", ["1249", "1150"], ["1251", "1149"]),
        ("about 1,000", ["1040", "960"], ["1100", "900"]),
        ("€1.2M", ["1234567", "1150000"], ["1250001", "1149999"]),
        ("over 1,200", ["1200.01", "1299"], ["1200", "1199", "1300"]),
        ("at least 1,200", ["1200", "1299"], ["1199", "1300"]),
        ("less than 1,200", ["1199", "1101"], ["1200", "1100"]),
        ("nearly 1,300", ["1250", "1299"], ["1300", "1249"]),
        ("twelve", ["12"], ["13", "11"]),
        ("two hundred and five", ["205"], ["204", "200"]),
        ("-12", ["-12"], ["12"]),
        ("a loss of 12", ["-12"], ["12"]),
        ("0", ["0"], ["0.4"]),
        ("3", ["3.1"], ["3.4"]),
    ],
)
def test_how_far_a_value_may_lie_from_what_is_written(text: str, right: list[str], wrong: list[str]) -> None:
    assert all(amount(text).fits(Fraction(value)) for value in right)
    assert not any(amount(text).fits(Fraction(value)) for value in wrong)


@pytest.mark.parametrize("text", ["1.234,50", "12,34", "1 234", "0123", "1,2345", "12o", "3/4", "1-2", "10:30"])
def test_digits_that_are_no_english_number_are_not_read(text: str) -> None:
    assert any(isinstance(found, Unreadable) for found in amounts_in(text))


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("countries", "France sold 2,498 because of its size.", "cause_claimed"),
        ("countries", "Germany sold 1,250.", "number_wrong"),
        ("countries", "France and Germany sold 2,498.", "row_unclear"),
        ("pair", "North had 10.", "measure_unclear"),
        ("countries", "Germany sold 1,249 crates.", "unit_unknown"),
        ("countries", "Germany leads.", "rank_wrong"),
        ("months", "Revenue fell in June.", "direction_wrong"),
        ("months", "Revenue fell from June to January.", "direction_wrong"),
        ("capped", "Total sales are 600.", "not_all_rows"),
        ("rates", "The total conversion rate is 88.3%.", "not_a_sum"),
        ("countries", "All countries sold more than 500.", "claim_wrong"),
        ("countries", "Germany is similar to Spain.", "claim_unproven"),
        ("countries", "Germany is thriving.", "word_unproven"),
        ("countries", "Germany sold 1.249,00.", "number_unread"),
    ],
)
def test_a_refusal_says_of_what_kind_it_is(name: str, text: str, kind: str) -> None:
    defect = refused(name, text)
    assert defect is not None
    assert (defect.kind, defect.hint != "") == (kind, True)
    start, end = map(int, defect.where.split(":"))
    assert text[start:end].strip()

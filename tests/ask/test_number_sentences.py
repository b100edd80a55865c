"""The numbers gate over sentences written by hand: no wrong one passes, at most one right one in fifty is refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml

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


def refused(name: str, text: str) -> Defect | None:
    found = read_figures(text, sheet(SETS[name]))
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

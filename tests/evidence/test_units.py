"""The unit table: exact spellings, one meaning each, and nothing else."""

from __future__ import annotations

import csv
from importlib.resources import files

import pytest

from backedge.evidence.units import STANDARD, Unit, UnitTable, units

# 53 spellings as tables have them, those among them that free parsers read as something else without a word.
SPELLINGS: dict[str, str | None] = {
    "mg": "mg",
    "µg": "µg",
    "μg": "µg",
    "ug": "µg",
    "mcg": "µg",
    "ng/mL": "ng/mL",
    "ng/ml": "ng/mL",
    "pg·mL−1": "pg/mL",
    "pg mL-1": "pg/mL",
    "mg/dL": "mg/dL",
    "mg/dl": "mg/dL",
    "g/L": "g/L",
    "mmol/L": "mmol/L",
    "mmol·L⁻¹": "mmol/L",
    "µmol/L": "µmol/L",
    "μmol/l": "µmol/L",
    "mM": "mM",
    "µM": "µM",
    "nM": "nM",
    "IU/L": "IU/L",
    "U/L": "U/L",
    "mIU/mL": "mIU/mL",
    "mEq/L": "mEq/L",
    "mOsm/kg": "mOsm/kg",
    "mg/kg": "mg/kg",
    "mg·kg−1": "mg/kg",
    "mg kg⁻¹": "mg/kg",
    "mg·kg−1·d−1": "mg/kg/d",
    "mg/kg/day": "mg/kg/d",
    "mL/min/1.73 m2": "mL/min/1.73 m²",
    "kg/m2": "kg/m²",
    "kg/m²": "kg/m²",
    "kg·m−2": "kg/m²",
    "mm Hg": "mmHg",
    "mmHg": "mmHg",
    "kPa": "kPa",
    "cm H2O": "cmH2O",
    "bpm": None,
    "beats/min": "beats/min",
    "wk": "wk",
    "weeks": "wk",
    "d": "d",
    "h": "h",
    "dpi": "dpi",
    "bp": "bp",
    "kb": "kb",
    "a.u.": "a.u.",
    "%": "%",
    "‰": "‰",
    "°C": "°C",
    "cells/µL": "cells/µL",
    "10^9/L": "10⁹/L",
    "× g": "×g",
}
WRONG = (
    "", " ", "Mg", "MG", "mg/Kg", "m g", "mg//kg", "mg/kg/", "kgm2", "109/L", "1012/L", "mgkg", "M", "K", "C", "F", "A",
    "B", "x", "pm", "AU", "hpf", "N", "ML", "Kg", "MM", "mmhg", "Mm", "mg·kg", "mg-kg", "kg m2", "1 mg", "mg)", "n",
)  # fmt: skip


def test_there_are_53_spellings() -> None:
    assert len(SPELLINGS) == 53


@pytest.mark.parametrize(("spelling", "canonical"), SPELLINGS.items())
def test_a_spelling_is_its_unit_and_no_other(spelling: str, canonical: str | None) -> None:
    found = STANDARD.unit(f"  {spelling}\u00a0")
    assert (found.canonical if found else None) == canonical
    assert found is None or found.spelling == spelling


@pytest.mark.parametrize("text", WRONG)
def test_what_is_not_in_the_table_is_none(text: str) -> None:
    assert STANDARD.unit(text) is None


def test_the_hyphens_minuses_and_dots_of_a_daily_dose_are_all_there() -> None:
    minuses, dots = ("-1", "−1", "–1", "⁻¹"), ("·", "⋅", " ")
    ways = [f"mg{dot}kg{minus}{dot}{day}{minus}" for minus in minuses for dot in dots for day in ("d", "day")]
    assert {way for way in ways if (found := STANDARD.unit(way)) is None or found.canonical != "mg/kg/d"} == set()
    assert STANDARD.unit("mg.kg-1.d-1") == STANDARD.unit("mg.kg-1.d-1")
    assert STANDARD.unit("mg·kg−1·d") is None


def test_the_table_is_closed_and_says_one_thing_of_each_spelling() -> None:
    text = (files("backedge.evidence") / "lexicon" / "units.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) == len(units()) >= 150
    assert [row for row in rows if row["spelling"] != " ".join(row["spelling"].split()) or not all(row.values())] == []
    quantities: dict[str, set[str]] = {}
    for row in rows:
        quantities.setdefault(row["canonical"], set()).add(row["quantity"])
    assert {canonical: found for canonical, found in quantities.items() if len(found) > 1} == {}
    micro = {row["spelling"] for row in rows if "µ" in row["spelling"]}
    assert {spelling for spelling in micro if spelling.replace("µ", "μ") not in units()} == set()


def test_every_canonical_spelling_is_in_the_table_as_itself() -> None:
    wrong = {
        found.canonical
        for found in units().values()
        if (own := STANDARD.unit(found.canonical)) is None or own.canonical != found.canonical
    }
    assert wrong == set()


def test_a_version_of_the_table_is_told_by_every_spelling_in_it_and_by_nothing_else() -> None:
    one, other = Unit("bpm", "beats/min", "frequency"), Unit("blobs/vial", "cells/µL", "number concentration")
    there = units()["mg"]
    versions = [UnitTable(rows).version for rows in ((), (one,), (other,), (one, other))]
    assert len(set(versions)) == 4
    assert UnitTable((other, one)).version == versions[3]
    assert UnitTable((there,)).version == STANDARD.version


def test_no_addition_says_otherwise_than_the_table() -> None:
    told = UnitTable((Unit("mg", "kg", "mass"), Unit("bpm", "beats/min", "frequency")))
    assert (told.unit("mg"), told.unit(" bpm ")) == (units()["mg"], Unit("bpm", "beats/min", "frequency"))
    assert STANDARD.unit("bpm") is None
    assert told.version == UnitTable(told.additions[1:]).version

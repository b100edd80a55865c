"""The unit table: exact spellings of units, each with one canonical spelling and a quantity. Nothing is converted."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class Unit:
    """A unit: as it was written, its canonical spelling (`µg/mL`), and what it measures (`mass concentration`)."""

    spelling: str
    canonical: str
    quantity: str


def unit(text: str) -> Unit | None:
    """The unit that a text is, to the letter, white space around it left out; None where the table does not have it.

    Never a guess: `Mg`, `mg/Kg` or `m g` are none. White space within is one space, whatever kind it is.
    """
    return units().get(" ".join(text.split()))


@cache
def units() -> dict[str, Unit]:
    """The whole table by spelling, read once from `lexicon/units.csv`."""
    written = (files("backedge.evidence") / "lexicon" / "units.csv").read_text(encoding="utf-8")
    return {row["spelling"]: Unit(**row) for row in csv.DictReader(written.splitlines())}

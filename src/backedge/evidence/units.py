"""The unit table: exact spellings of units, each with one canonical spelling and a quantity. Nothing is converted."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

SHORT = 12  # digits of a hash that tell one unit table from another


@dataclass(frozen=True)
class Unit:
    """A unit: as it was written, its canonical spelling (`µg/mL`), and what it measures (`mass concentration`)."""

    spelling: str
    canonical: str
    quantity: str


@dataclass(frozen=True)
class UnitTable:
    """The table of `lexicon/units.csv` with the spellings that a project adds; none says otherwise than the table."""

    additions: tuple[Unit, ...] = ()

    def unit(self, text: str) -> Unit | None:
        """The unit that a text is, to the letter, white space around it left out; None where the table lacks it.

        Never a guess: `Mg`, `mg/Kg` or `m g` are none. White space within is one space, whatever kind it is.
        """
        spelling = spelled(text)
        return units().get(spelling) or self._added.get(spelling)

    @cached_property
    def version(self) -> str:
        """What is kept with each measurement: it differs where any spelling of the whole table does."""
        rows = sorted({**self._added, **units()}.values(), key=lambda row: row.spelling)
        lines = "\n".join("\t".join((row.spelling, row.canonical, row.quantity)) for row in rows)
        return hashlib.sha256(lines.encode()).hexdigest()[:SHORT]

    @cached_property
    def _added(self) -> Mapping[str, Unit]:
        return {row.spelling: row for row in self.additions}


STANDARD = UnitTable()


def spelled(text: str) -> str:
    """A spelling as the table has it: no white space around it, and one space for each stretch within."""
    return " ".join(text.split())


@cache
def units() -> dict[str, Unit]:
    """The table without additions by spelling, read once from `lexicon/units.csv`."""
    written = (files("backedge.evidence") / "lexicon" / "units.csv").read_text(encoding="utf-8")
    return {row["spelling"]: Unit(**row) for row in csv.DictReader(written.splitlines())}

"""The closed table of units: exact spellings and nothing else; what is not in it is kept as written, and invalid."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files

TABLE = "lexicon/units.csv"


@dataclass(frozen=True)
class Unit:
    """A unit of the table: how it was spelt, the spelling that is the same unit's first, and what it measures."""

    spelling: str
    canonical: str
    quantity: str


def unit(text: str, added: Mapping[str, Unit] | None = None) -> Unit | None:
    """The unit with exactly this spelling, white space around it aside; None where the table has none.

    `added` are spellings of a project's own, which never change the meaning of one that is in the table.
    """
    spelling = text.strip()
    return _table().get(spelling) or (added or {}).get(spelling)


@cache
def _table() -> dict[str, Unit]:
    rows = csv.DictReader(_text().splitlines())
    return {row["spelling"]: Unit(row["spelling"], row["canonical"], row["quantity"]) for row in rows}


@cache
def _text() -> str:
    return files("backedge.evidence").joinpath(TABLE).read_text(encoding="utf-8")


def spellings() -> tuple[str, ...]:
    """Every spelling of the table."""
    return tuple(_table())


@cache
def table_version() -> str:
    """The hash of the table, which is kept with what was measured by it."""
    return sha256(_text().encode("utf-8")).hexdigest()[:12]

"""What `evidence.yml` changes in tables: spellings of units, what facets ask and criteria judge, titles of sections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, ClassVar

from pydantic import AfterValidator

from backedge.config.problem import Problem, nearest
from backedge.config.reading import FileRead
from backedge.config.shape import Shape
from backedge.evidence.column_heads import SYNONYMS, spoken
from backedge.evidence.designs import CRITERIA, SECTIONS
from backedge.evidence.facets import FACETS, Importance
from backedge.evidence.tables import Tables, is_lower
from backedge.evidence.units import STANDARD, Unit, UnitTable, units
from backedge.evidence.values import MISSING

LONGEST_SPELLING = 60
LONGEST_TITLE = 120
LONGEST_TOLD = 500


def _line(text: str, longest: int) -> str:
    told = " ".join(text.split())
    if not told:
        raise ValueError("must not be empty")
    if len(told) > longest:
        raise ValueError(f"must have at most {longest} characters, not {len(told)}")
    return told


_Told = Annotated[str, AfterValidator(lambda text: _line(text, LONGEST_TOLD))]
_Title = Annotated[str, AfterValidator(lambda text: _line(text, LONGEST_TITLE))]
_Spelling = Annotated[str, AfterValidator(lambda text: _line(text, LONGEST_SPELLING))]


class UnitKeys(Shape):
    """One of `units`: a spelling, and the unit that it is a spelling of."""

    what: ClassVar[str] = "a spelling of a unit"
    refused: ClassVar[dict[str, str]] = {
        "factor": "`factor` cannot be set: nothing is converted, a spelling is another way to write one unit",
    }
    spelling: _Spelling
    unit: _Spelling


class FacetKeys(Shape):
    """What a project says of one facet."""

    what: ClassVar[str] = "a facet"
    asks: _Told | None = None
    importance: Importance | None = None


class FacetsKeys(Shape):
    """`facets`: the names are fixed."""

    what: ClassVar[str] = "`facets`"
    objective: FacetKeys | None = None
    condition: FacetKeys | None = None
    model_system: FacetKeys | None = None
    intervention: FacetKeys | None = None
    comparator: FacetKeys | None = None
    endpoint: FacetKeys | None = None
    timing: FacetKeys | None = None
    constraints: FacetKeys | None = None


class CriteriaKeys(Shape):
    """`criteria`: what each judges; the names are fixed."""

    what: ClassVar[str] = "`criteria`"
    evidence_support: _Told | None = None
    model_relevance: _Told | None = None
    internal_validity: _Told | None = None
    sensitivity: _Told | None = None
    feasibility: _Told | None = None
    ethics_and_welfare: _Told | None = None
    time: _Told | None = None
    cost: _Told | None = None


class SectionsKeys(Shape):
    """`sections`: how each is titled; the names are fixed."""

    what: ClassVar[str] = "`sections`"
    question_and_hypothesis: _Title | None = None
    evidence_basis: _Title | None = None
    chosen_approach: _Title | None = None
    model_system: _Title | None = None
    groups_and_intervention: _Title | None = None
    endpoints: _Title | None = None
    sample_size: _Title | None = None
    allocation_and_blinding: _Title | None = None
    procedures: _Title | None = None
    analysis: _Title | None = None
    ethics: _Title | None = None
    limitations: _Title | None = None


def unit_table(raw: Sequence[UnitKeys]) -> UnitTable:
    """The unit table with the spellings that are none of its own; those of units that there are not are left out."""
    named = [(row.spelling, known) for row in raw if (known := STANDARD.unit(row.unit)) is not None]
    return UnitTable(tuple(Unit(text, known.canonical, known.quantity) for text, known in named if text not in units()))


def of_units(raw: Sequence[UnitKeys], read: FileRead) -> Iterator[Problem]:
    """What contradicts the table or another row, is a spelling of no unit, or would be taken for something else."""
    spellings = [row.spelling for row in raw]
    for index, row in enumerate(raw):
        known, there = STANDARD.unit(row.unit), units().get(row.spelling)
        if known is None:
            message = f"the unit table has no unit `{row.unit}`: name one that it has"
            near = nearest(row.unit, units())
            yield Problem(read.path, read.line("units", index, "unit"), message, near=near)
            continue
        message = _wrong(row.spelling)
        if there is not None and there.canonical != known.canonical:
            message = f"`{row.spelling}` is `{there.canonical}` in the unit table, and cannot be `{known.canonical}`"
        elif row.spelling in spellings[:index]:
            message = f"`{row.spelling}` stands twice"
        if message:
            yield Problem(read.path, read.line("units", index, "spelling"), message)


def _wrong(spelling: str) -> str:
    if spelling.casefold() in MISSING:
        return f"`{spelling}` says that there is no value, and can be no unit"
    if STANDARD.unit(spelling) is not None:
        return ""
    if spelling[0].isdigit():
        return f"`{spelling}` begins with a digit, which would be read as the end of a value"
    role = next((role for role, heads in SYNONYMS.items() if spoken(spelling) in heads), "")
    return f"`{spelling}` is the head of a column ({role}), and can be no unit" if role else ""


def tables(facets: FacetsKeys, criteria: CriteriaKeys, sections: SectionsKeys) -> Tables:
    """The tables with what a project changes in them."""
    told = [(row, getattr(facets, row.name) or FacetKeys()) for row in FACETS]
    return Tables(
        tuple(replace(row, asks=k.asks or row.asks, importance=k.importance or row.importance) for row, k in told),
        tuple(replace(row, judges=getattr(criteria, row.name) or row.judges) for row in CRITERIA),
        tuple(replace(row, title=getattr(sections, row.name) or row.title) for row in SECTIONS),
    )


def of_tables(facets: FacetsKeys, made: Tables, read: FileRead) -> Iterator[Problem]:
    """An importance that is lower than that of the table, and two sections of one title."""
    for row in FACETS:
        keys: FacetKeys | None = getattr(facets, row.name)
        if keys is not None and keys.importance is not None and is_lower(keys.importance, row.importance):
            message = f"`{row.name}` cannot be `{keys.importance}`: it is `{row.importance}`, which can only be raised"
            yield Problem(read.path, read.line("facets", row.name, "importance"), message)
    titles = [row.title.casefold() for row in made.sections]
    for index, row_ in enumerate(made.sections):
        if titles[index] in titles[:index] and (line := read.line("sections", row_.name)):
            yield Problem(read.path, line, f"two sections would be titled `{row_.title}`")

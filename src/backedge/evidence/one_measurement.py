"""One measurement of a cell and what its row, its column and the words around them say; doubts make it invalid."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from backedge.evidence.reading import Cell
from backedge.evidence.records import Measurement
from backedge.evidence.units import STANDARD, UnitTable
from backedge.evidence.values import MISSING, Decimals, Written, plain_number, written

_FOOTNOTE = re.compile(r"(?<=[0-9)\]])[a-zA-Z]$")


@dataclass(frozen=True)
class Around:
    """What is said around a cell. `units` are those that its row, column or caption state.

    `unknown` is a bracket that may be a unit. `sign` and `bracket` are kinds of uncertainty as stated for `±` and for
    brackets. `spread` is the text of a column of uncertainties, of the kind `kind`. `needed`: a cell that
    is no value is kept, too. `has_footnotes`: a letter behind a number may be the mark of one.
    """

    name: str
    place: str
    units: tuple[str, ...] = ()
    unknown: str = ""
    sign: str = ""
    bracket: str = ""
    spread: str = ""
    kind: str = ""
    n: str = ""
    group: str = ""
    time: str = ""
    doubt: str = ""
    needed: bool = False
    has_footnotes: bool = False


def measurements_of(
    version: str, cell: Cell, decimals: Decimals, around: Around, units: UnitTable = STANDARD
) -> tuple[Measurement, ...]:
    """The measurement that a cell is; a count with its share is two, and a missing value or a text none."""
    said = written(cell.text, decimals, units)
    if said is None:
        if not is_odd(cell.text) and not (around.needed and not is_missing(cell.text)):
            return ()
        said = Written(cell.text.strip(), doubt=f"`{cell.text.strip()}` is no number")
    mark = _FOOTNOTE.search(cell.text.strip()) if around.has_footnotes else None
    if mark:
        said = Written(cell.text.strip(), doubt=f"`{mark[0]}` behind the number may be the mark of a footnote")
    if said.form == "%" or (said.form == "()" and around.bracket == "%"):
        share = Written(said.uncertainty, _share(said.uncertainty, decimals), "%")
        count = Written(said.value, said.number, doubt="a count, which has no unit")
        bare = replace(around, units=(), unknown="", spread="", bracket="")
        return (_made(version, cell, count, bare, decimals, units), _made(version, cell, share, bare, decimals, units))
    return (_made(version, cell, said, around, decimals, units),)


def is_missing(text: str) -> bool:
    """Whether a cell says that there is no value."""
    return text.strip().casefold() in MISSING


def is_odd(text: str) -> bool:
    """Whether a text is almost a number, such as `12.3a`: it must not vanish among the texts."""
    return bool(re.fullmatch(r"\s*[<>≤≥~+\-−–]?\s*[0-9][0-9.,]*\s?[A-Za-z]{1,2}\s*", text))


def _share(text: str, decimals: Decimals) -> str:
    return plain_number(text, decimals)[0]


def _made(version: str, cell: Cell, said: Written, around: Around, decimals: Decimals, units: UnitTable) -> Measurement:
    chosen, unit_doubt = _unit(said, around, units)
    spread, kind, spread_doubt = _spread(said, around, decimals)
    reason = said.doubt or around.doubt or spread_doubt or unit_doubt
    return Measurement(
        version,
        around.name,
        said.value,
        said.number,
        chosen,
        not reason,
        reason or said.note,
        spread,
        kind,
        around.n,
        around.group,
        around.time,
        around.place,
        cell.start,
        cell.end,
        units.version,
    )


def _unit(said: Written, around: Around, units: UnitTable) -> tuple[str, str]:
    """The unit, and what is doubtful about it. Two spellings of one unit are one."""
    given = [text for text in (said.unit, *around.units) if text] or [text for text in (around.unknown,) if text]
    if not given:
        return "", "no unit is given"
    known = [units.unit(text) for text in given]
    lacking = next((text for text, found in zip(given, known, strict=True) if found is None), None)
    if lacking is not None:
        return given[0], f"the unit table does not have `{lacking}`"
    if len({found.canonical for found in known if found}) > 1:
        return given[0], f"it has two units, `{given[0]}` and `{given[1]}`"
    return given[0], ""


def _spread(said: Written, around: Around, decimals: Decimals) -> tuple[str, str, str]:
    """The uncertainty, its kind, and what is doubtful about them."""
    if around.spread and not is_missing(around.spread):
        if said.uncertainty:
            return around.spread, around.kind, "it has two uncertainties"
        bare = re.sub(r"^\s*(?:±|\+/?[-−–])\s*", "", around.spread).strip()
        inside = written(f"0 ({bare.strip('()[]')})", decimals)
        is_read = not plain_number(bare, decimals)[1] or (inside is not None and inside.form == "interval")
        return bare, around.kind, "" if is_read else f"the uncertainty `{bare}` is not understood"
    if not said.uncertainty:
        return "", "", ""
    if said.form == "±":
        return said.uncertainty, around.sign or "±", ""
    if said.form == "interval":
        return said.uncertainty, around.bracket if around.bracket in ("ci", "iqr", "range") else "interval", ""
    kind = around.bracket or around.sign
    if kind in ("", "%", "ci", "range"):
        return said.uncertainty, kind, f"nothing says what `({said.uncertainty})` is"
    return said.uncertainty, kind, ""

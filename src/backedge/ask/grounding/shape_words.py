"""The words that ask for more than totals: shares, comparisons of periods, running totals, averages that move, gaps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

ShapeSymbol = Literal["share", "versus", "earlier", "change", "step", "pair", "running", "moving", "gaps"]
ShapeRow = tuple[ShapeSymbol, str, str]
SHAPE_SYMBOLS = ("share", "versus", "earlier", "change", "step", "pair", "running", "moving", "gaps")
UNITS = ("day", "week", "month", "quarter", "year")
_PARTS = ("share", "percentage", "percent", "%", "proportion", "percentage share")
_CHANGES = ("growth", "change", "changes", "difference", "increase", "decrease", "growth rate", "change rate",
            "percent change", "percentage change", "% change", "percent growth", "percentage growth")  # fmt: skip
_SHORT = {"year": "yoy", "quarter": "qoq", "month": "mom", "week": "wow", "day": "dod"}


def shape_rows() -> Iterator[ShapeRow]:
    """Each symbol with its detail and the words that stand for it."""
    for part in _PARTS:
        yield "share", "", part
        yield "share", "", f"{part} of"
        yield from (("share", "tail", f"as {a}{part} of") for a in ("", "a ", "the "))
        yield "share", "tail", f"in {part} of"
        yield from (("share", "", f"as {a}{part}") for a in ("", "a "))
    for text in ("vs", "versus", "compared to", "compared with", "in comparison to", "in comparison with"):
        yield "versus", "", text
    for text in ("compare", "compared", "comparison of", "comparison", "a comparison of"):
        yield "pair", "", text
    for change in _CHANGES:
        yield from (("change", "", f"{change}{of}") for of in ("", " of", " in"))
    for text in ("how did", "how has", "how have", "how much did", "how much has", "how much have"):
        yield "change", "opens", text
    for text in ("changed", "grow", "grown", "grew"):
        yield "change", "", text
    for unit in UNITS:
        yield from (("step", unit, text) for text in (f"{unit} over {unit}", f"{unit} on {unit}", _SHORT[unit]))
    yield from _earlier()
    for text in ("cumulative", "running total", "running sum", "cumulative total", "cumulative sum"):
        yield from (("running", "", f"{text}{of}") for of in ("", " of"))
    for kind, mean in product(("moving", "rolling"), ("average", "mean")):
        yield from (("moving", "", f"{kind} {mean}{of}") for of in ("", " of"))
    for unit, word in product(UNITS, ("including", "include", "also")):
        yield from (("gaps", unit, f"{word} empty {unit}{s}") for s in ("", "s"))
        yield from (("gaps", f"{unit} of", f"{word} {unit}s {without}") for without in ("without", "with no"))


def _earlier() -> Iterator[ShapeRow]:
    """How an earlier period is called beside another one: the one before it, or that of the year before."""
    for the in ("", "the "):
        for word in ("previous", "prior", "preceding"):
            yield "earlier", "period", f"{the}{word} period"
            yield from (("earlier", unit, f"{the}{word} {unit}") for unit in UNITS)
        yield "earlier", "period", f"{the}period before"
        yield from (("earlier", unit, f"{the}{unit} before") for unit in UNITS)
        yield from (("earlier", unit, f"{one} {unit} {word}") for unit in UNITS
                    for one, word in product(("a", "one"), ("earlier", "ago", "before")))  # fmt: skip
        same = product((*UNITS[:4], "period", "time"), ("", " of", " of the", " in the", " in"),
                       ("last", "previous", "prior"))  # fmt: skip
        yield from (("earlier", "year", f"{the}same {unit}{of} {word} year") for unit, of, word in same)
        yield from (("earlier", "year", f"{the}same {unit} a year {word}") for unit in (*UNITS[:4], "period")
                    for word in ("ago", "earlier", "before"))  # fmt: skip

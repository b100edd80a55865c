"""What a database is asked for the words of one question, where it has too many values to index them all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from backedge.ask.grounding.values import CAP
from backedge.semantic.model import Dimension, Model, View
from backedge.semantic.spec import By, Filter, Spec

_FOLDED = "__folded"
_MARKS = (" ", "-", "''", "’", ".", ",", "&", "/", "(", ")", "_")
_BARE = reduce(lambda text, mark: f"replace({text}, '{mark}', '')", _MARKS, "CAST((x) AS TEXT)")
# What of case, diacritics, white space and punctuation each engine can leave out of a column; `x` is the column.
_FOLDS = {
    "duckdb": r"regexp_replace(replace(lower(strip_accents(CAST((x) AS VARCHAR))), 'ß', 'ss'), '[^\pL\pN]', '', 'g')",
    "postgres": "regexp_replace(replace(lower(CAST((x) AS VARCHAR)), 'ß', 'ss'), '[^[:alnum:]]', '', 'g')",
    "sqlite": f"lower({_BARE})",
}
_LOWER = "lower(x)"


def foldable(model: Model, dialects: Mapping[str, str]) -> Model:
    """The model with a folded twin of each text dimension; `dialects` has the dialect of each view's database."""
    views = (_twinned(view, _FOLDS.get(dialects.get(view.name, ""), _LOWER)) for view in model.views)
    return replace(model, views=tuple(views))


def _twinned(view: View, fold: str) -> View:
    twins = (_twin(d, fold) for d in view.dimensions if d.type == "string" and not d.sub_query and not d.unsupported)
    return replace(view, dimensions=(*view.dimensions, *twins))


def _twin(dimension: Dimension, fold: str) -> Dimension:
    expr = fold.replace("(x)", f"({dimension.expr})")
    return replace(dimension, name=dimension.name + _FOLDED, expr=expr, primary_key=False, samples=(), synonyms=())


def lookup(path: str, spellings: Collection[str]) -> Spec:
    """The values of a dimension that have one of those spellings."""
    return Spec(by=(By(path),), where=(Filter(path + _FOLDED, "in", tuple(spellings)),), limit=CAP + 1)


def beginning(path: str, starts: Sequence[str], most: int) -> Spec:
    """Some values of a dimension that begin like one of `starts`."""
    return Spec(by=(By(path),), where=(Filter(path + _FOLDED, "starts_with", tuple(starts)),), limit=most)

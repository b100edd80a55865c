"""A measure beside its earlier value, or beside a part of it: the columns that a question adds to its measures."""

from __future__ import annotations

from sqlglot import exp

from backedge.semantic.dialects import divided
from backedge.semantic.measures import Measures, measure_type
from backedge.semantic.refusal import refused
from backedge.semantic.resolve import Asked
from backedge.semantic.timed import Span

_HAVE_PARTS = ("count", "count_distinct", "count_distinct_approx", "sum")


def comparison(measures: Measures, asked: Asked, span: Span) -> tuple[exp.Expr, exp.Expr, exp.Expr]:
    """A measure's earlier value, the change, and the change in percent of what was more than nothing."""
    if measure_type(asked.view, asked.measure) != "number":
        message = f"{asked.path} is a {measure_type(asked.view, asked.measure)}, which has no change"
        raise refused("type_mismatch", message, where=asked.path, hint="compare measures that are numbers")
    now, before = measures.value(asked.view, asked.measure), measures.earlier(asked.view, asked.measure, span)
    change = exp.paren(exp.Sub(this=exp.paren(now), expression=exp.paren(before)), copy=False)
    share = exp.Mul(this=divided(measures.sources.dialect, change, before), expression=exp.Literal.number(100))
    grown = exp.GT(this=exp.paren(before), expression=exp.Literal.number(0))
    return before, change, exp.Case().when(grown, share)


def share(measures: Measures, asked: Asked) -> tuple[exp.Expr, exp.Expr]:
    """What of a measure is of the question's part, and that in percent of the whole."""
    measure = asked.measure
    if measure.type not in _HAVE_PARTS or measure.window or measure.non_additive or measure.shift:
        message = f"{asked.path} has no parts that make up a whole, so nothing is a share of it"
        raise refused("not_additive", message, where=asked.path, hint="ask for a count or a sum, without a window")
    part, whole = measures.part(asked.view, measure), measures.value(asked.view, measure)
    divided_by = divided(measures.sources.dialect, part, whole)
    return part, exp.Mul(this=divided_by, expression=exp.Literal.number(100))

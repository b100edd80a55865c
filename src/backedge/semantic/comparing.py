"""A measure beside its earlier value: the columns of a comparison, and how they are called."""

from __future__ import annotations

from sqlglot import exp

from backedge.semantic.dialects import divided
from backedge.semantic.measures import Measures, measure_type
from backedge.semantic.refusal import refused
from backedge.semantic.resolve import Asked
from backedge.semantic.timed import Span


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

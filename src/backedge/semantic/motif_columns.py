"""The columns of the built-in motifs, as trees over the rows of a question; periods are those of the calendar."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from sqlglot import exp

from backedge.semantic.motif_frame import BASE, EARLIER, ROWS, Frame, named
from backedge.semantic.motifs import SHIFTED
from backedge.semantic.refusal import Refused, refused
from backedge.semantic.resolve import checks
from backedge.semantic.timed import Span, periods

Columns = Mapping[str, exp.Expr]
SHARES = ("contribution", "percent_of_total")
_COUNTED = ("count", "count_distinct", "count_distinct_approx", "sum")
_ADDED = ("count", "sum")


def columns(frame: Frame, place: int) -> Columns:
    """The outputs of a built-in motif over one measure of the question."""
    name = frame.used.motif.name
    return _MAKE[name](frame, place)


def _earlier(unit: str, frame: Frame, place: int) -> Columns:
    span = periods(1, unit)
    if not _fits(span, periods(1, frame.grain)):
        raise _unfit(frame, f"{frame.used.motif.name} compares with the {unit} before, which is no whole number of")
    time, then = frame.column(frame.time), frame.column(frame.time, EARLIER)
    # both ways, because the last day of a month has none in a shorter one, which would be matched twice
    there = exp.EQ(this=then, expression=frame.shifted(time, -span))
    back = exp.EQ(this=frame.shifted(then, span), expression=time.copy())
    frame.before = exp.and_(there, back, *frame.same_series(EARLIER))
    now, previous = frame.measure(place), frame.measure(place, EARLIER)
    frame.notes += _cut_off(frame)
    grown = "CASE WHEN p <> 0 THEN (m - p) * 1.0 / ABS(p) END"
    return {"previous_value": previous, "growth_rate": frame.sql(grown, m=now, p=previous)}


def _fits(span: Span, grain: Span) -> bool:
    if grain.seconds or grain.days == 1:
        return True
    return bool((grain.months and span.months and span.months % grain.months == 0) or (grain.days == span.days == 7))


def _cut_off(frame: Frame) -> list[str]:
    """Said where a condition on the time leaves out the periods that the first rows are compared with."""
    group = frame.question.groups[frame.time]
    filtered = (c for clause in frame.question.clauses for c in checks(clause))
    if any((c.view.name, c.member.name) == (group.view.name, group.dimension.name) for c in filtered):
        return [f"periods that the filter on {group.by.member} leaves out are no earlier period of any row"]
    return []


def _anomaly(frame: Frame, place: int) -> Columns:
    _need_statistics(frame)
    m, base = frame.measure(place), frame.measure(place, BASE)
    frame.staged[f"__mean_{place}"] = frame.over("AVG(m)", m=base)
    frame.staged[f"__spread_{place}"] = frame.over("STDDEV_POP(m)", m=base)
    given = {"m": m, "a": named(f"__mean_{place}", ROWS), "s": named(f"__spread_{place}", ROWS)}
    threshold = exp.convert(frame.used.values["threshold"])
    far = "CASE WHEN m IS NULL THEN NULL WHEN s > 0 AND ABS((m - a) / s) > t THEN 1 ELSE 0 END"
    return {
        "mean_value": given["a"],
        "stddev_value": given["s"],
        "z_score": frame.sql("CASE WHEN m IS NULL THEN NULL WHEN s > 0 THEN (m - a) / s ELSE 0 END", **given),
        "is_anomaly": frame.sql(far, t=threshold, **given),
    }


def _contribution(frame: Frame, place: int) -> Columns:
    _need_type(frame, place, _COUNTED, "has no share of a total")
    m, total = frame.measure(place), frame.total(place)
    return {"total": total, "share": frame.sql("m * 1.0 / NULLIF(t, 0)", m=m, t=total)}


def _percent_of_total(frame: Frame, place: int) -> Columns:
    _need_type(frame, place, _COUNTED, "has no share of a total")
    share = frame.sql("100.0 * m / NULLIF(t, 0)", m=frame.measure(place), t=frame.total(place))
    return {"percent_of_total": share}


def _trend(frame: Frame, place: int) -> Columns:
    _need_statistics(frame)
    frame.staged["__row_n"] = _row_number(frame)
    m, n = frame.measure(place), named("__row_n", ROWS)
    slope = frame.over("REGR_SLOPE(m, n)", series=True, m=m, n=n)
    start = frame.over("REGR_INTERCEPT(m, n)", series=True, m=m, n=n)
    value = frame.sql("i + s * n", i=start, s=slope, n=n)
    return {"row_n": n, "slope": slope, "intercept": start, "trend_value": value}


def _row_number(frame: Frame) -> exp.Expr:
    """The number of a row's period, from 1 for the first: a period without rows counts too."""
    grain = periods(1, frame.grain)
    x = frame.column(frame.time, BASE)
    if grain.months:
        n = frame.sql("EXTRACT(YEAR FROM x) * 12 + EXTRACT(MONTH FROM x)", x=x)
    else:
        n = frame.sql("EXTRACT(EPOCH FROM x)" if grain.seconds else "CAST(x AS DATE) - DATE '1970-01-01'", x=x)
    size = exp.Literal.number(grain.months or grain.days or grain.seconds)
    since = frame.sql("(n - f) / size", n=exp.paren(n), f=frame.over("MIN(n)", n=n), size=size)
    return frame.sql("CAST(ROUND(s) AS BIGINT) + 1", s=since)


def _moving_average(frame: Frame, place: int) -> Columns:
    window = frame.used.values["window"]
    if not isinstance(window, int) or not 0 < window <= 10_000:
        message = f"the window of moving_average is {window!r}"
        raise refused("bad_value", message, where="motif_params.window", hint="a whole number of earlier periods")
    time, then = frame.column(frame.time), frame.column(frame.time, EARLIER)
    first = frame.shifted(time, -periods(window, frame.grain))
    inside = [exp.GTE(this=then, expression=first), exp.LTE(this=then.copy(), expression=time.copy())]
    mean = exp.select(exp.Avg(this=frame.measure(place, EARLIER))).from_(alias(BASE, EARLIER))
    mean = mean.where(*inside, *frame.same_series(EARLIER), copy=False)
    frame.notes.append(
        f"moving_avg is over the {frame.grain} and the {window} before it by the calendar, of those that have rows"
    )
    frame.notes += _cut_off(frame)
    return {"moving_avg": exp.paren(mean, copy=False)}


def _cumulative(frame: Frame, place: int) -> Columns:
    _need_type(frame, place, _ADDED, "cannot be added up over time")
    time, m = frame.column(frame.time), frame.measure(place)
    dated = frame.sql("CASE WHEN t IS NOT NULL THEN m END", t=time, m=m)
    running = frame.over("SUM(m)", series=True, running=True, m=dated)
    frame.notes += _cut_off(frame)
    return {"cumulative_value": frame.sql("CASE WHEN t IS NOT NULL THEN r END", t=time, r=running)}


def _rank(frame: Frame, place: int) -> Columns:
    m = frame.measure(place)
    ranked = frame.sql("CASE WHEN m IS NOT NULL THEN RANK() OVER (ORDER BY m DESC NULLS LAST) END", m=m)
    return {"rank": ranked}


def alias(table: str, name: str) -> exp.Expr:
    """A table under another name."""
    read = exp.Table(this=exp.to_identifier(table, quoted=True))
    return exp.alias_(read, exp.to_identifier(name, quoted=True), table=True)


def _need_type(frame: Frame, place: int, types: tuple[str, ...], why: str) -> None:
    """Only what is counted or summed has parts that make up a whole."""
    asked = frame.question.measures[place]
    measure = asked.measure
    if measure.type not in types or measure.window or measure.non_additive or measure.shift:
        message = f"{asked.path} {why}, so motif {frame.used.motif.name} has no meaning for it"
        raise refused("not_additive", message, where=asked.path, hint="ask for a count or a sum, without a window")


def _need_statistics(frame: Frame) -> None:
    if frame.dialect.text_times:
        name = frame.used.motif.name
        message = f"{frame.dialect.name} has no aggregates that motif {name} needs"
        raise refused("not_supported", message, where="motif", hint="ask for another motif", retryable=False)


def _unfit(frame: Frame, what: str) -> Refused:
    path = frame.question.groups[frame.time].by.name
    return refused("unfit_grain", f"{what} {frame.grain}s", where=path, hint="group by another grain")


_MAKE: dict[str, Callable[[Frame, int], Columns]] = {
    **{name: partial(_earlier, unit) for name, unit in SHIFTED.items()},
    "anomaly": _anomaly,
    "contribution": _contribution,
    "trend": _trend,
    "moving_average": _moving_average,
    "rank": _rank,
    "percent_of_total": _percent_of_total,
    "cumulative": _cumulative,
}

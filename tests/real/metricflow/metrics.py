"""Metrics of a manifest taken apart: what each sums up, under which filters, and the arithmetic over it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp, parse_one

from backedge.semantic.timed import Span, Window, span_of
from tests.real.metricflow.manifest import Json, Manifest, SemanticModel

GRAINS = ("second", "minute", "hour", "day", "week", "month", "quarter", "year")


NOW = Span()


class Inexpressible(Exception):
    """Our model has no construct for a case; the message is the reason, the same for all cases of its kind."""


@dataclass(frozen=True)
class Input:
    """One aggregate: a measure of a semantic model under filters, counted in its own time.

    `window` is that of a cumulative metric, `back` how much earlier it is seen.
    """

    model: SemanticModel
    measure: str
    filters: tuple[str, ...]
    window: Window | None = None
    back: Span = NOW

    @property
    def time(self) -> str:
        """The time dimension that `metric_time` means for it."""
        return str(self.model.measures[self.measure].get("agg_time_dimension", self.model.time))


@dataclass
class Inputs:
    """The inputs that the metrics of a case need, each once; an expression names the n-th as `{n}`."""

    manifest: Manifest
    found: list[Input] = field(default_factory=list)

    def expression(self, name: str, filters: tuple[str, ...] = (), back: Span = NOW) -> str:
        """The SQL of a metric over its inputs, as it was a span earlier."""
        metric = self.manifest.metrics[name]
        params = metric["type_params"]
        filters = (*filters, *_filters(metric))
        if metric["type"] == "simple":
            return self._simple(params["measure"], filters, back)
        if metric["type"] == "cumulative":
            return self._simple(params["measure"], filters, back, _window(params))
        if metric["type"] == "ratio":
            top, bottom = (self._part(params[key], filters, back) for key in ("numerator", "denominator"))
            return f"CAST({top} AS DOUBLE) / NULLIF(CAST({bottom} AS DOUBLE), 0)"
        if metric["type"] == "derived":
            return self._derived(params, filters, back)
        raise Inexpressible(f"{metric['type']} metrics")

    def _simple(self, measure: str | Json, filters: tuple[str, ...], back: Span, window: Window | None = None) -> str:
        given: Json = {"name": measure} if isinstance(measure, str) else measure
        if given.get("join_to_timespine"):
            raise Inexpressible("rows for periods without data (join_to_timespine)")
        one = self._input(given["name"], (*filters, *_filters(given)), window, back)
        return f"COALESCE({one}, {given['fill_nulls_with']})" if "fill_nulls_with" in given else one

    def _input(self, measure: str, filters: tuple[str, ...], window: Window | None, back: Span) -> str:
        model = next(m for m in self.manifest.models.values() if measure in m.measures)
        one = Input(model, measure, tuple(sorted(set(filters))), window, back)
        if one not in self.found:
            self.found.append(one)
        return f"{{{self.found.index(one)}}}"

    def _part(self, part: str | Json, filters: tuple[str, ...], back: Span) -> str:
        given: Json = {"name": part} if isinstance(part, str) else part
        if "offset_to_grain" in given:
            raise Inexpressible("metrics as of the start of a period (offset_to_grain)")
        if "offset_window" in given:
            span = span_of(given["offset_window"])
            if span is None:
                raise Inexpressible("metrics of a custom period before (offset_window)")
            if back and [n != 0 for n, _ in back.parts] != [n != 0 for n, _ in span.parts]:
                raise Inexpressible("metrics of a custom period before (offset_window)")
            back = Span(back.months + span.months, back.days + span.days, back.seconds + span.seconds)
        return self.expression(given["name"], (*filters, *_filters(given)), back)

    def _derived(self, params: Json, filters: tuple[str, ...], back: Span) -> str:
        parts = {part.get("alias") or part["name"]: self._part(part, filters, back) for part in params["metrics"]}
        tree = parse_one(str(params["expr"]), dialect="duckdb")
        for column in list(tree.find_all(exp.Column)):
            stand_in = exp.column(f"§{column.name}§")
            tree = stand_in if column is tree else (column.replace(stand_in), tree)[1]
        sql = tree.sql(dialect="duckdb")
        for name, part in parts.items():
            sql = sql.replace(f'"§{name}§"', f"({part})")
        return sql

    def default_grain(self, name: str) -> str:
        """The grain that `metric_time` has where none is given: the metric's own, or the coarsest below it."""
        metric = self.manifest.metrics[name]
        if metric.get("time_granularity"):
            return str(metric["time_granularity"])
        params = metric["type_params"]
        if metric["type"] in ("simple", "cumulative"):
            given = params["measure"]
            measure = given if isinstance(given, str) else given["name"]
            model = next(m for m in self.manifest.models.values() if measure in m.measures)
            time = model.measures[measure].get("agg_time_dimension", model.time)
            return coarsest("day", str(model.dimensions[time]["type_params"]["time_granularity"]))
        parts: list[Any] = params.get("metrics") or [params["numerator"], params["denominator"]]
        return coarsest(*(self.default_grain(p if isinstance(p, str) else p["name"]) for p in parts))


def coarsest(*grains: str) -> str:
    """The coarsest of some grains; those finer than a second count as seconds."""
    return max(grains, key=lambda grain: GRAINS.index(grain) if grain in GRAINS else 0)


def _window(params: Json) -> Window:
    given = {**params, **(params.get("cumulative_type_params") or {})}
    if given.get("grain_to_date"):
        return Window(to_date=given["grain_to_date"])
    return Window(trailing=span_of(given["window"]) or "unbounded" if given.get("window") else "unbounded")


def _filters(given: Json) -> tuple[str, ...]:
    found = given.get("filter")
    return () if found is None else (found,) if isinstance(found, str) else tuple(found)

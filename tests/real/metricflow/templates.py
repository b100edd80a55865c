"""The `{{ … }}` of MetricFlow's cases: check queries as SQL for DuckDB, and filters with their references taken out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

_BRACES = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
PARTS = {"dow": "isodow"}
_GRAINS = (
    "nanosecond",
    "microsecond",
    "millisecond",
    "second",
    "minute",
    "hour",
    "day",
    "week",
    "month",
    "quarter",
    "year",
)


@dataclass(frozen=True)
class Reference:
    """One reference of a filter: `kind` is Dimension, TimeDimension, Entity or Metric."""

    kind: str
    name: str
    grain: str | None = None


def check_query(text: str) -> str:
    """The check query of a case as SQL."""
    return _BRACES.sub(lambda found: str(eval(found[1].strip(), dict(_HELPERS))), text)


def filter_with_references(text: str) -> tuple[str, list[Reference]]:
    """A filter as SQL in which the n-th reference is the column `__n`."""
    found: list[Reference] = []

    def refer(kind: str) -> Callable[..., str]:
        def made(name: str, grain: object = None, **_: object) -> str:
            found.append(Reference(kind, name, grain if isinstance(grain, str) else None))
            return f"__{len(found) - 1}"

        return made

    names = {kind: refer(kind) for kind in ("Dimension", "TimeDimension", "Entity", "Metric")}
    names |= {
        f"render_{kind}_template": names[name]
        for kind, name in (
            ("dimension", "Dimension"),
            ("time_dimension", "TimeDimension"),
            ("entity", "Entity"),
            ("metric", "Metric"),
        )
    }
    helpers: dict[str, Any] = {**_HELPERS, **names}
    sql = _BRACES.sub(lambda match: str(eval(match[1].strip(), helpers)), text)
    # render_time_constraint names its column as bare text
    bare = re.findall(r"CAST\((\w+) AS TIMESTAMP\) [<>]", sql)
    for name in dict.fromkeys(name for name in bare if not name.startswith("__")):
        base, _, grain = name.rpartition("__")
        sql = sql.replace(f"CAST({name} AS", f"CAST({refer('TimeDimension')(base, grain)} AS")
    return sql, found


def _later(stop: str) -> str:
    """One day, or one second where the time of day is given, after the last moment that a constraint includes."""
    if len(stop) == 10:
        return (datetime.fromisoformat(stop) + timedelta(days=1)).strftime("%Y-%m-%d")
    return (datetime.fromisoformat(stop) + timedelta(seconds=1)).strftime("%Y-%m-%d %H:%M:%S")


def _time_constraint(expr: str, start_time: str | None = None, stop_time: str | None = None) -> str:
    moment = f"CAST({expr} AS TIMESTAMP)"
    parts = [f"{moment} >= CAST('{start_time}' AS TIMESTAMP)"] if start_time else []
    parts += [f"{moment} < CAST('{_later(stop_time)}' AS TIMESTAMP)"] if stop_time else []
    return " AND ".join(parts)


def _percentile(expr: str, percentile: float, use_discrete_percentile: bool, use_approximate_percentile: bool) -> str:
    if use_approximate_percentile:
        return f"approx_quantile({expr}, {percentile})"
    name = "disc" if use_discrete_percentile else "cont"
    return f"PERCENTILE_{name.upper()}({percentile}) WITHIN GROUP (ORDER BY {expr})"


_HELPERS: dict[str, Any] = {
    "source_schema": "main",
    "mf_time_spine_source": "main.mf_time_spine",
    "double_data_type_name": "DOUBLE",
    "TimeGranularity": SimpleNamespace(**{grain.upper(): grain for grain in _GRAINS}),
    "DatePart": SimpleNamespace(**{part.upper(): part for part in ("dow", "doy", "day", "month", "quarter", "year")}),
    "cast_to_ts": lambda text: f"CAST('{text}' AS TIMESTAMP)",
    "render_time_constraint": _time_constraint,
    "render_date_trunc": lambda expr, grain: f"DATE_TRUNC('{grain}', CAST({expr} AS TIMESTAMP))",
    "render_extract": lambda expr, part: f"EXTRACT({PARTS.get(part, part)} FROM CAST({expr} AS TIMESTAMP))",
    "render_date_sub": lambda table, column, count, grain: f"({table}.{column} - INTERVAL {count} {grain})",
    "render_date_add": lambda column, count, grain: f"({column} + {count} * INTERVAL 1 {grain})",
    "render_percentile_expr": _percentile,
    "generate_random_uuid": lambda: "gen_random_uuid()",
}

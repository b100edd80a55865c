"""Runs MetricFlow's cases through our compiler; `python -m tests.real.metricflow.conform` writes the docs' page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Model
from backedge.semantic.spec import Compiled
from tests.real.metricflow.importer import imported
from tests.real.metricflow.manifest import Json, load_tables, read_cases, read_manifest
from tests.real.metricflow.metrics import Inexpressible
from tests.real.metricflow.templates import check_query

PAGE = Path(__file__).resolve().parents[3] / "docs" / "conformance.md"
Row = tuple[Any, ...]

NOT_SHOWN = "windows and earlier periods are shown up to the last period with data, not into the future"
# Answered by another rule than MetricFlow's, and why. Everything else that differs is wrong.
OTHERWISE = {
    "metrics/cumulative_time_offset_metric_with_time_constraint": (
        "a constraint of time says what is shown, and does not cut off what a window or an earlier period reads"
    ),
    "semi_additive_measure/semi_additive_measure_query_with_where_time_constraint": (
        "the first or last moment is that of each group, so a group without rows at the first moment of all is shown"
    ),
}


@dataclass(frozen=True)
class Outcome:
    """What became of a case: `equal`, `refused`, `otherwise` or `wrong`, and why."""

    case: str
    verdict: str
    reason: str = ""


def outcomes() -> list[Outcome]:
    """Every case's outcome, in the order of the files."""
    with duckdb.connect() as connection:
        types = load_tables(connection)
        manifest = cache(read_manifest)
        return [_outcome(connection, case, manifest(case["model"]), types) for case in read_cases()]


def _outcome(connection: duckdb.DuckDBPyConnection, case: Json, manifest: Any, types: Any) -> Outcome:
    try:
        ours = imported(case, manifest, types)
    except Inexpressible as reason:
        return Outcome(case["id"], "refused", str(reason))
    broken = _broken_key(connection, ours.model)
    if broken:
        return Outcome(case["id"], "refused", "a key that the manifest calls primary is not unique in the data")
    made = compile_spec(ours.model, ours.spec)
    if not isinstance(made, Compiled):
        return Outcome(case["id"], "refused", f"refused by the compiler: {made[0].kind}")
    found = connection.execute(made.sql, list(made.params)).fetchall()
    expected = connection.execute(check_query(case["check_query"]))
    names = [column[0].lower() for column in expected.description]
    if sorted(names) != sorted(name.lower() for name, _ in ours.columns):
        return Outcome(case["id"], "wrong", f"columns {names} are not {ours.columns}")
    places = [names.index(name.lower()) for name, _ in ours.columns]
    right = [tuple(row[place] for place in places) for row in expected.fetchall()]
    found = [tuple(row[place] for _, place in ours.columns) for row in found]
    if same(found, right, ordered=bool(case.get("check_order"))):
        return Outcome(case["id"], "equal")
    if case["id"] in OTHERWISE:
        return Outcome(case["id"], "otherwise", OTHERWISE[case["id"]])
    if ours.timed and is_beginning(found, right):
        return Outcome(case["id"], "otherwise", NOT_SHOWN)
    return Outcome(case["id"], "wrong", f"{len(found)} rows {found[:3]} are not the {len(right)} rows {right[:3]}")


def _broken_key(connection: duckdb.DuckDBPyConnection, model: Model) -> str | None:
    """A view that is joined to by a key that several of its rows have."""
    for view in model.views:
        for entity in (entity for entity in view.entities if entity.type == "primary"):
            keys = [found.expr for key in entity.keys if (found := view.dimension(key)) is not None]
            columns = ", ".join(keys)
            twice = f'SELECT {columns} FROM "{view.table}" GROUP BY {columns} HAVING count(*) > 1'
            present = " AND ".join(f"{key} IS NOT NULL" for key in keys)
            if connection.execute(f"{twice} AND {present} LIMIT 1").fetchall():
                return view.name
    return None


def same(ours: list[Row], theirs: list[Row], *, ordered: bool) -> bool:
    """Whether both have the same rows: exact, doubles to 1e-9, a date being its midnight."""
    mine, right = [tuple(map(plain, row)) for row in ours], [tuple(map(plain, row)) for row in theirs]
    if not ordered:
        mine, right = sorted(mine, key=_sortable), sorted(right, key=_sortable)
    return len(mine) == len(right) and all(
        close(a, b) for one, other in zip(mine, right, strict=True) for a, b in zip(one, other, strict=True)
    )


def is_beginning(ours: list[Row], theirs: list[Row]) -> bool:
    """Whether ours are theirs without all that lie after the last period that ours have; the first column is time."""
    mine = [tuple(map(plain, row)) for row in ours]
    last = max((row[0] for row in mine if isinstance(row[0], datetime)), default=None)
    if last is None:
        return False
    shown = [row for row in theirs if row[0] is None or plain(row[0]) <= last]
    return len(shown) < len(theirs) and same(ours, shown, ordered=False)


def plain(value: Any) -> Any:
    """A cell as it is compared."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day)
    return float(value) if isinstance(value, Decimal | int) and not isinstance(value, bool) else value


def close(a: Any, b: Any) -> bool:
    """Whether two cells are the same value."""
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-9) or (math.isnan(a) and math.isnan(b))
    return bool(a == b)


def _sortable(row: Row) -> list[tuple[str, str]]:
    # doubles differ in their last digits between two runs
    return [(type(cell).__name__, f"{cell:.6e}" if isinstance(cell, float) else str(cell)) for cell in row]


def page(found: list[Outcome]) -> str:
    """The text of docs/conformance.md."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: list[Outcome]) -> Iterator[str]:
    counts = Counter(outcome.verdict for outcome in found)
    yield "# Conformance"
    yield ""
    yield "<!-- written by `python -m tests.real.metricflow.conform`; tests/real/metricflow holds it in step -->"
    yield ""
    yield f"MetricFlow (dbt Labs, Apache-2.0) has {len(found)} integration cases: questions to its models, and check"
    yield "queries. A test imports the models into ours, compiles each question, and compares its rows with those of"
    yield "the check query on the same tables: exact, doubles to a relative 1e-9."
    yield ""
    yield "| equal | refused, with a reason | answered by another rule | wrong |"
    yield "|---|---|---|---|"
    yield f"| {counts['equal']} | {counts['refused']} | {counts['otherwise']} | {counts['wrong']} |"
    yield ""
    yield "What is refused is what our model has no construct for, or what the compiler cannot prove:"
    yield ""
    yield from _table([outcome for outcome in found if outcome.verdict == "refused"])
    yield ""
    yield "Answered by another rule than MetricFlow's; a test holds that the rows differ in that alone:"
    yield ""
    yield from _table([outcome for outcome in found if outcome.verdict == "otherwise"])


def _table(found: list[Outcome]) -> Iterator[str]:
    yield "| Reason | Cases | Which |"
    yield "|---|---|---|"
    for reason, count in Counter(outcome.reason for outcome in found).most_common():
        which = ", ".join(f"`{outcome.case}`" for outcome in found if outcome.reason == reason)
        yield f"| {reason} | {count} | {which} |"


if __name__ == "__main__":
    ran = outcomes()
    PAGE.write_text(page(ran), encoding="utf-8")
    print(Counter(outcome.verdict for outcome in ran))
    for wrong in (outcome for outcome in ran if outcome.verdict == "wrong"):
        print(wrong)

"""The gates of ask: pure functions that refuse a reading, a spec, a result or an answer, each with its defect."""

from __future__ import annotations

import math
from collections import Counter

from backedge.ask.charts import chart_fits
from backedge.ask.figures import Prose, figures_resolve
from backedge.ask.grounding.ground import match_option
from backedge.ask.grounding.words import tokenise
from backedge.ask.intent import Ambiguous, Intent
from backedge.ask.proposals import Compilation, Interpretation, Saying, Several, Written
from backedge.ask.states import AwaitingAnswer, Clarifying, Executing, Interpreting, Query, Solving, Specifying
from backedge.kernel.defect import Defect
from backedge.query.ports import Ran, Rejected
from backedge.query.table import Table

NUMBER_TYPES = frozenset({"count", "sum", "average", "count_distinct", "count_distinct_approx", "median"})
EMPTY_KINDS = frozenset({"empty", "all_null"})


def every_word_is_read(state: Clarifying, reading: object) -> Defect | None:
    """The tokens of an intent cover the words of the question: none is ignored."""
    if not isinstance(reading, Intent):
        return None
    read = Counter(word for token in reading.tokens for word in _words(token.text))
    asked = Counter(_words(state.question.text))
    missing = tuple((asked - read).keys())
    if not missing:
        return None
    words = ", ".join(missing[:5])
    return Defect("word_ignored", f"the reading leaves out: {words}", where="tokens", hint="read every word, or ask")


def _words(text: str) -> list[str]:
    found = []
    for word in tokenise(text):
        if word.kind == "quoted":
            found += _words(word.text)
        elif word.kind != "mark":
            found.append(word.folded)
    return found


def has_choices(state: Clarifying | Specifying, asked: object) -> Defect | None:
    """A question to a person offers two to four readings."""
    if not isinstance(asked, Ambiguous) or 2 <= len(asked.options) <= 4:
        return None
    count = len(asked.options)
    return Defect("not_a_choice", f"a question needs two to four options, not {count}", where=asked.slot)


def is_an_option(state: AwaitingAnswer, said: Saying) -> Defect | None:
    """An answer is one of the options: its value, its label or its number."""
    if len(said.values) == 1 and match_option(state.asks, said.values[0]) is not None:
        return None
    options = "; ".join(f"{n}) {option.label}" for n, option in enumerate(state.asks.options, 1))
    got = "no answer" if not said.values else ", ".join(said.values)
    return Defect("not_an_option", f"{got!r} is none of the options: {options}", hint="answer with a number or a label")


def compiles(state: Specifying, proposal: object) -> Defect | None:
    """A spec compiles; otherwise the first of its defects, with all of their messages."""
    if not isinstance(proposal, Compilation) or not proposal.defects:
        return None
    first = proposal.defects[0]
    message = "; ".join(defect.message for defect in proposal.defects)
    return Defect(first.kind, message, first.where, first.hint, first.near, retryable=False)


def has_parts(state: Specifying, proposal: object) -> Defect | None:
    """A question in parts has at least two, all of them different from the whole."""
    if not isinstance(proposal, Several):
        return None
    parts = {part.strip().casefold() for part in proposal.questions}
    whole = state.came_from.question.text.strip().casefold()
    if len(parts) == len(proposal.questions) >= 2 and whole not in parts:
        return None
    return Defect("not_parts", "a question in parts needs at least two different parts, none of them the whole")


def has_sql(state: Solving, written: Written) -> Defect | None:
    """There is SQL; where there is none, the reason is the defect."""
    if written.sql.strip():
        return None
    return Defect("no_sql", written.reason or "no SQL was written", retryable=False)


def ran(state: Executing, result: Ran | Rejected) -> Defect | None:
    """The guard and the database took the query."""
    if isinstance(result, Ran):
        return None
    return Defect(f"sql_{result.kind}", result.message, where="sql", near=result.near, retryable=False)


def well_formed(state: Executing, result: Ran | Rejected) -> Defect | None:
    """The result has the columns that the query promised, and numbers where it promised numbers."""
    return malformed(state.query, result.table) if isinstance(result, Ran) else None


def not_empty(state: Executing, result: Ran | Rejected) -> Defect | None:
    """There are rows."""
    return empty(state.query, result.table) if isinstance(result, Ran) else None


def not_all_null(state: Executing, result: Ran | Rejected) -> Defect | None:
    """At least one measure has a value."""
    return all_null(state.query, result.table) if isinstance(result, Ran) else None


def no_duplicate_groups(state: Executing, result: Ran | Rejected) -> Defect | None:
    """Each group comes once."""
    return duplicated(state.query, result.table) if isinstance(result, Ran) else None


def result_defects(query: Query, table: Table) -> tuple[Defect, ...]:
    """Every defect of a result, for results that do not come by Executing."""
    found = (check(query, table) for check in (malformed, empty, all_null, duplicated))
    return tuple(defect for defect in found if defect is not None)


def malformed(query: Query, table: Table) -> Defect | None:
    """A result whose columns are not those of the query, or whose numbers are none."""
    if not table.columns:
        return Defect("malformed", "the result has no columns", where="columns", retryable=False)
    if not query.columns:
        return None
    promised, got = [c.name for c in query.columns], [c.name for c in table.columns]
    if promised != got:
        said = f"the query promised the columns {', '.join(promised)} and the result has {', '.join(got)}"
        return Defect("malformed", said, where="columns", retryable=False)
    for promise, column in zip(query.columns, table.columns, strict=True):
        if promise.type in NUMBER_TYPES and column.kind not in ("integer", "decimal", "double"):
            message = f"{promise.name} is a {promise.type}, but its column holds {column.type}"
            return Defect("malformed", message, where=promise.name, retryable=False)
    return _not_finite(table)


def _not_finite(table: Table) -> Defect | None:
    for index, column in enumerate(table.columns):
        if column.kind == "double" and any(
            cell is not None and not math.isfinite(cell) for cell in _cells(table, index)
        ):
            return Defect(
                "malformed", f"{column.name} has a value that is no finite number", column.name, retryable=False
            )
    return None


def _cells(table: Table, index: int) -> list[float | None]:
    return [row[index] for row in table.rows]


def empty(query: Query, table: Table) -> Defect | None:
    """A result without rows: nothing may be said of it, least of all that there were none."""
    if table.rows:
        return None
    filters = f" under {'; '.join(query.filters)}" if query.filters else ""
    return Defect("empty", f"the query found no rows{filters}", where="rows", retryable=False)


def all_null(query: Query, table: Table) -> Defect | None:
    """A result whose measures are all NULL."""
    measures = [i for i, c in enumerate(query.columns) if c.kind == "measure"]
    if not query.columns and len(table.rows) == 1:
        measures = list(range(len(table.columns)))
    if not measures or not table.rows or any(row[i] is not None for row in table.rows for i in measures):
        return None
    filters = f" under {'; '.join(query.filters)}" if query.filters else ""
    return Defect("all_null", f"no row has a value{filters}", where="rows", retryable=False)


def duplicated(query: Query, table: Table) -> Defect | None:
    """A result in which a group comes twice: a join has repeated rows."""
    keys = [i for i, c in enumerate(query.columns) if c.kind == "dimension"]
    if not keys:
        return None
    seen = Counter(tuple(row[i] for i in keys) for row in table.rows)
    twice = [key for key, count in seen.items() if count > 1]
    if not twice:
        return None
    group = ", ".join("no value" if part is None else str(part) for part in twice[0])
    message = f"{len(twice)} groups come more than once, such as {group}"
    return Defect("duplicate_groups", message, where="rows", retryable=False)


def figures_hold(state: Interpreting, said: Interpretation) -> Defect | None:
    """Every number of the text is a cell of the result, or a computation over cells."""
    source = state.came_from
    if state.ran is None or not isinstance(source, Executing):
        return None
    query = source.query
    prose = Prose(said.text, said.figures)
    return figures_resolve(prose, intent_of(source), query.columns, state.ran.table, query.filters)


def chart_holds(state: Interpreting, said: Interpretation) -> Defect | None:
    """The chart's fields are the result's columns."""
    if said.chart is None or state.ran is None:
        return None
    return chart_fits(said.chart, state.ran.table)


def says_something(state: Interpreting, said: Interpretation) -> Defect | None:
    """There are words."""
    return None if said.text.strip() else Defect("no_words", "the answer has no words", where="text")


def intent_of(state: Executing) -> Intent:
    """The intent that a query was made for."""
    before = state.came_from
    return before.came_from.intent if isinstance(before, Solving) else before.intent

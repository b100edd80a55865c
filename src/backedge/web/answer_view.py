"""An answer as its page shows it: prose in pieces whose figures point at cells, one page of rows, kinds of chart."""

from __future__ import annotations

import json
from typing import Any

from backedge.ask.answer import Found, rows_of
from backedge.ask.chart_kinds import chart_kinds
from backedge.kernel.run import Run
from backedge.query.csv_text import plain_cell
from backedge.query.written_out import written_out

ROWS = 100  # of a page


def answer_view(form: Found, page: int) -> dict[str, Any]:
    """The form with one page of its rows (from 1), and what only a page needs. Nothing of it is lost in JSON."""
    count = len(form["rows"])
    pages = max(1, -(-count // ROWS))
    page = min(max(1, page), pages)
    first = (page - 1) * ROWS
    names = [column["name"] for column in form["columns"]]
    shown = form["rows"][first : first + ROWS]
    return {
        "form": {**form, "rows": shown, "row_count": count, "page": page, "pages": pages, "first": first},
        "prose": pieces(form["answer"] or "", form["figures"], names, page),
        "cells": [[plain_cell(cell) for cell in row] for row in shown],
        "numeric": [column["kind"] in ("integer", "decimal", "double") for column in form["columns"]],
    }


def pieces(text: str, figures: list[Found], names: list[str], page: int) -> list[dict[str, Any]]:
    """The text in order, cut at its figures; a figure has its cells' ids, where its first one is, and what it says."""
    found: list[dict[str, Any]] = []
    at = 0
    for figure in sorted(figures, key=lambda each: each["start"]):
        if figure["start"] < at:
            continue
        if figure["start"] > at:
            found.append({"text": text[at : figure["start"]], "cells": [], "says": ""})
        found.append(_figure(figure, names, page))
        at = figure["end"]
    if text[at:]:
        found.append({"text": text[at:], "cells": [], "says": ""})
    return found


def _figure(figure: Found, names: list[str], page: int) -> dict[str, Any]:
    cells = [(int(row), names.index(name)) for row, name in figure["cells"] if name in names]
    ids = [cell_id(row, column) for row, column in cells]
    where = [f"row {row + 1} of {names[column]}" for row, column in cells]
    counted = figure["computation"]
    column = counted.rpartition(" of ")[2]
    if not ids and column in names:
        ids = [f"h-{names.index(column)}"]
    rows = cells[0][0] // ROWS + 1 if cells else page
    link = f"#{ids[0]}" if ids and rows == page else f"?page={rows}#{ids[0]}" if ids else "#rows"
    said = "; ".join(part for part in (counted, ", ".join(where[:5])) if part) or "the result"
    return {"text": figure["text"], "cells": ids, "link": link, "says": f"{figure['value']}: {said}"}


def cell_id(row: int, column: int) -> str:
    """The id of a cell's element."""
    return f"c-{row}-{column}"


def kinds_of(run: Run, form: Found) -> dict[str, dict[str, Any]]:
    """The charts that the answer may be shown as, the drawn one first."""
    ran = rows_of(run.state)
    return chart_kinds(form["chart"], ran.table) if ran else {}


def plain_sql(form: Found, dialect: str) -> str:
    """The SQL with its values written out; as it ran where that cannot be."""
    if not form["sql"]:
        return ""
    return written_out(form["sql"], form["params"], dialect) or str(form["sql"])


def as_text(value: object) -> str:
    """Anything of a view as text that can be compared."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str, indent=1)

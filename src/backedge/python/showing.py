"""How an answer is shown in a notebook or printed: its text, a table of its first rows, what it asks back."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from backedge.ask.answer import Found
from backedge.query.csv_text import plain_cell

SHOWN = 50  # rows
NUMBERS = ("integer", "decimal", "double")


def as_text(form: Found) -> str:
    """As plain text."""
    return "\n".join([*_said(form), *_grid(form), *(line for part in _parts(form) for line in ("", as_text(part)))])


def as_html(form: Found) -> str:
    """As HTML without style or script; everything of it is escaped."""
    said = [f'<p dir="auto">{escape(line)}</p>' for line in _said(form)]
    parts = [as_html(part) for part in _parts(form)]
    sql = f"<details><summary>SQL</summary><pre>{escape(form['sql'])}</pre></details>" if form["sql"] else ""
    return "\n".join([*said, *_table(form), sql, *parts]).strip()


def _parts(form: Found) -> list[Found]:
    return list(form.get("parts") or ())


def _said(form: Found) -> Iterator[str]:
    if form["status"] != "needs_input":
        yield str(form["answer"] or "")
        for hint in form["hints"]:
            yield str(hint)
    for asks in form["questions"]:
        yield str(asks["prompt"])
        for number, option in enumerate(asks["options"], 1):
            yield f"  {number}) {option['label']}"
    if form["questions"]:
        yield "Go on with answer.reply(…): a number or a label for each question."


def _cells(form: Found) -> list[list[str]]:
    return [[text if (text := plain_cell(cell)) is not None else "" for cell in row] for row in form["rows"][:SHOWN]]


def _left_out(form: Found) -> str:
    count = len(form["rows"])
    more = f"{SHOWN} of {count} rows are shown; all are in .rows" if count > SHOWN else ""
    cut = "the result was cut: there are more rows in the database" if form["truncated"] else ""
    return "; ".join(part for part in (more, cut) if part)


def _grid(form: Found) -> list[str]:
    if not form["columns"]:
        return []
    names, rows = [str(column["name"]) for column in form["columns"]], _cells(form)
    widths = [max(len(row[at]) for row in (names, *rows)) for at in range(len(names))]
    right = [column["kind"] in NUMBERS for column in form["columns"]]

    def line(cells: list[str]) -> str:
        padded = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(cells, widths, right, strict=True)]
        return "  ".join(padded).rstrip()

    left_out = _left_out(form)
    return ["", line(names), *(line(row) for row in rows), *([left_out] if left_out else [])]


def _table(form: Found) -> list[str]:
    if not form["columns"]:
        return []
    heads = "".join(f'<th scope="col">{escape(str(column["name"]))}</th>' for column in form["columns"])
    rows = "\n".join(_row(form["columns"], row) for row in _cells(form))
    left_out = _left_out(form)
    caption = f"<caption>{escape(left_out)}</caption>" if left_out else ""
    return [f"<table>{caption}<thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table>"]


def _row(columns: list[dict[str, Any]], row: list[str]) -> str:
    cells = [
        f'<td align="right">{escape(cell)}</td>' if column["kind"] in NUMBERS else f'<td dir="auto">{escape(cell)}</td>'
        for column, cell in zip(columns, row, strict=True)
    ]
    return f"<tr>{''.join(cells)}</tr>"

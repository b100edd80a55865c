"""An output as the text of a file: CSV, JSON, SQL or plain text."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping

from pydantic import JsonValue

from backedge.automations.outputs import Output, cell_text, json_of
from backedge.automations.tasks import ExportFormat


def file_text(output: Output, format: ExportFormat) -> str:
    """The output in that format. Exact: decimals and dates stand as text; what has no rows is its text."""
    return _WRITERS[format](output)


def _csv(output: Output) -> str:
    if output.table is None:
        return output.text
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(column.name for column in output.table.columns)
    writer.writerows([cell_text(cell) for cell in row] for row in output.table.rows)
    return sheet.getvalue()


def _json(output: Output) -> str:
    return json.dumps(data_of(output), ensure_ascii=False, indent=2) + "\n"


def data_of(output: Output) -> JsonValue:
    """The output as JSON: rows as objects, items as objects, text as text."""
    if output.table is not None:
        names = [column.name for column in output.table.columns]
        return [{name: json_of(cell) for name, cell in zip(names, row, strict=True)} for row in output.table.rows]
    if output.items:
        return [{"value": i.value, **{p.name: data_of(p.output) for p in i.parts}} for i in output.items]
    return output.text if output.data is None else output.data.get("value")


def _sql(output: Output) -> str:
    return f"{(output.sql or output.text).strip()}\n"


def _text(output: Output) -> str:
    return output.text


_WRITERS: Mapping[ExportFormat, Callable[[Output], str]] = {"csv": _csv, "json": _json, "sql": _sql, "txt": _text}

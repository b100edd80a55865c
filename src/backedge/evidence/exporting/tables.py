"""Records as JSON lines and CSV: one line for each record, or for each span."""

from __future__ import annotations

import csv
import io
import json

from backedge.evidence.exporting.exported import Exported, record_body

COLUMNS = (
    "key",
    "kind",
    "statement",
    "species",
    "population",
    "treatment",
    "comparator",
    "endpoint",
    "direction",
    "effect",
    "units",
    "n",
    "standing",
    "source_may_be_used",
    "source",
    "version",
    "section",
    "role",
    "start",
    "end",
    "exact",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def json_lines(exported: Exported) -> str:
    """One JSON object a line, keys in a fixed order."""
    return "".join(
        json.dumps(record_body(each), ensure_ascii=False, sort_keys=True) + "\n" for each in exported.records
    )


def comma_separated(exported: Exported) -> str:
    """One line for each span of each record; a record without any has one line.

    A cell that a spreadsheet would take for a formula begins with an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for each in exported.records:
        body = record_body(each)
        spans = [span for found in each.record.spans for span in found]
        places: list[tuple[str, ...]] = [(s.section, s.role, str(s.start), str(s.end), s.exact) for s in spans] or [
            ("", "", "", "", "")
        ]
        for place in places:
            cells = [str(body[name]) for name in COLUMNS[:16]] + list(place)
            writer.writerow([f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in cells])
    return out.getvalue()

"""Records as JSON lines and CSV: one line for each record, or for each span."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from typing import Any

from backedge.evidence.exporting.exported import Exported, decision_body, record_body, version_body

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
    """The records, one JSON object a line, keys in a fixed order."""
    return _lines(record_body(each) for each in exported.records)


def version_lines(exported: Exported) -> str:
    """The versions with every judgement on them, one JSON object a line."""
    return _lines(version_body(each) for each in exported.versions)


def decision_lines(exported: Exported) -> str:
    """The decision log: every decision on the records, and on those that they were mended from, once each."""
    decided = {(each.record, each.number): each for record in exported.records for each in record.decided}
    return _lines(decision_body(decided[key]) for key in sorted(decided))


def _lines(bodies: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(body, ensure_ascii=False, sort_keys=True) + "\n" for body in bodies)


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

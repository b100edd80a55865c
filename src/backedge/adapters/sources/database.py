"""Measurements from a database as a source: the rows of one guarded SELECT, delivered as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from backedge.evidence.sources import Delivery, Metadata
from backedge.kernel.defect import Permanent
from backedge.query.ports import Connector, Rejected


class DatabaseSource:
    """Brings rows of databases by `DATABASE:SELECT …`. The connectors guard each statement: only one SELECT passes.

    Every method raises `Transient`, `RateLimited` or `Permanent`, as a connector does.
    """

    def __init__(self, connectors: Mapping[str, Connector]) -> None:
        self._connectors = connectors

    @property
    def name(self) -> str:
        """`sql`."""
        return "sql"

    async def fetch(self, identifier: str) -> Delivery:
        """The rows of the query, NULL as an empty text.

        Raises `Permanent` for a name that is no database, a statement that the guard or the database refuses, and more
        rows than a query may give: a part of them would pass for the whole.
        """
        database, colon, sql = identifier.partition(":")
        if not colon or not sql.strip():
            raise Permanent(f"`{identifier[:80]}` names no query", mend="write it as DATABASE:SELECT …")
        connector = self._connectors.get(database.strip())
        if connector is None:
            known = ", ".join(sorted(self._connectors)) or "none"
            raise Permanent(f"there is no database `{database.strip()}`", mend=f"name one of these: {known}")
        ran = await connector.run(sql.strip())
        if isinstance(ran, Rejected):
            near = f" (near: {', '.join(ran.near)})" if ran.near else ""
            raise Permanent(f"the query was refused: {ran.message}{near}", mend="mend the SELECT, and add it again")
        if ran.table.truncated:
            cap = ran.table.truncated
            raise Permanent(f"the query gives more {cap} than one may", mend="narrow it with WHERE, or add it in parts")
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([column.name for column in ran.table.columns])
        writer.writerows([["" if cell is None else str(cell) for cell in row] for row in ran.table.rows])
        content = text.getvalue().encode("utf-8")
        return Delivery(content, "text/csv", f"{database.strip()}.csv", Metadata(title=f"Rows of {database.strip()}"))

"""What `backedge records` does and prints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from backedge.assembling.cataloguing import source_named
from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.opening_evidence import open_evidence
from backedge.assembling.reviewing import reviews_of
from backedge.cli.lines import one_line
from backedge.cli.record_page import print_record, record_data
from backedge.evidence import kinds
from backedge.evidence.records import EvidenceRecord
from backedge.query.exact_json import dumps

STATEMENT = 90


@dataclass(frozen=True)
class Wanted:
    """Which records are listed."""

    source: str
    kind: str | None
    standing: str | None
    usable: bool
    limit: int

    @property
    def narrow(self) -> bool:
        """Whether some are left out."""
        return bool(self.source or self.kind or self.standing or self.usable)


async def list_records(folder: Path, wanted: Wanted, as_json: bool) -> None:
    """Print a line for each record that is wanted, or their JSON."""
    app = open_evidence(folder)
    try:
        source = (await source_named(app.library, wanted.source)).id if wanted.source else ""
        lines: list[dict[str, Any]] = []
        more = False
        eligible: dict[str, bool] = {}
        for record in await app.library.all(kinds.RECORD):
            if (source and record.source != source) or (wanted.kind and record.proposal.kind != wanted.kind):
                continue
            line = await _line(app, record, eligible)
            if (wanted.standing and line["standing"] != wanted.standing) or (wanted.usable and not line["usable"]):
                continue
            if more := len(lines) == wanted.limit:
                break
            lines.append(line)
    finally:
        await app.close()
    if as_json:
        click.echo(dumps({"records": lines, "more": more}, 2))
        return
    for line in lines:
        unusable = "" if line["source_eligible"] else "  (its source may not be used)"
        statement = one_line(line["statement"], STATEMENT)
        click.echo(f"{line['key']}  {line['standing']:<11}  {line['kind']:<7}  {statement}{unusable}")
    if not lines:
        click.echo("no record is so" if wanted.narrow else "no record: backedge ingest FILE, FOLDER or identifier")
    if more:
        click.echo(f"… more than {wanted.limit}; see --limit")


async def _line(app: EvidenceApp, record: EvidenceRecord, eligible: dict[str, bool]) -> dict[str, Any]:
    if record.version not in eligible:
        judgement = await app.library.judgement(record.version)
        eligible[record.version] = judgement is not None and judgement.eligible
    standing = await app.library.standing(record.key)
    status = standing.status if standing else "proposed"
    return {
        "key": record.key,
        "kind": record.proposal.kind,
        "standing": status,
        "statement": record.proposal.statement,
        "source": record.source,
        "source_eligible": eligible[record.version],
        "usable": status == "accepted" and eligible[record.version],
    }


async def show_record(folder: Path, key: str, as_json: bool) -> None:
    """Print a record."""
    app = open_evidence(folder)
    try:
        data = await record_data(app, await reviews_of(app).reviewed(key))
    finally:
        await app.close()
    click.echo(dumps(data, 2)) if as_json else print_record(data)

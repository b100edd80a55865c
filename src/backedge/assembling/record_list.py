"""The records of a project in lines: one form for all faces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backedge.assembling.cataloguing import source_named
from backedge.assembling.evidence import EvidenceApp
from backedge.evidence import kinds
from backedge.evidence.records import EvidenceRecord


@dataclass(frozen=True)
class Wanted:
    """Which records are listed."""

    source: str = ""
    kind: str | None = None
    standing: str | None = None
    usable: bool = False
    limit: int = 200

    @property
    def narrow(self) -> bool:
        """Whether some are left out."""
        return bool(self.source or self.kind or self.standing or self.usable)


async def records_data(app: EvidenceApp, wanted: Wanted) -> dict[str, Any]:
    """A line for each record that is wanted, and whether there are `more` than the limit. Raises `Permanent`."""
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
    return {"records": lines, "more": more}


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

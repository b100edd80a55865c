"""What a source says of others, as records: its relations, and for each source that it names a notice."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.facts import Notice
from backedge.evidence.sources import Metadata
from backedge.kernel.stage import Record


def noticed(source: str, metadata: Metadata) -> tuple[Record, ...]:
    """The records of all relations that the metadata of a source state."""
    found: list[Record] = []
    for relation in metadata.relations:
        found.append(kinds.RELATED.record(kinds.Related(source, relation)))
        at = relation.at or (str(metadata.year) if metadata.year else "")
        notice = Notice(relation.kind, source, metadata.title, relation.other, at)
        found += [kinds.NOTICED.record(kinds.Noticed(name, notice)) for name in relation.other.named()]
    return tuple({(record.kind, record.key): record for record in found}.values())

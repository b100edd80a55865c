"""Measuring: values with units from rows and tables; a unit outside the table is kept as written and marked invalid."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.ingest.ports import IngestPorts
from backedge.evidence.ingest.states import Judging, Measured, Measuring
from backedge.evidence.measuring import measured, measured_in_tables
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Measuring, ports: IngestPorts, lesson: Lesson) -> Measured:
    """The measurements of the version. What was measured before stays, whatever the unit table says since."""
    version = state.version.content
    kept = await ports.library.one(kinds.MEASUREMENTS, version)
    if kept is not None:
        return Measured(kept.measurements)
    text = await ports.library.text(version)
    in_tables = measured_in_tables(text.tables, version, ports.units)
    return Measured((*measured(text.rows, version, ports.units), *in_tables))


def settle(state: Measuring, found: Measured) -> Settled[Judging]:
    """They are recorded together."""
    kept = kinds.Measurements(state.version.content, found.measurements)
    return Settled(Judging(state.wanted, state.version), records=(kinds.MEASUREMENTS.record(kept),))


MEASURING = Stage(state=Measuring, proposal=Measured, propose=propose, settle=settle)

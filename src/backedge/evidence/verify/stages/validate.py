"""Validating: every span resolves, required fields are there, no status is asserted; no model is asked."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.records import Standing
from backedge.evidence.texts import reading_of
from backedge.evidence.validation import sameness, validate
from backedge.evidence.verify.attempts import returned
from backedge.evidence.verify.ports import VerifyPorts
from backedge.evidence.verify.states import InReview, Kept, Validating, Validation, Verifying, Withheld
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Validating, ports: VerifyPorts, lesson: Lesson) -> Validation:
    """What is wrong with the record, its spans read against the text that is stored now.

    A record that stands already came a second time, as from a part that is extracted over.
    """
    before = await ports.library.standing(state.record.key)
    if before is not None and before.number > state.standing:
        return Validation((), before)
    text = await ports.library.text(state.record.version)
    reading = await reading_of(text, ports.contents)
    earlier = await ports.library.alike(state.record.version, sameness(state.record))
    return Validation(validate(state.record, reading.text, text.text, reading.sections, earlier))


def settle(state: Validating, found: Validation) -> Settled[Verifying | InReview | Withheld | Kept]:
    """A sound record is verified; another is quarantined with its defects, or waits again for who mended it."""
    if found.before is not None:
        return Settled(Kept(state.record, found.before.number))
    record, number = state.record, state.standing + 1
    alike = kinds.Alike(record.version, sameness(record), record.key)
    told = (kinds.VALIDATED.record(kinds.Validated(record.key, number, found.defects)), kinds.ALIKE.record(alike))
    if not found.defects:
        return Settled(
            Verifying(record, number, state.mended),
            records=(*told, kinds.STANDING.record(Standing(record.key, number, "proposed", "rules"))),
        )
    reason = "; ".join(defect.message for defect in found.defects)
    if state.mended is not None:
        end, written = returned(record, number, None, f"as it was mended it is refused: {reason}", found.defects)
        return Settled(end, records=(*told, written))
    withheld = Standing(record.key, number, "quarantined", "rules", reason, tuple(d.kind for d in found.defects))
    return Settled(Withheld(record, number, found.defects), records=(*told, kinds.STANDING.record(withheld)))


VALIDATING = Stage(state=Validating, proposal=Validation, propose=propose, settle=settle)

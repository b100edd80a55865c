"""Verifying: the record beside its resolved passages, by a model and by rules; a failed check forbids "entailed"."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.decisions import Decision
from backedge.evidence.flags import flags_of
from backedge.evidence.judging import forbids, refused
from backedge.evidence.passages import around_of, passages_of
from backedge.evidence.records import CHECKS, Flag, Standing, Status, Verification
from backedge.evidence.texts import reading_of
from backedge.evidence.verdicts import Action, lowered, verdict
from backedge.evidence.verify.attempts import MOST_ATTEMPTS, returned, withheld
from backedge.evidence.verify.ports import VerifyPorts
from backedge.evidence.verify.states import (
    Accepted,
    Forbidden,
    GivingUp,
    InReview,
    Reextracting,
    Rejected,
    Verifying,
    Withheld,
)
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Lesson, Record, Reply, Settled, Stage, Unreadable

# Measured on ten articles: what a model of 1.5 B calls entailed is wrong too often to be let through by itself.
SMALL = (Flag("small_model", "scope", "the model that verified this is small: a person decides", "ambiguous"),)


async def propose(state: Verifying, ports: VerifyPorts, lesson: Lesson) -> Reply[Verification | Forbidden] | Unreadable:
    """What the model says of the record beside its passages, and what the rules say beside that."""
    if (judgement := await forbids(ports.library, state.record.version)) is not None:
        return Reply(Forbidden(judgement))
    if ports.verifier is None:
        raise Permanent("verifying needs a model, and there is none here", mend=ports.mend)
    record = state.record
    reading = await reading_of(await ports.library.text(record.version), ports.contents)
    passages, around = passages_of(record, reading), around_of(record, reading)
    reply = await ports.verifier.verify(record.proposal, passages, around, lesson)
    if isinstance(reply, Unreadable):
        return reply
    said = reply.proposal
    flags = (*flags_of(record.proposal, passages, around), *(SMALL if ports.verifier.small else ()))
    label = lowered(said.label, said.checks, flags)
    return Reply(Verification(label, said.checks, said.reason, said.label, flags), reply.usage, reply.details)


def version_may_be_used(_state: Verifying, found: Verification | Forbidden) -> Defect | None:
    """Only a record whose version may be used now is shown to a model."""
    return refused(found.judgement) if isinstance(found, Forbidden) else None


def all_five_checks(_state: Verifying, verification: Verification | Forbidden) -> Defect | None:
    """Each of the five checks must be there once, with a reason."""
    if isinstance(verification, Forbidden):
        return None
    names = [check.name for check in verification.checks]
    missing = [name for name in CHECKS if names.count(name) != 1]
    if missing:
        return Defect("checks_missing", f"each check must be given once: {', '.join(missing)}", "checks")
    silent = [check.name for check in verification.checks if not check.reason.strip()]
    if silent:
        return Defect("check_without_reason", f"these checks have no reason: {', '.join(silent)}", "checks")
    return None


def failed_check_forbids_entailed(_state: Verifying, verification: Verification | Forbidden) -> Defect | None:
    """Where a check failed, the model may not say "entailed"."""
    if isinstance(verification, Forbidden):
        return None
    failed = [check.name for check in verification.checks if check.outcome == "failed"]
    if verification.said != "entailed" or not failed:
        return None
    hint = "either the check did not fail, or the label is not entailed"
    return Defect(
        "entailed_with_failed_check", f"entailed, though these checks failed: {', '.join(failed)}", "label", hint
    )


def settle(
    state: Verifying, found: Verification | Forbidden
) -> Settled[Accepted | Rejected | InReview | Reextracting | Withheld]:
    """Where one table sends the record: accepted, rejected, to a person, back to its source, or into quarantine."""
    assert isinstance(found, Verification)  # the gate lets nothing else through
    record, number = state.record, state.standing + 1
    action, why, kind = verdict(found)
    verified = kinds.VERIFIED.record(kinds.Verified(record.key, number, found))
    defects = (Defect(kind, why, "record"),) if kind else ()
    if state.mended is not None:
        return _mended(state, state.mended, found, verified)
    if action == "retry" and record.attempt < MOST_ATTEMPTS:
        again = Standing(record.key, number, "proposed", "rules", f"extracted again: {why}", (kind,))
        return Settled(Reextracting(record, number, defects), records=(verified, kinds.STANDING.record(again)))
    if action in ("retry", "quarantine"):
        kept, written = withheld(record, number, defects)
        return Settled(kept, records=(verified, written))
    status, end = _end(state, number, action, why, found)
    written = kinds.STANDING.record(Standing(record.key, number, status, "verifier", why, (kind,) if kind else ()))
    return Settled(end, records=(verified, written))


def _mended(
    state: Verifying, mended: Decision, found: Verification, verified: Record
) -> Settled[Accepted | Rejected | InReview | Reextracting | Withheld]:
    """The reviewer's word stands on what a person is there to decide; on anything worse the record waits again."""
    record, number = state.record, state.standing + 1
    action, why, kind = verdict(found)
    if action in ("accept", "review"):
        by = f"reviewer:{mended.by}"
        written = kinds.STANDING.record(Standing(record.key, number, "accepted", by, mended.reason))
        return Settled(Accepted(record, number), records=(verified, written))
    again, written = returned(record, number, found, f"as it was mended: {why}", (Defect(kind, why, "record"),))
    return Settled(again, records=(verified, written))


def _end(
    state: Verifying, number: int, action: Action, why: str, found: Verification
) -> tuple[Status, Accepted | Rejected | InReview]:
    record = state.record
    if action == "accept":
        return "accepted", Accepted(record, number)
    if action == "reject":
        return "rejected", Rejected(record, number, why)
    return "in_review", InReview(record, number, found, why)


def inputs(state: Verifying) -> object:
    """What a reply depends on: the record with its spans."""
    return (state.record.version, state.record.proposal, state.record.spans)


VERIFYING = Stage(
    state=Verifying,
    proposal=Verification | Forbidden,
    propose=propose,
    settle=settle,
    gates=(version_may_be_used, all_five_checks, failed_check_forbids_entailed),
    otherwise=GivingUp,
    reuse=True,
    inputs=inputs,
    settings=lambda ports: ports.verifier.settings if ports.verifier else None,
    model="evidence",
    varies=True,
)

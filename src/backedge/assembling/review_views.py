"""What waits for a person, and a record or a judgement as a reviewer sees it: one form for all faces."""

from __future__ import annotations

from typing import Any

from backedge.ask.attempts import attempt_of
from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.investigating import Investigations, inquiry_key
from backedge.assembling.reviewing import reviews_of
from backedge.evidence import kinds
from backedge.evidence.inquire.states import AwaitingSufficiency
from backedge.evidence.record_view import record_data
from backedge.evidence.reviewed import Waits
from backedge.kernel.codec import adapter
from backedge.kernel.run import Run

SENT = frozenset({"lesson", "sent"})  # what a model was told: `runs show RUN --prompts` prints it


async def queue_data(app: EvidenceApp, limit: int) -> dict[str, Any]:
    """What waits: judgements that one record alone affirms, then records, the oldest first; at most `limit`."""
    judgements = [judgement_line(run) for run in await Investigations(app).waiting_inquiries()]
    found = [*judgements, *map(_line, await reviews_of(app).queue(limit + 1))]
    return {"waiting": found[:limit], "more": len(found) > limit}


def _line(waits: Waits) -> dict[str, Any]:
    state = waits.state
    return {
        "what": "record",
        "key": state.record.key,
        "run": waits.run,
        "kind": state.record.proposal.kind,
        "statement": state.record.proposal.statement,
        "source": state.record.source,
        "why": state.why,
        "standing_number": state.standing,
        "decided": waits.decided,
    }


def judgement_line(run: Run) -> dict[str, Any]:
    """A judgement that waits, as a line of the queue."""
    state: AwaitingSufficiency = run.state
    return {
        "what": "sufficiency",
        "key": inquiry_key(run),
        "run": run.id,
        "kind": "judgement",
        "statement": f"{state.sufficiency.status}: {state.inquiry.question.text}",
        "source": "",
        "why": f"record {state.sufficiency.only_affirmative} alone affirms it",
        "standing_number": 0,
        "decided": 0,
    }


async def review_data(app: EvidenceApp, key: str, by: str) -> dict[str, Any]:
    """A record as `by` may see it, with the run that waits with it (None: none does) and its attempts."""
    reviews = reviews_of(app)
    reviewed = await reviews.reviewed(key, by)
    data = await record_data(app.library, app.contents, reviewed)
    waits = await reviews.waiting(reviewed.record, by)
    return {
        **data,
        "run": waits.run if waits else None,
        "why": waits.state.why if waits else "",
        "attempts": [_attempt(attempt_of(done)) for done in waits.attempts] if waits else [],
    }


def _attempt(attempt: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attempt.items() if name not in SENT}


async def judgement_data(app: EvidenceApp, run: Run) -> dict[str, Any]:
    """A judgement that waits: the question, the one record with its `statement`, all assessments, the gaps."""
    state: AwaitingSufficiency = run.state
    only = await app.library.one(kinds.RECORD, state.sufficiency.only_affirmative)
    shown = adapter(AwaitingSufficiency).dump_python(state, mode="json")
    statement = only.proposal.statement if only else ""
    return {"what": "sufficiency", "key": inquiry_key(run), "run": run.id, "statement": statement, **shown}

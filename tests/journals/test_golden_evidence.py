"""Journals of the evidence workflows, kept: every released shape of theirs still folds to the end that it had."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from backedge.assemble import workflow_named
from backedge.kernel.journal import Stored, entry_from_json
from backedge.kernel.run import Run, fold
from backedge.kernel.workflow import Workflow

FOLDER = Path(__file__).parent / "evidence"
READ = "Fetching Recording Parsing"
JUDGED = f"{READ} Chunking Measuring Judging"
SOUGHT = "Planning Executing Sorting"
SUPPLEMENTED = "Supplementing Executing Sorting"
WEIGHED = "Resolving Assessing Weighing"
REVIEWED = f"ExtractingFacets RoundTripping{' AwaitingFacets' * 6}"
PROPOSED = "DerivingQuestions AwaitingInquiries Packaging Proposing"
TRAILS = {
    "extract_extracted": "ExtractingPart PartExtracted",
    "extract_failed": "ExtractingPart Salvaging PartFailed",
    "extract_ineligible": "ExtractingPart Salvaging PartIneligible",
    "ingest_duplicate": "Fetching Recording Duplicate",
    "ingest_extraction_failed": f"{JUDGED} Extracting AwaitingParts ExtractionFailed",
    "ingest_ineligible": f"{JUDGED} Ineligible",
    "ingest_ingested": f"{JUDGED} Extracting AwaitingParts Ingested",
    "ingest_paused": f"{READ} Chunking",
    "ingest_quarantined": f"{READ} Judging Quarantined",
    "inquire_failed": "Planning InquiryFailed",
    "inquire_ingested": f"{SOUGHT} AwaitingIngests Executing Sorting {WEIGHED} Inquired",
    "inquire_inquired": f"{SOUGHT} {WEIGHED} AwaitingSufficiency Inquired",
    "inquire_supplemented": f"{SOUGHT} {SUPPLEMENTED} {SUPPLEMENTED} Supplementing {WEIGHED} Inquired",
    "investigate_approved": f"{REVIEWED} {PROPOSED} AwaitingDecision Designing AwaitingApproval Approved",
    "refresh_refreshed": "Checking Rejudging Refreshed",
    "restrict_refreshed": "Restricting Rejudging Refreshed",
    "verify_accepted": "Validating Verifying Accepted",
    "verify_extracted_again": "Validating Verifying Reextracting Validating Verifying Accepted",
    "verify_fixed": "Validating Verifying InReview InReview Accepted",
    "verify_given_up": "Validating Verifying GivingUp InReview",
    "verify_kept": "Validating Kept",
    "verify_rejected": "Validating Verifying Rejected",
    "verify_withheld": "Validating Withheld",
    "watch_seen": "Looking Seen",
}
FACTS: dict[str, dict[str, Any]] = {
    "extract_failed": {"proposed": 2},
    "ingest_extraction_failed": {"parts": 1},
    "ingest_ingested": {"proposed": 1, "parts": 1, "failed": 0},
    "ingest_quarantined": {"why": "corrupt"},
    "refresh_refreshed": {"checked": 1, "silent": ()},
    "verify_accepted": {"standing": 2},
    "verify_fixed": {"standing": 1},
    "verify_given_up": {"standing": 2, "verification": None},
    "watch_seen": {"number": 1},
}


def machine(name: str) -> Workflow:
    """The workflow of a kept journal."""
    found = workflow_named(name.split("_")[0])
    assert found is not None
    return found


def folded(name: str) -> Run:
    """The run of a journal as `backedge runs events` prints it."""
    lines = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    entries = [
        Stored(
            line["seq"],
            datetime.fromisoformat(line["at"]),
            entry_from_json(json.dumps({k: v for k, v in line.items() if k not in ("run_id", "seq", "at")})),
        )
        for line in lines
    ]
    return fold(machine(name), lines[0]["run_id"], entries)


@pytest.mark.parametrize("name", TRAILS)
def test_a_kept_journal_still_folds(name: str) -> None:
    run = folded(name)
    assert run.trail == tuple(TRAILS[name].split())
    expected = FACTS.get(name, {})
    assert {fact: getattr(run.state, fact) for fact in expected} == expected


def test_a_paused_run_says_how_it_goes_on() -> None:
    run = folded("ingest_paused")
    assert run.stopped is not None
    assert (run.stopped.resumable, run.stopped.mend.startswith("pip install")) == (True, True)


def test_every_kept_journal_is_tried_and_every_state_is_in_one() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(TRAILS)
    workflows = {machine(name).name: machine(name) for name in TRAILS}
    states = {(name, state.__name__) for name, workflow in workflows.items() for state in workflow.states}
    assert len(workflows) == 8
    assert states - {(machine(name).name, state) for name in TRAILS for state in TRAILS[name].split()} == set()

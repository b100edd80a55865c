"""Row extract: quotations that are not there teach the next attempt, and what is given up is recorded, not lost."""

from __future__ import annotations

import pytest

from backedge.evidence import kinds
from backedge.evidence.ingest.states import Again, ExtractionFailed, Ineligible, Ingested
from backedge.evidence.ports import Extraction
from backedge.evidence.sources import Wanted
from backedge.kernel.defect import Defect, Transient
from backedge.kernel.run import Run
from backedge.kernel.stage import Unreadable
from tests.evidence.outside import NAUSEA, PAIN, Agent, article, delivery, nausea, quoting, taking
from tests.evidence.shelf import TODAY, Shelf, go

FALSE = "Nausea was less with ketorolac (p = 0.01)."
GARBLED = Unreadable('{"records": [', Defect("unreadable", "the reply is no JSON", hint="reply with one object"))


def part(shelf: Shelf, run: Run) -> Run:
    """The only part of an ingest."""
    (found,) = shelf.parts(run)
    return found


def test_a_quotation_that_is_not_there_is_refused_with_a_lesson_until_it_is_true() -> None:
    shelf = Shelf(agent=Agent([taking(FALSE), taking(NAUSEA, FALSE), nausea]))
    run = shelf.ingest("a")
    assert part(shelf, run).trail == ("ExtractingPart", "PartExtracted")
    assert [lesson.attempt for lesson in shelf.agent.lessons] == [1, 2, 3]
    assert [[d.kind for d in lesson.defects] for lesson in shelf.agent.lessons] == [
        [],
        ["quote_not_found"],
        ["quote_not_found", "quote_not_found"],
    ]
    assert "record 2, quotation 1" in shelf.agent.lessons[2].defects[1].message
    assert (shelf.counts()["record"], shelf.verified(run), shelf.counts()["given_up"]) == (1, 1, 0)


def test_refused_three_times_it_is_recorded_as_failed_and_its_records_are_validated_without_a_model() -> None:
    shelf = Shelf(agent=Agent([taking(NAUSEA, FALSE)]))
    run = shelf.ingest("a")
    assert part(shelf, run).trail == ("ExtractingPart", "Salvaging", "PartFailed")
    assert run.trail[-1] == "ExtractionFailed"
    assert isinstance(run.state, ExtractionFailed)
    (failed,) = shelf.all(kinds.GIVEN_UP)
    assert (failed.stage, failed.version, failed.part, failed.attempts) == ("Extracting", run.state.version, 0, 3)
    assert {defect.kind for defect in failed.defects} == {"quote_not_found"}
    trails = sorted(record.trail for record in shelf.records(run))
    assert trails == [("Validating", "Verifying", "Accepted"), ("Validating", "Withheld")]
    assert len(shelf.judge.saw) == 1
    (bad,) = [s for s in shelf.all(kinds.STANDING) if s.status == "quarantined"]
    assert bad.defects == ("span_missing",)
    assert shelf.verified(run) == 1


def test_a_reply_that_cannot_be_read_is_an_attempt_too() -> None:
    shelf = Shelf(agent=Agent([lambda sections, lesson: GARBLED, nausea]))
    run = shelf.ingest("a")
    assert (run.trail[-1], len(shelf.agent.lessons)) == ("Ingested", 2)
    assert [defect.kind for defect in shelf.agent.lessons[1].defects] == ["unreadable"]


def test_replies_that_cannot_be_read_are_given_up_with_nothing_to_salvage() -> None:
    shelf = Shelf(agent=Agent([lambda sections, lesson: GARBLED]))
    run = shelf.ingest("a")
    assert (part(shelf, run).trail[-1], run.trail[-1], len(shelf.agent.lessons)) == (
        "PartFailed",
        "ExtractionFailed",
        3,
    )
    assert (shelf.counts()["given_up"], shelf.counts()["record"]) == (1, 0)


def test_nothing_without_a_reason_is_refused_and_with_one_it_is_an_end() -> None:
    silent, saying = Extraction(()), Extraction((), "it reports no outcome")
    shelf = Shelf(agent=Agent([lambda sections, lesson: silent, lambda sections, lesson: saying]))
    run = shelf.ingest("a")
    assert (part(shelf, run).state.nothing, run.state.proposed) == ("it reports no outcome", 0)
    assert [defect.kind for defect in shelf.agent.lessons[1].defects] == ["nothing_said"]


def test_without_a_model_it_pauses_with_the_setting_and_all_before_is_done() -> None:
    shelf = Shelf(agent=None)
    run = shelf.ingest("a")
    assert (run.trail[-2:], run.status) == (("Judging", "Extracting"), "stopped")
    assert run.stopped is not None
    assert run.stopped.resumable
    assert "`evidence` under `models` in evidence.yml" in run.stopped.mend
    before = shelf.counts()
    assert (before["chunks"], before["judgement"], before["record"]) == (1, 1, 0)
    shelf.agent = Agent()
    assert shelf.retry(run.id).trail[-1] == "Ingested"
    assert (shelf.lab.asked["a"], shelf.counts()["judgement"]) == (1, 1)


def test_a_model_that_does_not_answer_pauses_the_part_and_the_ingest_waits_for_it() -> None:
    shelf = Shelf(agent=Agent([Transient("busy"), Transient("busy"), Transient("busy"), nausea]))
    run = shelf.ingest("a")
    assert (run.trail[-1], run.status) == ("AwaitingParts", "waiting")
    paused = part(shelf, run)
    assert paused.stopped is not None
    assert paused.stopped.resumable
    shelf.retry(paused.id)
    assert shelf.load(run.id).trail[-1] == "Ingested"
    assert shelf.verified(shelf.load(run.id)) == 1


def test_a_long_version_is_extracted_in_parts_of_which_one_may_fail() -> None:
    results = "\n".join(f"{PAIN} It was measured in group {n}." for n in range(8)) + f"\n{NAUSEA}"
    shelf = Shelf(agent=Agent([nausea], room=1_000))
    shelf.agent.replies = [_by_part]
    run = shelf.ingest("a", delivery(article(results=results)))
    assert isinstance(run.state, Ingested)
    assert run.state.parts == len(shelf.parts(run)) > 2
    assert (run.state.failed, run.state.proposed, shelf.counts()["given_up"]) == (1, 2, 1)
    assert run.trail.count("AwaitingParts") == run.state.parts
    shown = {(section.key, section.text) for sections in shelf.agent.shown for section in sections}
    assert sum(NAUSEA in text for _, text in shown) == 1


def _by_part(sections, lesson):  # type: ignore[no-untyped-def]
    failing = any("Sixty male" in section.text for section in sections)
    return Extraction((quoting(sections, FALSE),)) if failing else nausea(sections, lesson)


@pytest.mark.parametrize(("change", "asked"), [("nothing", 1), ("settings", 2)])
def test_a_reply_is_used_again_for_the_same_content_and_settings(change: str, asked: int) -> None:
    shelf = Shelf()
    shelf.ingest("a")
    other = Shelf(agent=shelf.agent, judge=shelf.judge, contents=shelf.contents)
    other.store.journals, other.store.rows, other.store.kept = (
        shelf.store.journals,
        shelf.store.rows,
        shelf.store.kept,
    )
    shelf.contents.claims.clear()
    if change == "settings":
        shelf.agent.settings = shelf.judge.settings = "another model"
    other.numbers = iter(range(100, 200))
    run = other.ingest("a")
    assert (run.trail[-1], other.verified(run)) == ("Ingested", 1)
    assert (len(shelf.agent.lessons), len(shelf.judge.lessons)) == (asked, asked)


def test_a_quotation_of_another_stored_source_is_told_from_one_that_is_made_up() -> None:
    shelf = Shelf()
    theirs = "Vomiting was rare in the dogs that were given morphine (two of forty)."
    shelf.ingest("other", delivery(article("Morphine in dogs", theirs), title="Morphine in dogs"))
    shelf.agent = Agent([taking(theirs), nausea])
    shelf.ingest("a")
    (defect,) = shelf.agent.lessons[1].defects
    assert defect.kind == "quote_misattributed"
    assert "Morphine in dogs" in defect.message


def test_each_section_is_shown_with_its_key_and_references_are_not() -> None:
    shelf = Shelf()
    content = article().decode() + "\nREFERENCES\n\n1. Someone. Something about dogs. 1999.\n"
    shelf.ingest("a", delivery(content.encode()))
    (shown,) = shelf.agent.shown
    assert [section.role for section in shown] == ["other", "introduction", "methods", "results"]
    assert len({section.key for section in shown}) == 4


def test_what_is_forbidden_while_its_parts_run_ends_ineligible_and_is_extracted_once_it_may_be() -> None:
    shelf = Shelf(agent=Agent([Transient("busy")]))
    run = shelf.ingest("a")
    source = shelf.all(kinds.SOURCE)[0].id
    shelf.restrict(source, "under embargo")
    paused = part(shelf, run)
    shelf.agent = Agent()
    again = shelf.retry(paused.id)
    assert (again.trail, again.status, shelf.agent.lessons) == (
        ("ExtractingPart", "Salvaging", "PartIneligible"),
        "ended",
        [],
    )
    ended = shelf.load(run.id)
    assert isinstance(ended.state, Ineligible)
    assert [(reason.kind, reason.by) for reason in ended.state.judgement.reasons] == [("restricted", "ann")]
    assert (shelf.counts()["extraction"], shelf.counts()["given_up"], shelf.verified(ended)) == (0, 0, 0)
    shelf.restrict(source, "granted", lifted=True)
    after = shelf.ingest("a", delivery())
    assert (after.trail[-3:], shelf.verified(after)) == (("Extracting", "AwaitingParts", "Ingested"), 1)


def test_of_parts_that_were_extracted_before_a_version_was_forbidden_nothing_is_asked_or_kept_twice() -> None:
    results = "\n".join(f"{PAIN} It was measured in group {n}." for n in range(8)) + f"\n{NAUSEA}"
    shelf = Shelf(agent=Agent([_nausea_alone], room=1_000))
    content = delivery(article(results=results))
    run = shelf.ingest("a", content)
    source = shelf.all(kinds.SOURCE)[0].id
    shelf.restrict(source, "under embargo")
    for each in shelf.parts(run):
        if each.status == "stopped":
            shelf.retry(each.id)
    assert shelf.load(run.id).trail[-1] == "Ineligible"
    shelf.restrict(source, "granted", lifted=True)
    asked, before = len(shelf.agent.lessons), shelf.counts()
    shelf.agent.replies = [nausea]
    after = shelf.ingest("a", content)
    assert isinstance(after.state, Ingested)
    assert (len(shelf.agent.lessons) - asked, before["record"]) == (after.state.parts - 1, 1)
    assert [record.trail for record in shelf.records(after)] == [("Validating", "Kept")]
    assert {kind: shelf.counts()[kind] for kind in ("record", "standing", "verification")} == {
        kind: before[kind] for kind in ("record", "standing", "verification")
    }


def _nausea_alone(sections, lesson):  # type: ignore[no-untyped-def]
    if not any(NAUSEA in section.text for section in sections):
        raise Transient("busy")
    return nausea(sections, lesson)


def over(shelf: Shelf, run: Run) -> Run:
    """The version of an ingest extracted once more."""
    version = go(shelf.library.version(run.state.version))
    again = Again(Wanted("lab", "a", "again", "ann"), version)
    return shelf.drive(go(shelf.driver.start("ingest", again, TODAY, run_id="again")))


def test_a_failed_extraction_is_done_over_and_what_came_of_it_before_is_not_verified_twice() -> None:
    shelf = Shelf(agent=Agent([taking(NAUSEA, FALSE)]))
    failed = shelf.ingest("a")
    shelf.agent.replies = [
        lambda sections, lesson: Extraction((quoting(sections, NAUSEA), quoting(sections, f"{PAIN}\n{NAUSEA}")))
    ]
    done = over(shelf, failed)
    assert done.trail == ("Extracting", "AwaitingParts", "Ingested")
    assert sorted(run.trail[-1] for run in shelf.records(done)) == ["Accepted", "Kept"]
    assert [(e.number, e.failed, e.proposed) for e in shelf.all(kinds.EXTRACTED)] == [(1, 1, 2), (2, 0, 2)]
    assert (len(shelf.judge.saw), shelf.verified(done)) == (2, 2)
    assert shelf.ingest("a").trail[-1] == "Duplicate"

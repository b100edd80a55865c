"""One question from its plan to what its evidence comes to: what is recorded, what is refused, and what opens a gap."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backedge.evidence import inquiry_kinds, kinds
from backedge.evidence.inquire.ports import AssessedByModel
from backedge.evidence.inquire.stages import resolve
from backedge.evidence.inquiry import VIEW, CoverageGap, ExternalSnapshot, SearchQuery, Sufficiency
from backedge.evidence.ports import External, ExternalFound
from backedge.evidence.sources import Metadata, Relation
from backedge.kernel.defect import Permanent, Transient
from backedge.kernel.drive import OfferRefused
from backedge.kernel.run import Run
from tests.evidence.investigated import KEY, record_of
from tests.evidence.outside import NAUSEA, PAIN, Lab, article, delivery, doi
from tests.evidence.stories_investigate.desk import (
    GARBAGE,
    Desk,
    asking,
    confirmed,
    keep,
    planning,
    rejecting,
    restricting,
    trail,
    write,
)

NOWHERE = SearchQuery("xylophone", "lexical")
SOMEWHERE = SearchQuery("ketorolac nausea pain", "lexical")
QUESTION = f"{KEY}/q1"


def inquiry(made: Desk) -> Run:
    """The one inquiry."""
    (run,) = made.inquiries()
    return run


def arms(made: Desk) -> list[tuple[int, str, str, str]]:
    """The executions in order: round, target, arm, gap."""
    runs = made.all(inquiry_kinds.EXECUTION, f"{QUESTION}/")
    return [(r.execution.round, r.execution.target, r.execution.arm, r.gap) for r in runs]


def gaps(made: Desk) -> list[CoverageGap]:
    """The gap records of the inquiry: as opened, then as closed or refused."""
    kept = [each.gap for each in made.all(inquiry_kinds.GAP, f"{QUESTION}/")]
    return sorted(kept, key=lambda gap: (gap.closed_by, gap.refused))


# ------------------------------------------------------------------ plan

PLANS: dict[str, Any] = {
    "query_missing": lambda plan: replace(plan, queries=plan.queries[:1]),
    "query_empty": lambda plan: replace(plan, expansions=(SearchQuery(" ", "lexical"),)),
    "target_missing": lambda plan: replace(plan, targets=()),
    "target_unknown": lambda plan: replace(plan, targets=(VIEW, "pubmed")),
    "stopping_missing": lambda plan: replace(plan, stopping=" "),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", PLANS)
def test_a_plan_that_lacks_something_is_asked_for_again(kind: str) -> None:
    made = confirmed(says={"plan": [PLANS[kind], keep]})
    run = inquiry(made)
    assert made.refusals(run.id) == [("Planning", kind)]
    assert run.trail[-1] == "AwaitingSufficiency"


GIVEN_UP = {"plan": "Planning", "assess": "Assessing", "weigh": "Weighing"}


@pytest.mark.slow
@pytest.mark.parametrize("stage", GIVEN_UP)
def test_what_is_refused_three_times_is_a_stated_gap_and_the_investigation_goes_on(stage: str) -> None:
    fails: list[Any] = [GARBAGE, GARBAGE, GARBAGE, keep]
    made = confirmed(says={"questions": [asking(2)], stage: fails})
    made.stand()
    assert (made.load(KEY).status, trail(made)[-1]) == ("waiting", "AwaitingDecision")
    ends = [run.trail[-1] for run in made.inquiries()]
    assert sorted(ends) == ["Inquired", "InquiryFailed"]
    failed = next(run for run in made.inquiries() if run.trail[-1] == "InquiryFailed")
    assert made.refusals(failed.id) == [(GIVEN_UP[stage], "unreadable")] * 3
    key = failed.labels["question"]
    (gap,) = made.all(inquiry_kinds.GAP)
    assert (gap.inquiry, gap.gap.key) == (f"{KEY}/{key}", f"{KEY}/{key}/failed")
    assert f"{GIVEN_UP[stage]} was refused 3 times: no JSON" in gap.gap.why
    _, packages = made.scripted.told["candidates"][0]
    told = next(package for package in packages if package.question.key == key)
    assert (told.sufficiency.status, [g.key for g in told.gaps]) == ("insufficient", [gap.gap.key])


def test_an_inquiry_that_stopped_for_good_is_a_stated_gap_too() -> None:
    made = confirmed(says={"questions": [asking(2)], "plan": [Permanent("the account is closed"), keep]})
    made.stand()
    assert trail(made)[-1] == "AwaitingDecision"
    (gap,) = made.all(inquiry_kinds.GAP)
    assert gap.gap.why == "its inquiry failed: the account is closed"


@pytest.mark.slow
def test_a_model_that_can_be_configured_pauses_and_the_investigation_waits_for_it() -> None:
    made = confirmed(says={"plan": [Permanent("no key", mend="set a key"), keep]})
    assert (inquiry(made).stopped is not None, made.load(KEY).status) == (True, "waiting")
    made.retry(inquiry(made).id)
    assert inquiry(made).trail[-1] == "AwaitingSufficiency"


# ------------------------------------------------- execute and eligibility


@pytest.mark.slow
def test_each_query_and_target_has_an_execution_with_its_snapshot_and_one_is_fused() -> None:
    made = confirmed(weights={"lexical": 1.0, "semantic": 0.25})
    runs = [each.execution for each in made.all(inquiry_kinds.EXECUTION)]
    assert [(run.arm, run.weight) for run in runs] == [("lexical", 1.0), ("semantic", 0.25), ("fused", 1.0)]
    assert {run.snapshot for run in runs} == {runs[0].snapshot}
    assert runs[0].snapshot is not None
    best = runs[2].hits[0]
    assert best.score == pytest.approx(1.25 / 61)


@pytest.mark.slow
def test_what_may_not_be_used_is_excluded_after_ranking_with_its_reason() -> None:
    made = confirmed(restricting("b"))
    (sorted_,) = made.all(inquiry_kinds.SORTED)
    (excluded,) = sorted_.sorted.excluded
    assert excluded.reasons == ("restricted",)
    ranks = [hit.rank for hit in sorted_.sorted.eligible]
    assert (ranks == sorted(ranks), len(ranks) > 0) == (True, True)
    assert {hit.chunk.version for hit in sorted_.sorted.eligible if hit.chunk}.isdisjoint({excluded.version})


def test_nothing_that_may_be_used_opens_a_gap_and_two_rounds_are_run_for_it_then_no_more() -> None:
    plan = planning(SOMEWHERE, SearchQuery("pain", "semantic"))
    made = confirmed(restricting("a", "b"), says={"plan": [plan]})
    opened, refused = gaps(made)
    assert opened.why == "nothing that was found may be used: restricted"
    assert (opened.key, opened.round) == (refused.key, 0)
    assert refused.refused == "2 supplemental rounds were run, and no more are"
    assert [(round_, arm, gap) for round_, _, arm, gap in arms(made)] == [
        (0, "lexical", ""),
        (0, "semantic", ""),
        (0, "fused", ""),
        (1, "lexical", opened.key),
        (1, "fused", opened.key),
        (2, "semantic", opened.key),
        (2, "fused", opened.key),
    ]
    assert trail(made, inquiry(made).id)[-4:] == ["Resolving", "Assessing", "Weighing", "Inquired"]
    assert made.scripted.told.keys() == {"questions", "plan"}


NO_ROUND = {
    "the plan has no expansions": (),
    "the plan's expansions were all run by round 1": (NOWHERE,),
}


@pytest.mark.slow
@pytest.mark.parametrize("why", NO_ROUND)
def test_a_gap_says_why_no_round_is_run_for_it(why: str) -> None:
    made = confirmed(says={"plan": [planning(*NO_ROUND[why], words="xylophone")]})
    assert (gaps(made)[0].why, gaps(made)[-1].refused) == ("nothing was found", why)


@pytest.mark.slow
def test_a_round_that_finds_something_closes_the_gap() -> None:
    made = confirmed(says={"plan": [planning(NOWHERE, SOMEWHERE, words="xylophone")]})
    opened, closed = gaps(made)
    assert (opened.closed_by, closed.closed_by, closed.refused) == (0, 2, "")
    assert len(made.all(inquiry_kinds.ASSESSMENT)) == 2


# ---------------------------------------------------------------- registries


def external(*finds: str, brings: Any = None, **given: Any) -> Desk:
    """A desk whose plan also searches a registry that finds these; the adapter brings articles, or what is given."""
    lab = Lab()
    lab.finds = list(finds)

    def shelved(made: Desk) -> None:
        made.lab = lab
        for number, name in enumerate(finds):
            text = article(f"Found {name}", f"{PAIN} That was study {number}.\n{NAUSEA}")
            made.brings(name, brings or delivery(text, title=f"Found {name}", identifiers=doi(name)))

    says = {"plan": [lambda plan: replace(plan, targets=(VIEW, "lab"))]}
    return confirmed(shelved, searchable={"lab": lab}, says=says, **given)


def test_what_a_registry_names_is_ingested_by_runs_of_their_own_then_the_library_is_searched_again() -> None:
    made = external("x", "y")
    run = inquiry(made)
    assert trail(made, run.id)[:6] == ["Planning", "Executing", "Sorting", "AwaitingIngests", "Executing", "Sorting"]
    ingests = made.children(run.id)
    assert [(each.workflow.name, each.trail[-1]) for each in ingests] == [("ingest", "Ingested")] * 2
    assert arms(made) == [
        (0, VIEW, "lexical", ""),
        (0, "lab", "lexical", ""),
        (0, VIEW, "semantic", ""),
        (0, VIEW, "fused", ""),
        (0, VIEW, "lexical", ""),
        (0, VIEW, "semantic", ""),
        (0, VIEW, "fused", ""),
    ]
    before, after = (made.all(inquiry_kinds.SORTED)[number].sorted for number in (0, 1))
    assert (before.wanted, after.wanted) == (("lab:x", "lab:y"), ())
    assert len(after.eligible) > len(before.eligible)
    assert len(made.all(inquiry_kinds.ASSESSMENT)) > 2


@pytest.mark.slow
def test_the_snapshot_of_a_registry_is_what_it_was_asked_and_gave() -> None:
    made = external("x")
    (execution,) = [e.execution for e in made.all(inquiry_kinds.EXECUTION) if e.execution.target == "lab"]
    seen = execution.snapshot
    assert isinstance(seen, ExternalSnapshot)
    assert (seen.query, seen.total, len(seen.ids), seen.at) == (
        "ketorolac nausea pain",
        1,
        64,
        "2026-12-01T00:00:00+00:00",
    )


@pytest.mark.slow
def test_no_more_are_ingested_than_may_be_and_how_many_were_left_is_said() -> None:
    made = external("x", "y", "z", ingested_at_most=1)
    (first, _) = (each.sorted for each in made.all(inquiry_kinds.SORTED))
    assert (first.wanted, first.wanted_beyond) == (("lab:x",), 2)
    assert len(made.children(inquiry(made).id)) == 1


@pytest.mark.slow
def test_an_ingest_that_fails_is_no_reason_to_stop() -> None:
    made = external("x", brings=Permanent("gone"))
    (ingest,) = made.children(inquiry(made).id)
    assert ingest.stopped is not None
    assert inquiry(made).trail[-1] == "AwaitingSufficiency"


@pytest.mark.slow
def test_what_is_stored_already_is_not_ingested_again() -> None:
    class Knows(Lab):
        async def search(self, query: str, limit: int) -> ExternalFound:
            return ExternalFound(query, 1, (External("PMC7", Metadata(identifiers=doi("a"))),))

    says = {"plan": [lambda plan: replace(plan, targets=(VIEW, "lab"))]}
    made = confirmed(searchable={"lab": Knows()}, says=says)
    (sorted_,) = made.all(inquiry_kinds.SORTED)
    assert (sorted_.sorted.wanted, made.children(inquiry(made).id)) == ((), [])
    (hit,) = next(e.execution.hits for e in made.all(inquiry_kinds.EXECUTION) if e.execution.target == "lab")
    assert hit.source in {version.source for version in made.all(kinds.VERSION)}


@pytest.mark.slow
def test_a_registry_that_is_down_is_tried_twice_more_then_the_inquiry_pauses_and_retry_goes_on() -> None:
    class Down(Lab):
        left = 3

        async def search(self, query: str, limit: int) -> Any:
            self.left -= 1
            if self.left >= 0:
                raise Transient("lost")
            return await super().search(query, limit)

    lab = Down()
    says = {"plan": [lambda plan: replace(plan, targets=(VIEW, "lab"))]}
    made = confirmed(says=says, searchable={"lab": lab})
    run = inquiry(made)
    assert made.refusals(run.id) == [("Executing", "transient")] * 3
    assert run.stopped is not None
    assert (run.stopped.stop, run.stopped.resumable, made.load(KEY).status) == ("transient", True, "waiting")
    assert made.all(inquiry_kinds.EXECUTION) == ()
    assert made.retry(run.id).trail[-1] == "AwaitingSufficiency"


# -------------------------------------------------------- resolve and assess


@pytest.mark.slow
def test_hits_are_resolved_in_context_with_the_verified_records_of_their_sources() -> None:
    made = confirmed()
    (resolved,) = made.all(inquiry_kinds.RESOLVED)
    assert set(resolved.records) == {record.key for record in made.all(kinds.RECORD)}
    assert (resolved.hits != (), resolved.beyond, resolved.hits_beyond) == (True, 0, 0)


@pytest.mark.slow
def test_what_is_too_much_is_left_out_and_counted_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolve, "MOST_HITS", 5)
    made = confirmed(records_per_question=1)
    made.stand()
    (resolved,) = made.all(inquiry_kinds.RESOLVED)
    (weighed,) = made.all(inquiry_kinds.SUFFICIENCY)
    (packaged,) = made.all(inquiry_kinds.PACKAGE)
    assert (len(resolved.records), resolved.beyond, resolved.hits_beyond > 0) == (1, 1, True)
    told = packaged.package.sufficiency
    assert (weighed.sufficiency.beyond, told.beyond, told.hits_beyond) == (1, 1, resolved.hits_beyond)


def mouse(derived: Any) -> Any:
    """Becomes a question that asks of mice."""
    (question,) = derived.questions
    return replace(derived, questions=(replace(question, wants=replace(question.wants, species="mouse")),))


def directly(said: AssessedByModel) -> AssessedByModel:
    """A model that calls everything direct."""
    return AssessedByModel(tuple(replace(each, said="direct") for each in said.assessments))


def test_a_species_mismatch_is_never_direct_whatever_the_model_says_and_both_verdicts_are_kept() -> None:
    made = confirmed(says={"questions": [mouse], "assess": [directly]})
    kept = [each.assessment for each in made.all(inquiry_kinds.ASSESSMENT)]
    assert {(each.said, each.ruled, each.applicability) for each in kept} == {("direct", "indirect", "indirect")}
    assert all("mouse" in each.rule_reason for each in kept)


ASSESSED: dict[str, Any] = {
    "records_not_assessed": lambda said: AssessedByModel(said.assessments[:1]),
    "assessment_without_reason": lambda said: AssessedByModel(
        tuple(replace(each, reason="") for each in said.assessments)
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ASSESSED)
def test_assessments_that_lack_something_are_asked_for_again(kind: str) -> None:
    made = confirmed(says={"assess": [ASSESSED[kind], keep]})
    assert made.refusals(inquiry(made).id) == [("Assessing", kind)]
    assert len(made.all(inquiry_kinds.ASSESSMENT)) == 2


@pytest.mark.slow
def test_a_record_that_nobody_asked_about_is_refused_and_no_crash() -> None:
    strange: Any = lambda said: AssessedByModel(  # noqa: E731
        (*said.assessments, replace(said.assessments[0], record="none"))
    )
    made = confirmed(says={"assess": [strange, keep]})
    assert made.refusals(inquiry(made).id) == [("Assessing", "records_not_assessed")]


# ------------------------------------------------------------- sufficiency


def test_what_rests_on_one_record_alone_waits_for_a_reviewer_whatever_the_model_says() -> None:
    claims: Any = lambda said: replace(said, only_affirmative="", reviewed_by="rita")  # noqa: E731
    made = confirmed(says={"weigh": [claims]})
    run = inquiry(made)
    assert (run.status, made.load(KEY).status) == ("waiting", "waiting")
    assert (run.state.sufficiency.only_affirmative, run.state.sufficiency.reviewed_by) == (
        record_of(made, NAUSEA),
        "",
    )
    assert made.all(inquiry_kinds.SUFFICIENCY) == ()


def supporting(said: AssessedByModel) -> AssessedByModel:
    """Everything supports."""
    return AssessedByModel(tuple(replace(each, relationship="supports") for each in said.assessments))


@pytest.mark.slow
def test_two_independent_studies_do_not_wait() -> None:
    assert inquiry(confirmed(says={"assess": [supporting]})).trail[-1] == "Inquired"


@pytest.mark.slow
def test_two_reports_of_one_study_are_one() -> None:
    def related(made: Desk) -> None:
        version = next(v for v in made.all(kinds.VERSION) if v.fetched.identifier == "a")
        write(made, kinds.RELATED.record(kinds.Related(version.source, Relation("published_as", doi("b")))))

    assert inquiry(confirmed(related, says={"assess": [supporting]})).trail[-1] == "AwaitingSufficiency"


@pytest.mark.slow
def test_a_judgement_that_stands_keeps_its_status_with_who_said_so() -> None:
    made = confirmed()
    made.stand()
    (weighed,) = made.all(inquiry_kinds.SUFFICIENCY)
    assert (weighed.sufficiency.status, weighed.sufficiency.reviewed_by) == ("partial", "rita")


@pytest.mark.slow
def test_one_that_does_not_stand_is_insufficient_and_the_reason_is_a_gap() -> None:
    made = confirmed()
    made.stand(False, reason="twelve rats")
    (weighed,) = made.all(inquiry_kinds.SUFFICIENCY)
    assert weighed.sufficiency.status == "insufficient"
    assert weighed.sufficiency.critical_gaps[-1] == "rita does not let one record carry it: twelve rats"


JUDGED: dict[str, dict[str, Any]] = {
    "not_a_reviewer": {"by": "eve"},
    "reason_missing": {"reason": " "},
    "stale": {"stale": ("record r is rejected now",)},
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", JUDGED)
def test_a_decision_on_it_that_is_refused_is_recorded_and_it_still_waits(kind: str) -> None:
    made = confirmed()
    with pytest.raises(OfferRefused):
        made.stand(**JUDGED[kind])
    run = inquiry(made)
    assert (run.status, made.refusals(run.id)) == ("waiting", [("AwaitingSufficiency", kind)])
    made.stand(kind != "stale", stale=JUDGED[kind].get("stale", ()))
    assert inquiry(made).trail[-1] == "Inquired"


WEIGHED: dict[str, Any] = {
    "sufficient_without_direct": lambda said: replace(said, status="sufficient"),
    "gaps_missing": lambda said: replace(said, critical_gaps=()),
    "coverage_missing": lambda said: replace(said, coverage=""),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", WEIGHED)
def test_a_judgement_that_says_too_much_is_asked_for_again(kind: str) -> None:
    made = confirmed(says={"weigh": [WEIGHED[kind], keep]})
    assert made.refusals(inquiry(made).id) == [("Weighing", kind)]


@pytest.mark.slow
def test_without_a_verified_record_no_model_is_asked_to_weigh() -> None:
    made = confirmed(says={"plan": [planning(words="xylophone")]})
    assert made.scripted.told.keys() == {"questions", "plan"}
    (weighed,) = made.all(inquiry_kinds.SUFFICIENCY)
    assert weighed.sufficiency == Sufficiency(
        "insufficient", (), ("nothing was found",), "no verified record was found"
    )


@pytest.mark.slow
def test_a_record_that_was_rejected_in_the_meantime_is_not_assessed() -> None:
    made = confirmed(rejecting(PAIN))
    assert [each.assessment.record for each in made.all(inquiry_kinds.ASSESSMENT)] == [record_of(made, NAUSEA)]

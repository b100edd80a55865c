"""Whatever models, registries and people say, both workflows rest within their steps, and cite only what stands."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from backedge.evidence import inquiry_kinds, kinds
from backedge.evidence.designs import ApproachDecision, Approval, Citation
from backedge.evidence.facets import FACET_NAMES, FacetCommand
from backedge.evidence.inquire.ports import AssessedByModel
from backedge.evidence.inquire.states import SufficiencyDecision
from backedge.evidence.inquiry import VIEW, SearchQuery
from backedge.evidence.investigate.ports import SaidFacets, SaidValue
from backedge.evidence.investigate.states import Approve, Decide
from backedge.kernel.defect import Permanent, RateLimited, Transient
from backedge.kernel.drive import NotAsked, OfferRefused
from tests.evidence.investigated import KEY, REVIEWERS
from tests.evidence.outside import Lab
from tests.evidence.shelf import go
from tests.evidence.stories_investigate.desk import GARBAGE, Desk, Spoken, again, asking, desk, keep

FAILURES = [Transient("lost"), RateLimited("slow", 1.0), Permanent("no"), Permanent("no key", mend="set a key")]
POOR = st.sampled_from([*FAILURES, GARBAGE])
WORDS = st.sampled_from(["", " ", "ketorolac", "nausea pain", "xylophone", "an 80 % chance of success", "\x00"])
QUERIES = st.lists(st.builds(SearchQuery, WORDS, st.sampled_from(["lexical", "semantic"])), max_size=3).map(tuple)
TARGETS = st.sampled_from([(), (VIEW,), (VIEW, "lab"), ("lab",), (VIEW, "nowhere")])
WHO = st.sampled_from(["rita", "rita", "rita", "eve", ""])
ORIGINS = st.sampled_from(["explicit", "inferred", "default", "reviewer"])
RELATIONS = st.sampled_from(["supports", "contradicts", "context", "irrelevant"])
STATUSES = st.sampled_from(["sufficient", "partial", "insufficient", "conflicting"])


@st.composite
def scripts(draw: st.DrawFn) -> dict[str, list[Any]]:
    """For each stage a few replies: mostly what fits, else that changed at random, garbage or a failure."""
    changes: dict[str, st.SearchStrategy[Any]] = {
        "facets": st.builds(
            lambda n, text, origin, quote: (
                lambda made: SaidFacets(
                    tuple(
                        replace(f, values=(SaidValue(text, origin, quote),)) if i == n else f
                        for i, f in enumerate(made.facets)
                    )
                )
            ),
            st.integers(0, 7),
            WORDS,
            ORIGINS,
            WORDS,
        ),
        "round_trip": st.builds(lambda text: lambda made: replace(made, reconstruction=text), WORDS),
        "questions": st.builds(asking, st.integers(0, 3)) | st.just(lambda made: replace(made, uninvestigated=())),
        "plan": st.builds(
            lambda q, e, t, s: lambda made: replace(made, queries=q, expansions=e, targets=t, stopping=s),
            QUERIES,
            QUERIES,
            TARGETS,
            WORDS,
        ),
        "assess": st.builds(
            lambda relation, said: (
                lambda made: AssessedByModel(
                    tuple(replace(a, relationship=relation, said=said) for a in made.assessments)
                )
            ),
            RELATIONS,
            st.sampled_from(["direct", "indirect", "unknown", "not_applicable"]),
        ),
        "weigh": st.builds(
            lambda status, gap: lambda made: replace(made, status=status, critical_gaps=(gap,)), STATUSES, WORDS
        ),
        "candidates": st.builds(
            lambda words, count: lambda made: replace(made, comparison=words, approaches=made.approaches[:count]),
            WORDS,
            st.integers(0, 2),
        ),
        "design": st.builds(
            lambda n, words, record: (
                lambda made: replace(
                    made,
                    sections=tuple(
                        replace(s, text=words, citations=(Citation(words, (record,)),)) if i == n else s
                        for i, s in enumerate(made.sections)
                    ),
                )
            ),
            st.integers(0, 12),
            WORDS,
            WORDS,
        ),
    }
    good = st.just(keep)
    return {
        stage: draw(st.lists(good | good | change | POOR, min_size=1, max_size=4)) for stage, change in changes.items()
    }


@st.composite
def words_of_people(draw: st.DrawFn) -> Any:
    """What somebody offers, whatever is asked: mostly what goes on."""
    by, text = draw(WHO), draw(WORDS)
    seen, facet = draw(st.integers(0, 12)), draw(st.sampled_from(FACET_NAMES))
    return draw(
        st.sampled_from(
            [
                FacetCommand("confirm", by, seen, reviewers=REVIEWERS),
                FacetCommand("round_trip", by, seen, reviewers=REVIEWERS),
                FacetCommand("split", by, seen, facet, texts=(text, "b"), reviewers=REVIEWERS),
                FacetCommand("flag", by, seen, facet, reason=text, reviewers=REVIEWERS),
                SufficiencyDecision(draw(st.booleans()), by, text, REVIEWERS),
                Decide(ApproachDecision("a", by, (("b", text),)), REVIEWERS),
                Approve(Approval(draw(st.integers(1, 3)), draw(st.booleans()), by, text, (text,)), REVIEWERS),
            ]
        )
    )


def goes_on(made: Desk) -> None:
    """What a sensible reviewer does where it waits, so that something is reached at all."""
    run = made.load(KEY)
    if run.status != "waiting":
        return
    match run.trail[-1]:
        case "AwaitingFacets":
            open_ = [f for f in run.state.facets if f.importance == "mandatory" and f.confirmation == "open"]
            for facet in open_:
                made.command("flag", facet=facet.name, reason="open")
            made.command("confirm")
        case "AwaitingInquiries":
            made.stand()
        case "AwaitingDecision":
            made.choose()
        case "AwaitingApproval":
            made.approve()


@cache
def _ready() -> Desk:
    return desk()


def any_outside(script: dict[str, list[Any]], offers: list[Any], finds: list[str]) -> str:
    """One investigation of it, people saying this, everything that paused retried once: the state it comes to."""
    lab = Lab()
    lab.finds = finds
    made = again(_ready(), scripted=Spoken(script), searchable={"lab": lab})
    made.lab = lab
    for name in finds:
        made.brings(name, Permanent("gone"))
    made.investigate()
    for turn in range(4):
        for value in offers:
            of_inquiries = isinstance(value, SufficiencyDecision)
            for each in made.inquiries() if of_inquiries else [made.load(KEY)]:
                try:
                    made.say(value, "ann", each.id)
                except (OfferRefused, NotAsked):
                    assert made.load(each.id).status != "running"
        goes_on(made)
        rested(made)
        if turn < 2:
            for run_id in list(made.store.rows):
                run = made.load(run_id)
                if run.stopped is not None and run.stopped.resumable:
                    made.retry(run_id)
            made.drive(KEY)
    stands(made)
    return made.load(KEY).trail[-1]


def rested(made: Desk) -> None:
    """Everything ended, waits or stopped for a reason, within its steps."""
    for run_id in list(made.store.rows):
        run = made.load(run_id)
        assert run.status in ("ended", "waiting", "stopped")
        if run.stopped is not None:
            assert run.stopped.reason
            assert (run.stopped.stop, bool(run.stopped.mend) or not run.stopped.resumable) != ("budget", True)


def stands(made: Desk) -> None:
    """Every record that a design cites is accepted, of a version that may be used, and in a valid package."""
    packages = [each.package for each in made.all(inquiry_kinds.PACKAGE) if not each.package.invalid]
    held = {record.record for package in packages for record in package.records}
    for kept in made.all(inquiry_kinds.DESIGN):
        cited = {key for section in kept.design.sections for c in section.citations for key in c.records}
        assert cited
        assert cited <= held
        assert all(made.all(kinds.STANDING, f"{key}/")[-1].status == "accepted" for key in cited)
    approved = [each.approval for each in made.all(inquiry_kinds.APPROVAL) if each.approval.approved]
    assert all(approval.by in REVIEWERS and approval.rationale.strip() for approval in approved)
    assert go(made.store.head(KEY)).seq < 400


ANY = given(scripts(), st.lists(words_of_people(), max_size=2), st.sampled_from([[], ["x"], ["x", "y"]]))
QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


@pytest.mark.slow
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=QUIET, phases=[Phase.generate])
@ANY
def test_whatever_is_said_it_rests_and_what_is_cited_stands(
    script: dict[str, list[Any]], offers: list[Any], finds: list[str]
) -> None:
    any_outside(script, offers, finds)


@pytest.mark.nightly
@settings(max_examples=400, deadline=None, suppress_health_check=QUIET)
@ANY
def test_whatever_is_said_many_times(script: dict[str, list[Any]], offers: list[Any], finds: list[str]) -> None:
    any_outside(script, offers, finds)


@pytest.mark.slow
def test_something_is_approved_at_all() -> None:
    assert any_outside({}, [], ["x"]) == "Approved"

"""Whatever sources and models answer, an ingest ends, waits or stops, and what it accepted stands in its source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backedge.evidence import kinds
from backedge.evidence.ports import Extraction, Verdict
from backedge.evidence.records import CHECKS, Check, Quotation
from backedge.kernel.defect import Defect, Permanent, RateLimited, Transient
from backedge.kernel.stage import Unreadable
from tests.evidence.outside import INTRODUCTION, NAUSEA, PAIN, Agent, Extracts, Judge, article, delivery, quoting
from tests.evidence.shelf import Shelf, go

FAILURES = [Transient("lost"), RateLimited("slow", 1.0), Permanent("no"), Permanent("no key", mend="set a key")]
GARBAGE = Unreadable("{", Defect("unreadable", "no JSON"))
WORDS = st.text(max_size=30) | st.sampled_from([NAUSEA, PAIN, INTRODUCTION, NAUSEA[:30], NAUSEA.upper(), "", "\x00"])
CONTENTS = st.binary(max_size=60) | st.sampled_from([article(), article() + b"\xff", b"", b"%PDF-1.4", b"<article/>"])


@st.composite
def replies(draw: st.DrawFn) -> Extracts | Exception:
    """An extraction of anything: what fits, what does not, garbage, or a failure."""
    if draw(st.integers(0, 4)) == 0:
        poor: list[Extracts | Exception] = [*FAILURES, lambda sections, lesson: GARBAGE]
        return draw(st.sampled_from(poor))
    fields: list[dict[str, Any]] = draw(
        st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "statement": WORDS,
                    "kind": st.sampled_from(["finding", "claim"]),
                    "direction": st.sampled_from(["increase", "not_stated", "sideways"]),
                    "status": st.sampled_from(["", "accepted"]),
                    "endpoint": WORDS,
                },
            ),
            max_size=3,
        )
    )
    quoted = draw(st.lists(WORDS, min_size=len(fields), max_size=len(fields)))
    section = draw(st.sampled_from(["", "s1", "s99"]))

    def reply(sections: Any, lesson: Any) -> Extraction:
        made = [quoting(sections, text, **more) for text, more in zip(quoted, fields, strict=True)]
        if section and made:
            made.append(quoting(sections, NAUSEA, quotations=(Quotation(section, NAUSEA),)))
        return Extraction(tuple(made), "")

    return reply


LABELS = st.sampled_from(["entailed", "partly", "contradicted", "not_enough", "ambiguous"])
OUTCOMES = st.sampled_from(["passed", "failed", "unclear"])
CHECKED = st.lists(st.builds(Check, st.sampled_from(CHECKS), OUTCOMES, WORDS), max_size=6).map(tuple)
PASSED = st.just(tuple(Check(name, "passed", "as it says") for name in CHECKS))
VERDICTS = st.builds(Verdict, LABELS, PASSED | CHECKED, WORDS) | st.sampled_from([GARBAGE, *FAILURES])
DELIVERIES = st.lists(st.sampled_from(FAILURES) | CONTENTS.map(delivery) | st.just(delivery()), min_size=1, max_size=4)


def any_outside(brings: Sequence[Any], extracts: Sequence[Any], again: Sequence[Any], verdicts: Sequence[Any]) -> int:
    """One ingest of it, its parts and records retried once: how many records it accepted."""
    shelf = Shelf(agent=Agent(extracts, again), judge=Judge(verdicts))
    run = shelf.ingest("a", *brings)
    for _ in range(2):
        every = [shelf.load(head) for head in list(shelf.store.rows)]
        assert {each.status for each in every} <= {"ended", "waiting", "stopped"}
        for each in every:
            if each.stopped is not None:
                assert each.stopped.reason
                if each.stopped.resumable:
                    assert each.stopped.mend
                    shelf.retry(each.id)
        shelf.drive(run.id)
    accepted = [s.record for s in shelf.all(kinds.STANDING) if s.status == "accepted"]
    for key in accepted:
        (record,) = shelf.all(kinds.RECORD, key)
        text = shelf.contents.kept[go(shelf.library.text(record.version)).text].decode()
        assert record.proposal.quotations
        assert len(record.spans) == len(record.proposal.quotations)
        for spans in record.spans:
            assert spans
            assert [text[span.start : span.end] for span in spans] == [span.exact for span in spans]
    standings = {record.key: shelf.all(kinds.STANDING, f"{record.key}/") for record in shelf.all(kinds.RECORD)}
    for found in standings.values():
        assert [standing.number for standing in found] == list(range(1, len(found) + 1))
    return len(accepted)


ANY = given(
    DELIVERIES,
    st.lists(replies(), min_size=1, max_size=4),
    st.lists(replies(), min_size=1, max_size=3),
    st.lists(VERDICTS, min_size=1, max_size=4),
)
QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large]


@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=QUIET)
@ANY
def test_whatever_is_answered_it_rests_and_what_is_accepted_stands(
    brings: list[Any], extracts: list[Any], again: list[Any], verdicts: list[Any]
) -> None:
    any_outside(brings, extracts, again, verdicts)


@pytest.mark.nightly
@settings(max_examples=100, deadline=None, suppress_health_check=QUIET)
@ANY
def test_whatever_is_answered_many_times(
    brings: list[Any], extracts: list[Any], again: list[Any], verdicts: list[Any]
) -> None:
    any_outside(brings, extracts, again, verdicts)


def test_something_is_accepted_at_all() -> None:
    assert any_outside([delivery()], Agent().replies, Agent().again, Judge().replies) == 1

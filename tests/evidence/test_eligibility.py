"""Eligibility: every signal in both directions, what the policy decides, and what never changes by it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.evidence.eligibility import judge
from backedge.evidence.facts import Facts, Mark, Notice, Policy
from backedge.evidence.reading import Unfit
from backedge.evidence.records import Reason
from backedge.evidence.sources import Access, Identifiers, Metadata, Relation, RelationKind, Signal, SignalKind

OTHER = Identifiers(pmid="2")
PLAIN = Metadata(title="Effects of X in mice", identifiers=Identifiers(pmid="1"))
STRICT = Policy(concern_forbids=True)
LOOSE = Policy(superseded_forbids=False, notices_forbid=False)


def kinds(reasons: tuple[Reason, ...]) -> list[str]:
    return [reason.kind for reason in reasons]


def judged(facts: Facts, policy: Policy = Policy()) -> tuple[bool, list[str], list[str]]:
    eligible, reasons, warnings = judge(facts, policy)
    assert eligible is not bool(reasons)
    return eligible, kinds(reasons), kinds(warnings)


def signalled(*signals: Signal, metadata: Metadata = PLAIN) -> Facts:
    return Facts(replace(metadata, signals=signals))


def linked(kind: RelationKind, note: str = "") -> Facts:
    return Facts(replace(PLAIN, relations=(Relation(kind, OTHER, note),)))


def noticed(kind: RelationKind, metadata: Metadata = PLAIN) -> Facts:
    return Facts(metadata, (Notice(kind, "s_2", "Its title", Identifiers(pmid="1")),))


def test_a_source_that_nothing_speaks_against_may_be_used() -> None:
    assert judge(Facts(PLAIN), Policy()) == (True, (), ())


@pytest.mark.parametrize(
    ("kind", "forbids", "strict", "loose"),
    [
        ("retracted", True, True, True),
        ("withdrawn", True, True, True),
        ("restricted", True, True, True),
        ("concern", False, True, False),
        ("superseded", True, True, False),
        ("notice", True, True, False),
        ("corrected", False, False, False),
    ],
)
def test_what_a_signal_does_is_for_its_kind_and_the_policy(
    kind: SignalKind, forbids: bool, strict: bool, loose: bool
) -> None:
    facts = signalled(Signal(kind, "crossref", "as read"))
    for policy, expected in ((Policy(), forbids), (STRICT, strict), (LOOSE, loose)):
        eligible, reasons, warnings = judge(facts, policy)
        assert (eligible, *reasons, *warnings) == (not expected, Reason(kind, "crossref", "as read"))
        assert bool(reasons) is expected


@pytest.mark.parametrize(
    ("kind", "reason", "forbids"),
    [
        ("retracted_by", "retracted", True),
        ("withdrawn_by", "withdrawn", True),
        ("concern_by", "concern", False),
        ("corrected_by", "corrected", False),
        ("updated_by", "superseded", True),
        ("published_as", "published", False),
        ("retraction_of", "notice", True),
        ("withdrawal_of", "notice", True),
        ("concern_about", "notice", True),
        ("correction_of", "notice", True),
        ("update_of", "", False),
        ("part_of", "", False),
        ("comment_on", "", False),
    ],
)
def test_links_of_a_source_speak(kind: RelationKind, reason: str, forbids: bool) -> None:
    eligible, reasons, warnings = judge(linked(kind, "in: J X"), Policy())
    said = [(one.kind, one.by, one.detail) for one in (*reasons, *warnings)]
    assert said == ([(reason, f"link: {kind}", "pmid:2; in: J X")] if reason else [])
    assert eligible is not forbids


@pytest.mark.parametrize(
    ("kind", "reason", "forbids"),
    [
        ("retraction_of", "retracted", True),
        ("withdrawal_of", "withdrawn", True),
        ("concern_about", "concern", False),
        ("correction_of", "corrected", False),
        ("update_of", "superseded", True),
        ("retracted_by", "notice", True),
        ("withdrawn_by", "notice", True),
        ("concern_by", "notice", True),
        ("corrected_by", "", False),
        ("published_as", "", False),
        ("comment_on", "", False),
    ],
)
def test_what_other_stored_sources_say_speaks(kind: RelationKind, reason: str, forbids: bool) -> None:
    eligible, reasons, warnings = judge(noticed(kind), Policy())
    said = [(one.kind, one.by, one.detail) for one in (*reasons, *warnings)]
    assert said == ([(reason, f"source s_2: {kind}", "Its title")] if reason else [])
    assert eligible is not forbids


def test_a_title_alone_speaks() -> None:
    assert judged(Facts(replace(PLAIN, title="Retracted: Effects of X"))) == (False, ["retracted"], [])
    assert judged(Facts(replace(PLAIN, title="WITHDRAWN: Effects of X"))) == (False, ["withdrawn"], [])
    assert judged(Facts(replace(PLAIN, title="Retraction: Effects of X"))) == (False, ["notice"], [])
    assert judged(Facts(replace(PLAIN, title="Retracted rotator cuff tears"))) == (True, [], [])


def test_a_notice_titled_by_what_it_retracts_is_no_retracted_article() -> None:
    facts = signalled(Signal("notice", "publication type"), metadata=replace(PLAIN, title='Retracted: "Effects of X"'))
    assert judged(facts) == (False, ["notice"], [])
    assert judged(facts, LOOSE) == (True, [], ["notice"])


def test_an_erratum_that_is_also_a_retraction_forbids_what_it_names() -> None:
    """34082697 is typed as both. That an article has errata and a concern beside does not make it retracted."""
    both = Facts(PLAIN, (Notice("retraction_of", "s_2", "Retraction Note to: X", OTHER),))
    assert judged(both) == (False, ["retracted"], [])
    errata = Facts(replace(PLAIN, relations=(Relation("corrected_by", OTHER), Relation("concern_by", OTHER))))
    assert judged(errata) == (True, [], ["corrected", "concern"])


def test_what_takes_the_place_of_a_retracted_article_is_research() -> None:
    metadata = replace(PLAIN, relations=(Relation("update_of", OTHER, "RetractedandRepublishedFrom"),))
    assert judged(noticed("retracted_by", metadata)) == (True, [], [])
    assert judged(linked("retracted_by", "RetractedandRepublishedIn"))[1] == ["retracted"]


def test_a_preprint_with_an_article_is_told_and_may_be_used() -> None:
    assert judged(noticed("update_of", replace(PLAIN, kind="Preprint"))) == (True, [], ["published"])
    arxiv = replace(PLAIN, identifiers=Identifiers(doi="10.48550/arxiv.2101.00001"))
    assert judged(noticed("update_of", arxiv)) == (True, [], ["published"])
    assert judged(linked("updated_by", "RepublishedIn: J X")) == (True, [], ["published"])


def test_a_signal_of_one_version_says_nothing_of_another() -> None:
    signal = Signal("withdrawn", "arxiv", "v2: withdrawn by the authors")
    for label, eligible in (("v1", True), ("v2", False), ("", False)):
        facts = signalled(signal, metadata=replace(PLAIN, version_label=label))
        assert judge(facts, Policy())[0] is eligible
    assert judged(signalled(signal, metadata=replace(PLAIN, version_label="v1")))[2] == ["withdrawn"]


def test_that_another_version_has_a_newer_one_says_nothing_at_all_of_this() -> None:
    signal = Signal("superseded", "arXiv: versions", "v1: v2 is the newest version")
    for label, reasons in (("v1", ["superseded"]), ("v2", []), ("v3", [])):
        facts = signalled(signal, metadata=replace(PLAIN, version_label=label))
        assert judged(facts) == (not reasons, reasons, [])


REINSTATED = Signal("reinstated", "retraction watch", at="2021-03-01")


def test_what_was_reinstated_may_be_used_and_its_retraction_warns() -> None:
    facts = signalled(Signal("retracted", "retraction watch", at="2020-02-06"), REINSTATED)
    assert judged(facts) == (True, [], ["retracted", "reinstated"])
    both = replace(facts, unfit="corrupt")
    assert judged(both) == (False, ["failed_parse"], ["retracted", "reinstated"])


@pytest.mark.parametrize(
    ("at", "lifted"),
    [
        ("2021-02-28", True),
        ("2020", True),
        ("2021-02", True),
        ("2021-03-01", False),
        ("2021-03", False),
        ("2021", False),
        ("2021-03-02", False),
        ("2022", False),
        ("", False),
    ],
)
def test_a_reinstatement_lifts_only_what_surely_came_before_it(at: str, lifted: bool) -> None:
    """Whoever says so: a signal, a link of its own, or another source."""
    link = Relation("retracted_by", OTHER, at=at)
    notice = Notice("retraction_of", "s_2", "Its title", OTHER, at)
    by_signal = signalled(Signal("retracted", "crossref", at=at), REINSTATED)
    by_link = Facts(replace(PLAIN, relations=(link,), signals=(REINSTATED,)))
    by_other = Facts(replace(PLAIN, signals=(REINSTATED,)), (notice,))
    for facts in (by_signal, by_link, by_other):
        eligible, reasons, warnings = judged(facts)
        assert (eligible, "retracted" in reasons, "retracted" in warnings) == (lifted, not lifted, lifted)
        assert "reinstated" in warnings


def test_a_reinstatement_without_a_date_lifts_nothing_nor_does_one_lift_a_mark_of_the_title() -> None:
    undated = signalled(Signal("retracted", "crossref", at="2019"), Signal("reinstated", "retraction watch"))
    assert judged(undated) == (False, ["retracted"], ["reinstated"])
    titled = signalled(REINSTATED, metadata=replace(PLAIN, title="RETRACTED: Effects of X"))
    assert judged(titled) == (False, ["retracted"], ["reinstated"])


@pytest.mark.parametrize("by", ["first line", "heading", "page title"])
def test_a_headline_of_a_notice_is_the_title_of_what_it_retracts(by: str) -> None:
    mark = Signal("retracted", by, "Retracted: Effects of X")
    assert judged(signalled(mark)) == (False, ["retracted"], [])
    assert judged(signalled(mark, metadata=replace(PLAIN, title=mark.detail))) == (False, ["retracted"], [])
    assert judged(signalled(mark, Signal("notice", "publication type"))) == (False, ["notice"], [])


def test_the_mark_of_an_operator_says_who_set_it_and_may_be_lifted() -> None:
    mark = Mark("s_1", 1, "ada", "no licence for us")
    assert judge(Facts(PLAIN, mark=mark), LOOSE)[1] == (Reason("restricted", "ada", "no licence for us"),)
    lifted = Mark("s_1", 2, "bob", "licence bought", lifted=True)
    assert judge(Facts(PLAIN, mark=lifted), Policy()) == (
        True,
        (),
        (Reason("restriction_lifted", "bob", "licence bought"),),
    )
    retracted = Facts(replace(PLAIN, title="RETRACTED: X"), mark=lifted)
    assert judged(retracted) == (False, ["retracted"], ["restriction_lifted"])


def test_a_licence_that_is_refused_restricts() -> None:
    facts = Facts(replace(PLAIN, licence="All rights\n reserved. No text mining."))
    assert judged(facts) == (True, [], [])
    refusing = Policy(licences_refused=("CC BY-NC", "all rights reserved"))
    assert judge(facts, refusing)[1] == (Reason("restricted", "licence", "All rights\n reserved. No text mining."),)
    assert judged(Facts(replace(PLAIN, licence="Some say: all rights reserved")), refusing) == (True, [], [])


@pytest.mark.parametrize(
    ("access", "free", "needed"),
    [
        ("open", (True, [], []), (True, [], [])),
        ("restricted", (True, [], ["restricted"]), (False, ["restricted"], [])),
        ("unknown", (True, [], []), (True, [], ["access_unknown"])),
    ],
)
def test_the_access_flag_counts_where_open_is_needed(
    access: Access, free: tuple[bool, list[str], list[str]], needed: tuple[bool, list[str], list[str]]
) -> None:
    facts = Facts(replace(PLAIN, access=access))
    assert (judged(facts), judged(facts, Policy(needs_open=True))) == (free, needed)


@pytest.mark.parametrize(
    ("unfit", "kind"),
    [
        ("corrupt", "failed_parse"),
        ("too_slow", "failed_parse"),
        ("encrypted", "quarantined"),
        ("image_only", "quarantined"),
        ("no_text", "quarantined"),
        ("hostile", "quarantined"),
        ("too_large", "quarantined"),
        ("unknown_format", "quarantined"),
    ],
)
def test_what_could_not_be_read_may_not_be_used(unfit: Unfit, kind: str) -> None:
    assert judge(Facts(PLAIN, unfit=unfit), LOOSE)[1] == (Reason(kind, "reading", unfit),)


def test_a_newer_version_supersedes_as_the_policy_says() -> None:
    facts = Facts(PLAIN, superseded_by="abc")
    assert judge(facts, Policy())[1] == (Reason("superseded", "a newer version of the source", "abc"),)
    assert judged(facts, LOOSE) == (True, [], ["superseded"])


def test_several_signals_are_all_told_once_each_and_in_one_order() -> None:
    signal = Signal("retracted", "publication type", "Retracted Publication")
    metadata = replace(
        PLAIN, signals=(signal, signal), relations=(Relation("retracted_by", OTHER),), title="RETRACTED: X"
    )
    facts = replace(noticed("retraction_of", metadata), superseded_by="abc")
    _, reasons, _ = judge(facts, Policy())
    assert [reason.by for reason in reasons] == [
        "publication type",
        "title",
        "link: retracted_by",
        "source s_2: retraction_of",
        "a newer version of the source",
    ]
    assert judge(facts, Policy()) == judge(facts, Policy())

"""Checking an investigation again: everything holds as it was left, and each kind of tampering is found."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from backedge.adapters.sources.contents import FolderContents
from backedge.adapters.stores.sqlite import open_sqlite
from backedge.assembling.verifying import verified_again
from backedge.evidence import inquiry_kinds, kinds
from backedge.evidence.exporting.reverified import KINDS, Reverified, reverified_text
from backedge.evidence.inquiry import ExternalSnapshot
from backedge.evidence.kinds import Kind
from backedge.evidence.records import Standing
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import Record
from tests.evidence.investigated import KEY, Investigated, approved, begun, fill, finish, proposed, record_of
from tests.evidence.outside import NAUSEA
from tests.evidence.shelf import go


def check(shelf: Investigated, run: str = KEY) -> Reverified:
    return go(verified_again(run, shelf.app))


def failed(found: Reverified) -> set[str]:
    return {count.kind for count in found.counts if count.failed}


def test_an_approved_investigation_holds_and_says_how_much_was_checked() -> None:
    found = check(approved())
    assert (found.holds, found.problems, found.lacking, found.state, found.runs) == (True, (), (), "Approved", 8)
    counts = {count.kind: count for count in found.counts}
    assert tuple(counts) == KINDS
    assert [counts[kind].checked for kind in ("contents", "texts", "spans", "packages", "standings")] == [2, 2, 2, 1, 2]
    assert (counts["gates"].checked > 40, counts["records"].checked > 40) == (True, True)
    assert (counts["citations"].checked, counts["request"].checked) == (5, 6)
    assert (counts["searches"].checked, counts["searches"].not_checkable) == (0, 3)
    assert {count.passed - count.checked for count in found.counts} == {0}
    assert reverified_text(found).startswith("investigation inv1 (Approved, 8 runs): holds\n")
    assert found.as_data()["counts"]["spans"] == {"checked": 2, "passed": 2, "failed": 0, "not_checkable": 0}


@pytest.mark.parametrize("made", [begun, proposed])
def test_one_that_goes_on_is_checked_as_far_as_it_is(made: Callable[[], Investigated]) -> None:
    found = check(made())
    assert (found.holds, found.lacking) == (True, ())
    assert found.state in ("AwaitingFacets", "AwaitingApproval")


def test_what_is_no_investigation_is_refused() -> None:
    with pytest.raises(Permanent, match="run1 is no investigation, it is of the workflow ingest"):
        check(approved(), "run1")


# ------------------------------------------------------------------ tampering


def written(shelf: Investigated, kind: Kind[Any], change: Callable[[Any], Any], words: str = "") -> None:
    """Change a stored record by hand, its key left as it was."""
    name, key = next(at for at in sorted(shelf.store.written) if at[0] == kind.name and words in at[1])
    old = shelf.store.written[name, key]
    shelf.store.written[name, key] = Record(name, key, kind.record(change(kind.value(old))).body)


def flip(shelf: Investigated, kind: str) -> None:
    version = record_of(shelf, NAUSEA)[:12]
    name = next(n for n in shelf.contents.kept if n.startswith(version))
    text = shelf.contents.kept[name]
    shelf.contents.kept[name] = text.replace(b"62", b"63") if kind == "digit" else text[:-1]


def span(shelf: Investigated) -> None:
    def moved(record: Any) -> Any:
        return replace(record, spans=((replace(record.spans[0][0], start=record.spans[0][0].start + 1),),))

    written(shelf, kinds.RECORD, moved, record_of(shelf, NAUSEA))


def statement(shelf: Investigated) -> None:
    words = record_of(shelf, NAUSEA)
    written(shelf, kinds.RECORD, lambda r: replace(r, proposal=replace(r.proposal, statement="It was halved.")), words)


def standing(shelf: Investigated) -> None:
    row = kinds.STANDING.record(Standing(record_of(shelf, NAUSEA), 3, "accepted", "nobody"))
    shelf.store.written[row.kind, row.key] = row


def package(shelf: Investigated) -> None:
    def without_contradictions(kept: Any) -> Any:
        records = tuple(r for r in kept.package.records if r.relationship != "contradicts")
        return replace(kept, package=replace(kept.package, records=records))

    written(shelf, inquiry_kinds.PACKAGE, without_contradictions)


def quotation(shelf: Investigated) -> None:
    def halved(kept: Any) -> Any:
        sections = [replace(s, text=s.text.replace("did not differ", "was halved")) for s in kept.design.sections]
        return replace(kept, design=replace(kept.design, sections=tuple(sections)))

    written(shelf, inquiry_kinds.DESIGN, halved, "000002")


def approval(shelf: Investigated) -> None:
    written(shelf, inquiry_kinds.APPROVAL, lambda k: replace(k, approval=replace(k.approval, approved=True)), "000001")


def gone(shelf: Investigated) -> None:
    key = next(at for at in shelf.store.written if at[0] == "assessment")
    del shelf.store.written[key]


def judgement(shelf: Investigated) -> None:
    written(shelf, kinds.JUDGEMENT, lambda judged: replace(judged, policy="another"), record_of(shelf, NAUSEA)[:12])


def unreadable(shelf: Investigated) -> None:
    shelf.store.written["design", f"{KEY}/000002"] = Record("design", f"{KEY}/000002", {"nothing": 1})


def entry(shelf: Investigated, run: str, old: str, new: str) -> None:
    """Change the journal of a run."""
    found = [(seq, at, text.replace(old, new)) for seq, at, text in shelf.store.journals[run]]
    assert found != shelf.store.journals[run], f"{old} is not in the journal"
    shelf.store.journals[run] = found


TAMPERED: dict[str, tuple[Callable[[Investigated], None], set[str]]] = {
    "a digit of a content": (lambda s: flip(s, "digit"), {"contents", "texts", "spans", "citations"}),
    "a content cut short": (lambda s: flip(s, "end"), {"contents", "texts", "spans"}),
    "a span": (span, {"records", "spans"}),
    "a statement": (statement, {"records", "spans"}),
    "a standing too many": (standing, {"records"}),
    "a package": (package, {"records", "packages"}),
    "a quoted string": (quotation, {"records", "citations"}),
    "an approval": (approval, {"records"}),
    "a record gone": (gone, {"records"}),
    "a judgement": (judgement, {"records"}),
    "a design that is none": (unreadable, {"records", "citations"}),
    "a reviewer": (lambda s: entry(s, KEY, '"approvers":["rita"]', '"approvers":["ann"]'), {"gates"}),
    "a rationale": (lambda s: entry(s, KEY, '"rationale":"it is sound"', '"rationale":" "'), {"gates"}),
    "a request": (lambda s: entry(s, KEY, "Does ketorolac cause", "Does metformin cause"), {"gates", "request"}),
    "a facet that the request does not say": (
        lambda s: entry(s, KEY, '"exact":"ketorolac"', '"exact":"aspirin"'),
        set(),
    ),
    "an entry that is no entry": (lambda s: entry(s, "run1", '"kind":"moved"', '"kind":"mover"'), {"gates"}),
    "a verdict": (lambda s: entry(s, "run1.14.0.2.0", '"label":"entailed"', '"label":"contradicted"'), {"gates"}),
}


OUTCOME = '"outcome":{"$json":{"question":"q1","status":"partial"}}'
QUICK = ("a digit of a content", "a span", "a quoted string", "a standing too many", "a reviewer")


@pytest.mark.parametrize(
    "what", [what if what in QUICK else pytest.param(what, marks=pytest.mark.slow) for what in TAMPERED]
)
def test_tampering_is_found(what: str) -> None:
    shelf = approved()
    change, kinds_ = TAMPERED[what]
    change(shelf)
    found = check(shelf)
    assert not found.holds
    assert kinds_ <= failed(found)
    assert "DOES NOT HOLD" in reverified_text(found)
    assert len(found.problems) == len(found.as_data()["problems"]) > 0


def test_an_approval_by_another_would_be_refused_now() -> None:
    shelf = approved()
    entry(shelf, KEY, '"approvers":["rita"]', '"approvers":["ann"]')
    assert any("AwaitingApproval would be refused now: rita may not" in each.said for each in check(shelf).problems)


def test_an_inquiry_that_did_not_end_as_its_investigation_was_told() -> None:
    shelf = approved()
    entry(shelf, KEY, OUTCOME, OUTCOME.replace("partial", "sufficient"))
    (inquiry,) = go(shelf.store.heads(workflow="inquire"))
    assert [problem.said for problem in check(shelf).problems] == [
        f"run inv1, AwaitingInquiries: its child {inquiry.id} did not end as it was told"
    ]


def test_a_run_that_the_list_tells_otherwise() -> None:
    shelf = approved()
    shelf.store.rows[KEY] = replace(shelf.store.rows[KEY], status="waiting")
    found = check(shelf)
    assert [problem.said for problem in found.problems] == [
        "run inv1 (investigate): the list of runs says otherwise than the journal how it stands"
    ]


def test_a_retraction_since_is_a_failed_check_of_standings() -> None:
    shelf = approved()
    shelf.restrict(shelf.all(kinds.SOURCE)[0].id, "the licence ended")
    found = check(shelf)
    assert failed(found) == {"standings", "citations"}
    assert any("may not be used now: restricted" in problem.said for problem in found.problems)


def test_hits_that_are_not_those_of_an_external_snapshot() -> None:
    shelf = approved()
    (first, *_) = shelf.all(inquiry_kinds.EXECUTION)
    outside = ExternalSnapshot("q", "2026-12-01", 1, "0" * 64)
    made = replace(first, execution=replace(first.execution, snapshot=outside))
    row = inquiry_kinds.EXECUTION.record(made)
    shelf.store.written[row.kind, row.key] = row
    assert "searches" in failed(check(shelf))


def test_nothing_checked_is_a_failure() -> None:
    shelf = approved()
    shelf.store.journals[KEY] = shelf.store.journals[KEY][:1]
    found = check(shelf)
    assert not found.holds
    empty = Reverified("r", "Approved", 1, (), (), ())
    assert (empty.checked, empty.holds, "nothing was checked" in reverified_text(empty)) == (0, False, True)


def test_an_approved_design_without_any_citation_is_not_said_to_hold() -> None:
    found = check(approved())
    counts = tuple(replace(c, checked=0) if c.kind == "citations" else c for c in found.counts)
    without = replace(found, counts=counts, lacking=("citations",))
    assert not without.holds
    assert "nothing was checked of citations" in reverified_text(without)


# ----------------------------------------------------------------- on the disk


@pytest.mark.slow
def test_on_the_disk_a_flipped_byte_and_an_edited_body_are_found(tmp_path: Path) -> None:
    contents = FolderContents(tmp_path / "contents")
    shelf = Investigated(store=open_sqlite(tmp_path / "runs.db"), contents=contents)
    finish(fill(shelf))
    assert (check(shelf).holds, check(shelf).problems) == (True, ())
    key = record_of(shelf, NAUSEA)
    with sqlite3.connect(tmp_path / "runs.db") as database:
        ((body,),) = database.execute("select body from record where kind = 'record' and key = ?", (key,)).fetchall()
        told = json.loads(body)
        told["proposal"]["statement"] = "In rats, nausea was halved."
        database.execute("update record set body = ? where kind = 'record' and key = ?", (json.dumps(told), key))
    assert failed(check(shelf)) == {"records", "spans"}
    with sqlite3.connect(tmp_path / "runs.db") as database:
        database.execute("update record set body = ? where kind = 'record' and key = ?", (body, key))
    assert check(shelf).holds
    path = next(p for p in (tmp_path / "contents").glob(f"*/{key[:12]}*") if len(p.name) == 64)
    path.write_bytes(path.read_bytes().replace(b"Nausea", b"nausea"))
    assert {"contents", "texts", "spans"} <= failed(check(shelf))
    go(shelf.store.close())

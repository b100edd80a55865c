"""Handles of records in prompts and replies: what a model names is of the record again, and nothing else is."""

from __future__ import annotations

import pytest

from backedge.evidence.prompted.handles import Handles
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson

KEYS = ("abc.1", "abc.12", "abc.3")


@pytest.fixture
def handles() -> Handles:
    return Handles((*KEYS, "abc.1"))


def test_handles_count_the_records_in_their_order(handles: Handles) -> None:
    assert [handles.of(key) for key in KEYS] == ["rec_1", "rec_2", "rec_3"]
    assert handles.keys(["rec_3", " rec_1", "rec_3"]) == ("abc.3", "abc.1")
    assert handles.named == {"rec_1": "abc.1", "rec_2": "abc.12", "rec_3": "abc.3"}


def test_a_handle_of_no_record_stays_as_it_is_said(handles: Handles) -> None:
    assert handles.keys(["rec_4", "abc", ""]) == ("rec_4", "abc", "")
    assert (handles.of("zzz.9"), Handles(()).hidden("abc.1"), Handles(()).told("rec_1")) == ("zzz.9", "abc.1", "rec_1")


def test_a_key_that_begins_another_is_not_taken_for_it(handles: Handles) -> None:
    assert handles.hidden("abc.12, abc.1; abc.123 xabc.1 abc.3.") == "rec_2, rec_1; abc.123 xabc.1 rec_3."


@pytest.mark.parametrize(
    ("said", "text", "cited"),
    [
        ("Pain was lower (rec_1).", "Pain was lower.", ("rec_1",)),
        ("Pain was lower [rec_1, rec_2; rec_3 and rec_9].", "Pain was lower.", ("rec_1", "rec_2", "rec_3", "rec_9")),
        ("Pain was lower, as record rec_2 says.", "Pain was lower, as record abc.12 says.", ()),
        ("rec_2 says so.", "record abc.12 says so.", ()),
        ("The rec8 allele (see rec_1 there) and R2.", "The rec8 allele (see record abc.1 there) and R2.", ()),
        ("prec_1 and rec_1a stay.", "prec_1 and rec_1a stay.", ()),
        ("(rec_1)", "", ("rec_1",)),
    ],
)
def test_handles_in_brackets_cite_and_others_become_keys(
    handles: Handles, said: str, text: str, cited: tuple[str, ...]
) -> None:
    assert handles.cited(said) == (text, cited)


def test_handles_of_no_record_in_texts_are_found(handles: Handles) -> None:
    assert handles.strange(["rec_1 and rec_7", "(rec_7, rec_0)", "rec8"]) == ("rec_7", "rec_0")


def test_a_lesson_speaks_in_handles_and_is_bounded(handles: Handles) -> None:
    refused = Defect("record_not_packaged", "not once: abc.12, zz", "approaches.a.records", "not abc.3", ("abc.1",))
    told = handles.lesson(Lesson(2, 3, (refused,)), "x" * 50, 20)
    assert "not once: rec_2, zz" in told
    assert "Nearest: rec_1." in told
    assert "not rec_3" in told
    assert told.endswith("\n" + "x" * 20)
    assert handles.lesson(Lesson(), "x", 20) == ""


def test_many_brackets_are_read_in_time(handles: Handles) -> None:
    said = "(" + "rec_1 and " * 5_000
    assert handles.cited(said)[1] == ()

"""Chances of success: every wording is found, honest statistics pass, and what the table does on unseen sentences."""

from __future__ import annotations

import pytest

from backedge.evidence.chances import chances_in
from tests.evidence import chance_held_out, chance_wordings


def test_the_tables_are_large_enough_to_mean_anything() -> None:
    sizes = [len(set(table)) for table in (chance_wordings.CHANCES, chance_wordings.HONEST)]
    assert min(sizes) >= 60
    assert min(len(set(chance_held_out.CHANCES)), len(set(chance_held_out.HONEST))) >= 30


@pytest.mark.parametrize("text", chance_wordings.CHANCES)
def test_a_chance_of_success_is_found_in_any_wording(text: str) -> None:
    (found,) = chances_in(text)
    assert found.words == text[found.start : found.end] != ""


@pytest.mark.parametrize("text", chance_wordings.HONEST)
def test_honest_statistics_and_plain_statements_pass(text: str) -> None:
    assert chances_in(text) == ()


def test_precision_and_recall_on_sentences_that_nothing_was_tuned_on() -> None:
    found = [text for text in chance_held_out.CHANCES if chances_in(text)]
    wrong = [text for text in chance_held_out.HONEST if chances_in(text)]
    recall, precision = len(found) / len(chance_held_out.CHANCES), len(found) / (len(found) + len(wrong))
    assert (recall >= 0.95, precision >= 0.95) == (True, True), (recall, precision, wrong)


def test_each_sentence_is_read_by_itself() -> None:
    text = "Survival was 0.71. It is likely\nto fail. The approach should succeed!  It costs 80 %."
    assert [found.words for found in chances_in(text)] == ["should succeed"]


@pytest.mark.parametrize(
    ("reported", "own"),
    [
        ("In record r4 the success rate of the surgery was 92 %.", "Our approach has a success rate of 92 %."),
        ("Ligation was likely to succeed in old rats (record r2).", "Ligation is likely to succeed in old rats."),
        ("The chance of failure was 8 % in record r3.", "The chance of failure of the approach was put at 8 %."),
    ],
)
def test_what_a_source_reports_passes_and_what_is_foretold_does_not(reported: str, own: str) -> None:
    assert (chances_in(reported), len(chances_in(own))) == ((), 1)


def test_words_are_named_as_they_are_written_however_they_are_written() -> None:
    text = "Rats. A high Chance-of\u00a0suc\u00adcess: ８０％."
    (found,) = chances_in(text)
    assert "Chance-of\u00a0suc\u00adcess" in text[found.start : found.end]


@pytest.mark.parametrize("piece", ["risk ", "success ", "80 % ", "likely ", "-", "approach is ", "has failed ", "a "])
def test_a_long_text_is_read_in_time(piece: str) -> None:
    assert len(chances_in(piece * 3_000)) <= 1

"""One story for each sort of refusal: what is said, and that the next step which is named works when it is typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

from backedge.ask.intent import RefusalKind
from backedge.ask.refusals import FORBIDDEN, KINDS, refusal_kind
from backedge.cli import exits
from backedge.kernel.defect import Defect
from tests.cli.projects import backedge
from tests.cli.stories import make_stories, make_undated

# kind: what is asked, what is said of it, and what then works ("" for the first question that is offered)
STORIES: dict[str, tuple[str, str, str]] = {
    "nothing_asked": ("show me the", "no word that names something", ""),
    "unknown_word": ("total paid by planet", "nothing here is called 'planet'", ""),
    "no_measure": ("in Lyon", "no measure is named", "total paid in Lyon"),
    "not_measured": ("median total paid", "there is no median of 'total paid' here", "total paid"),
    "not_groupable": ("total paid by visit count", "name a dimension", "total paid by town"),
    "no_date": ("room count in 2025", "no date dimension is declared here", "room count"),
    "no_data": ("total paid with seen in 2019", "runs from 2025-01-03 to 2025-02-11", "total paid with seen in 2025"),
    "unclear": ("number of", "name what is to be measured after it", "number of visits"),
    "not_yet": ("average monthly total paid", "say 'by month'", "total paid by month of seen"),
    "not_together": ("room count by town", "rooms and guests share no entity", "room count by floor"),
    "too_many": ("aaa and bbb and ccc and ddd", "name the view with the member", "zoo m1"),
    "why": ("why did total paid fall", "ask how it splits", "total paid by town"),
    "not_kept": ("total paid; over all time", "gives nothing up", "total paid by town"),
    "empty": ("total paid for app where mood is done", "no row fulfils all of the filters", "total paid for app"),
    "not_permitted": ("wipe it", "only SELECT may be run", "total paid"),
    "not_proven": ("total paid by label", "2 rows have twin = 10", "total paid by town"),
    "rejected": ("what was torn", "there is no column `torn`", "total paid"),
    "bad_result": ("which ways", "1 row comes more than once, such as web", "visit count by channel"),
}
# No words of a question lead there: a language model's spec, or a defect of a kind that is not told apart.
ELSEWHERE = {"beyond_the_model": "not_supported", "given_up": "timeout"}


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_stories(tmp_path_factory.mktemp("stories"))


@pytest.fixture(scope="module")
def undated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_undated(tmp_path_factory.mktemp("undated"))


def ask(folder: Path, question: str) -> Any:
    """What comes of a question; what stands behind a semicolon follows what stands before it."""
    first, _, then = question.partition("; ")
    ended = backedge("ask", "--project", folder, "-q", "--json", first)
    if then:
        ended = backedge("ask", "--project", folder, "-q", "--json", "--after", ended.json["run_id"], then)
    return ended


@pytest.mark.slow
@pytest.mark.parametrize("kind", STORIES)
def test_a_refusal_says_why_and_its_next_step_works(stories: Path, undated: Path, kind: str) -> None:
    question, says, step = STORIES[kind]
    folder = undated if kind == "no_date" else stories
    refused = ask(folder, question)
    assert (refused.code, refused.json["status"]) == (6 if kind == "not_permitted" else 4, "cannot_answer")
    assert (refused.json["kind"], refused.json["rows"], refused.json["figures"]) == (kind, [], [])
    assert says in refused.json["answer"]
    assert ask(folder, step or refused.json["instead"][0]).code == 0


def test_every_sort_of_refusal_has_its_story_and_its_row_in_the_docs() -> None:
    assert set(STORIES) | set(ELSEWHERE) == set(get_args(RefusalKind))
    docs = (Path(__file__).parents[2] / "docs" / "ask.md").read_text(encoding="utf-8")
    assert [kind for kind in get_args(RefusalKind) if f"\n| `{kind}` |" not in docs] == []


@pytest.mark.parametrize(("kind", "defect"), ELSEWHERE.items())
def test_a_reason_that_no_words_lead_to_has_its_sort(kind: str, defect: str) -> None:
    assert refusal_kind((Defect(defect, "so it is"),)) == kind


def test_what_is_forbidden_goes_before_every_other_reason() -> None:
    assert {refusal_kind((Defect("empty", ""), Defect(kind, ""))) for kind in FORBIDDEN} == {"not_permitted"}
    assert exits.FORBIDDEN == FORBIDDEN
    assert not FORBIDDEN & KINDS.keys()


@pytest.mark.slow
def test_a_misspelt_name_is_answered_with_the_nearest(stories: Path) -> None:
    refused = ask(stories, "total paid by chanel")
    near = refused.json["unknown"][0]["near"] if refused.code else ["channel"]
    assert "channel" in near

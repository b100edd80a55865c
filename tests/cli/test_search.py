"""`backedge search` through the command line, on the evidence demo: arms, snapshots, saved searches, a new view."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backedge.demo.evidence import QUERY
from tests.cli.projects import backedge

pytestmark = pytest.mark.slow


def found(folder: Path, *asked: str) -> dict[str, Any]:
    told: dict[str, Any] = backedge("search", *asked, "--json", "--project", folder).json
    return told


def test_a_hit_tells_its_source_place_use_and_the_rank_in_each_arm(made: Path) -> None:
    told = found(made, QUERY)
    first, *others = told["hits"]
    assert (first["rank"], set(first["arms"])) == (1, {"lexical", "semantic"})
    assert "fasting glucose" in first["text"]
    assert {"title", "source", "section", "role", "start", "end", "eligible"} <= set(first)
    assert {hit["eligible"] for hit in (first, *others)} == {True, False}
    page = backedge("search", QUERY, "--project", made).out
    assert "(words 1, meaning " in page
    assert "(may not be used)" in page
    assert f"snapshot {told['snapshot']}" in page
    assert len(found(made, QUERY, "--limit", "2")["hits"]) == 2


def test_each_arm_can_be_asked_alone_and_words_need_no_vector(made: Path) -> None:
    words = found(made, "albuminuria", "--arm", "lexical")
    assert (words["arm"], [hit["title"] for hit in words["hits"]][:1]) == (
        "lexical",
        ["Velorin and albuminuria in db/db mice"],
    )
    assert found(made, QUERY, "--arm", "semantic")["hits"]
    unkept = backedge("search", "albuminuria", "--project", made)
    assert (unkept.code, "--arm lexical" in unkept.err) == (5, True)
    assert backedge("search", "zebrafish", "--arm", "lexical", "--project", made).out.startswith("nothing is found\n")


def test_a_snapshot_finds_the_same_again_and_a_wrong_one_is_refused(made: Path) -> None:
    all_of_it = (QUERY, "--limit", "100")
    told = found(made, *all_of_it)
    assert found(made, *all_of_it, "--snapshot", told["snapshot"])["hits"] == told["hits"]
    earlier = f"{told['snapshot'].partition(':')[0]}:1"
    assert len(found(made, *all_of_it, "--snapshot", earlier)["hits"]) < len(told["hits"])
    for wrong, said in (("nonsense", "is no snapshot"), ("other:1", "is none of this chunk view")):
        ended = backedge("search", QUERY, "--snapshot", wrong, "--project", made)
        assert (ended.code, said in ended.err) == (5, True)


def test_a_saved_search_tells_once_what_is_new(demo: Path) -> None:
    saved = backedge("search", QUERY, "--save", "glucose", "--json", "--project", demo).json["looks"]
    assert (saved[0]["target"], len(saved[0]["new"])) == ("library", 3)
    again = backedge("search", "--new", "glucose", "--project", demo)
    assert again.out == "glucose in library: nothing new\n"
    assert backedge("search", "--new", "--json", "--project", demo).json["looks"][0]["new"] == []
    for asked, said in (
        ((QUERY, "--save", "glucose"), "there is a saved search 'glucose' already"),
        ((QUERY, "--save", "a/b"), "a search cannot be called 'a/b'"),
        ((QUERY, "--save", "other", "--in", "nowhere"), "nowhere cannot be searched; library, "),
        (("--new", "none"), "there is no saved search 'none'"),
    ):
        ended = backedge("search", *asked, "--project", demo)
        assert (ended.code, said in ended.err) == (5, True), asked
    assert backedge("search", "--project", demo).code == 2


def test_the_view_is_made_anew_from_what_is_stored(demo: Path) -> None:
    before = found(demo, QUERY)
    rebuilt = backedge("search", "--rebuild", "--json", "--project", demo).json
    after = found(demo, QUERY)
    assert after["snapshot"] == rebuilt["snapshot"] != before["snapshot"]
    assert [hit["text"] for hit in after["hits"]] == [hit["text"] for hit in before["hits"]]


def test_without_an_embedder_words_are_searched_alone_and_that_is_said(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from backedge.assembling import opening_evidence

    monkeypatch.setattr(opening_evidence, "evidence_embedder", lambda *_: None)
    ended = backedge("search", "albuminuria", "--project", demo)
    assert "Velorin and albuminuria" in ended.out
    assert "found by words alone: there is no embedder" in ended.err
    assert found(demo, "albuminuria")["arms"] == ["lexical", "fused"]
    by_meaning = backedge("search", "albuminuria", "--arm", "semantic", "--project", demo)
    assert (by_meaning.code, "nothing is found by meaning" in by_meaning.err) == (5, True)

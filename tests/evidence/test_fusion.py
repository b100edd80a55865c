"""Fusion: ranks decide, ties go by key, weights and arms are told, and what does not go together is refused."""

from __future__ import annotations

import pytest

from backedge.evidence.chunks import Arm, Chunk, Found, Hit, Snapshot
from backedge.evidence.fusion import fused

HERE = Snapshot("one", 3)


def found(arm: Arm, *keys: str, query: str = "q", at: Snapshot = HERE, score: float = 9.0) -> Found:
    hits = [Hit(Chunk(key, key[0], "s1", "abstract", 0, 1), n, score / n) for n, key in enumerate(keys, 1)]
    return Found(query, arm, at, tuple(hits))


def keys(of: Found) -> list[str]:
    return [hit.chunk.key for hit in of.hits]


def test_what_both_arms_find_comes_first_and_tells_its_ranks() -> None:
    both = fused([found("lexical", "a", "b", "c"), found("semantic", "c", "b", "d", score=1.0)], 10)
    assert keys(both) == ["c", "b", "a", "d"]
    assert (both.arm, both.snapshot, both.query) == ("fused", HERE, "q")
    assert both.hits[0].arms == (("lexical", 3, 3.0), ("semantic", 1, 1.0))
    assert both.hits[0].score == pytest.approx(1 / 63 + 1 / 61)
    assert [hit.rank for hit in both.hits] == [1, 2, 3, 4]


def test_scores_of_an_arm_do_not_count() -> None:
    low, high = (found("lexical", "a", "b", score=score) for score in (0.1, 1e9))
    assert keys(fused([low, found("semantic", "b", "c")], 5)) == keys(fused([high, found("semantic", "b", "c")], 5))


def test_ties_go_by_key_in_whatever_order_the_arms_come() -> None:
    one, two = found("lexical", "b", "x"), found("semantic", "a", "y")
    assert keys(fused([one, two], 4)) == keys(fused([two, one], 4)) == ["a", "b", "x", "y"]


def test_an_arm_weighs_what_it_is_given_and_without_a_weight_nothing() -> None:
    arms = [found("lexical", "a", "b"), found("semantic", "c", "b")]
    assert keys(fused(arms, 3, {"lexical": 1.0, "semantic": 0.2})) == ["b", "a", "c"]
    assert keys(fused(arms, 3, {"lexical": 0.1, "semantic": 2.0}))[0] == "b"
    assert keys(fused(arms, 3, {"semantic": 1.0})) == ["c", "b"]


def test_several_queries_are_all_told_and_the_limit_is_kept() -> None:
    several = fused([found("lexical", "a", query="x"), found("lexical", "a", "b", query="y")], 1)
    assert (several.query, keys(several), len(several.hits[0].arms)) == ("x | y", ["a"], 2)
    assert fused([found("lexical", "a")], 0).hits == ()
    assert fused([found("lexical"), found("semantic")], 5).hits == ()


def test_findings_of_two_snapshots_or_none_are_refused() -> None:
    with pytest.raises(ValueError, match="one snapshot"):
        fused([found("lexical", "a"), found("semantic", "a", at=Snapshot("one", 4))], 5)
    with pytest.raises(ValueError, match="one snapshot"):
        fused([], 5)

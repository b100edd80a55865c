"""A search of a snapshot finds the same for ever: in whatever order versions come, whatever comes later."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backedge.evidence.chunks import Found, Snapshot
from tests.adapters.search.views import View

WORDS = ("mouse", "rat", "treated", "liver", "rapamycin", "the", "dose", "dose")
texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), min_size=1, max_size=4)


def searched(view: View, at: Snapshot | None = None) -> list[Found]:
    queries = ("mouse treated", "liver", "rapamycin dose dose", "mouse")
    return [search(query, limit, at) for query in queries for search in (view.words, view.meaning) for limit in (1, 5)]


def test_fifty_more_versions_change_no_rank_and_no_score(tmp_path: Path) -> None:
    view = View(tmp_path / "view.db")
    for n in range(20):
        view.add(f"v{n:02}", f"mouse {'liver ' * (n % 5)}treated", f"rat dose {n}")
    here = view.now()
    before = searched(view, here)
    assert before == searched(view)
    for n in range(50):
        view.add(f"a{n:02}", "mouse mouse treated rapamycin dose", f"liver {n}")
    assert searched(view, here) == before
    assert searched(View(tmp_path / "view.db"), here) == before
    assert [f.hits for f in searched(view)] != [f.hits for f in before]


@pytest.mark.slow
@given(st.lists(texts, min_size=1, max_size=5), st.randoms(use_true_random=False), st.lists(texts, max_size=3))
@settings(max_examples=5, deadline=None)
def test_neither_the_order_nor_what_comes_later_counts(
    versions: list[list[str]], shuffled: object, later: list[list[str]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        one, two = View(Path(folder) / "one.db"), View(Path(folder) / "two.db")
        named = [(f"v{n}", told) for n, told in enumerate(versions)]
        for version, told in named:
            one.add(version, *told)
        for version, told in reversed(named):
            two.add(version, *told)
        here, there = one.now(), two.now()
        before = searched(one)
        for n, told in enumerate(later):
            one.add(f"w{n}", *told)
            two.add(f"w{n}", *told)
        assert searched(one, here) == before
        assert [found.hits for found in searched(two, there)] == [found.hits for found in before]
        one.view.close()
        two.view.close()

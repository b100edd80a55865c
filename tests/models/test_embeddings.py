"""A project with `embeddings`: the catalog is searched by meaning too, and vectors are kept beside its runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.models.minds import scene

DATA = {"kind": "data", "intent": "total amount by region", "members": ["orders.total_amount", "orders.region"]}
REQUEST = {"kind": "request", "measures": ["orders.total_amount"], "dimensions": ["orders.region"]}
QUESTION = "how did turnover spread over the regions"
asked: list[str] = []


class Flat:
    """An embedder for which all texts are alike."""

    name, dimensions = "flat", 2

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        asked.extend(texts)
        return [[1.0, 0.0] for _ in texts]


@pytest.mark.parametrize("named", [False, True])
def test_the_catalog_is_searched_by_meaning_where_the_project_says_so(
    named: bool, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked.clear()
    monkeypatch.setattr("backedge.assembling.embedding.LocalEmbedder", Flat)
    world = scene(shop, tmp_path, clarifying=[DATA], specifying=[REQUEST])
    if named:
        with (world.folder / "config.yml").open("a") as config:
            config.write("embeddings: {vendor: local}\n")
    run, _ = world.asked(QUESTION)
    assert run.trail[-1] == "Done"
    assert any(QUESTION in text for text in asked) is named
    assert bool(list((world.folder / ".backedge" / "cache").glob("vectors-*.db"))) is named
    first = len(asked)
    world.asked(QUESTION)
    assert len(asked) == first

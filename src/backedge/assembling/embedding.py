"""The embedder that a project's files name, with its vectors kept beside the project's runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from backedge.adapters.models.connection import Connection
from backedge.adapters.models.embedder import LocalEmbedder
from backedge.adapters.models.embedder_kept import KeptVectors
from backedge.adapters.models.embedder_recorded import RecordedEmbedder
from backedge.adapters.models.embedder_vendor import VendorEmbedder
from backedge.adapters.models.minilm import MiniLMEmbedder, installed
from backedge.agent.ports import Embedder, ModelSettings
from backedge.config.embeddings import Embeddings


def project_embedder(named: Embeddings | None, cache: Path, environment: Mapping[str, str]) -> Embedder | None:
    """The embedder, or None where the project names none. Nothing is imported or sent before the first text."""
    if named is None:
        return None
    if named.vendor == "recorded":
        behind = MiniLMEmbedder() if environment.get("BACKEDGE_RECORD") else None
        return RecordedEmbedder(Path(named.model), behind)
    if named.vendor == "local":
        return KeptVectors(MiniLMEmbedder() if named.model == "minilm" else LocalEmbedder(), cache)
    settings = ModelSettings(named.vendor, named.model, base_url=named.api_url)
    connection = Connection(settings, key_var=named.key_var)
    return KeptVectors(VendorEmbedder(connection, named.dimensions, environment), cache)


def rooted(named: Embeddings | None, root: Path) -> Embeddings | None:
    """As a project's files name it, with the place of a file of kept vectors seen from anywhere."""
    return replace(named, model=str(root / named.model)) if named and named.vendor == "recorded" else named


def evidence_embedder(named: Embeddings | None, cache: Path, environment: Mapping[str, str]) -> Embedder | None:
    """The embedder of evidence: the one that the project names, else MiniLM where it is installed, else None.

    `local` without a model means MiniLM here: it finds more in scientific English than the other one (docs/search.md).
    """
    if named is not None and (named.vendor != "local" or named.model):
        return project_embedder(named, cache, environment)
    return KeptVectors(MiniLMEmbedder(), cache) if installed() else None

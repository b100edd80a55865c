"""`embeddings` of `config.yml`: what makes vectors of texts, so that words are also found by what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from backedge.config.shape import Shape, Text

LOCAL = ("minilm", "use-multilingual")
"""The models of the vendor `local`."""


@dataclass(frozen=True)
class Embeddings:
    """The model of vectors. `key_var` names the variable with its key; `local` runs here and needs nothing.

    `model` is one of `LOCAL` for the vendor `local`, or empty: then each use has its own default. For the vendor
    `recorded` it is a file of kept vectors.
    """

    vendor: str
    model: str = ""
    dimensions: int = 0
    api_url: str = ""
    key_var: str = ""


class EmbeddingsKeys(Shape):
    """The keys of `embeddings`."""

    what: ClassVar[str] = "`embeddings`"
    refused: ClassVar[dict[str, str]] = {
        "api_key": "`api_key` would hold a secret: name the variable that holds the key with `key_var`",
    }
    vendor: Literal["local", "openai", "openai_compat", "ollama", "recorded"]
    model_ref: Text | None = None
    dimensions: Annotated[int, Field(ge=1, le=16_384)] | None = None
    api_url: Text | None = None
    key_var: Text | None = None

    @model_validator(mode="after")
    def _fits(self) -> EmbeddingsKeys:
        told = (self.dimensions, self.api_url, self.key_var)
        if self.vendor == "local" and any(told):
            raise ValueError("`embeddings` of vendor `local` takes no other key than `model_ref`: it runs here")
        if self.vendor == "local" and self.model_ref and self.model_ref not in LOCAL:
            raise ValueError(f"`model_ref` of vendor `local` is one of {', '.join(LOCAL)}, not {self.model_ref}")
        if self.vendor == "recorded":
            if any(told) or not self.model_ref:
                raise ValueError(
                    "`embeddings` of vendor `recorded` takes `model_ref`, a file of kept vectors, and no more"
                )
            return self
        if self.vendor != "local" and not (self.model_ref and self.dimensions):
            raise ValueError("`embeddings` needs `model_ref`, and `dimensions`: how many numbers its vectors have")
        if self.vendor == "openai_compat" and not self.api_url:
            raise ValueError("`embeddings` of vendor `openai_compat` needs `api_url`")
        return self

    def embeddings(self) -> Embeddings:
        """As a project has it."""
        said = (self.model_ref or "", self.dimensions or 0, self.api_url or "", self.key_var or "")
        return Embeddings(self.vendor, *said)

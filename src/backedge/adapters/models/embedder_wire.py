"""One request for vectors after the other, in OpenAI's format; what goes wrong comes to one of the three failures."""

from __future__ import annotations

from collections.abc import Sequence

from openai import AsyncOpenAI
from pydantic_ai import exceptions as raised
from pydantic_ai.embeddings.openai import OpenAIEmbeddingModel
from pydantic_ai.providers.openai import OpenAIProvider

from backedge.adapters.models.connection import OLLAMA_URL, Connection
from backedge.adapters.models.failures import failure_of
from backedge.adapters.models.vendors import NO_KEY
from backedge.kernel.defect import Transient

AT_ONCE = 128


async def vectors_of(texts: Sequence[str], connection: Connection, key: str) -> list[Sequence[float]]:
    """The vectors as the server gives them."""
    settings = connection.settings
    url = settings.base_url or (OLLAMA_URL if settings.vendor == "ollama" else None)
    vectors: list[Sequence[float]] = []
    async with AsyncOpenAI(api_key=key or NO_KEY, base_url=url, max_retries=0, timeout=connection.seconds) as client:
        model = OpenAIEmbeddingModel(settings.model, provider=OpenAIProvider(openai_client=client))
        for start in range(0, len(texts), AT_ONCE):
            vectors += await _some(model, texts[start : start + AT_ONCE], connection, key)
    return vectors


async def _some(
    model: OpenAIEmbeddingModel, texts: Sequence[str], connection: Connection, key: str
) -> Sequence[Sequence[float]]:
    sent = [text or " " for text in texts]  # servers refuse an empty text
    try:
        found = await model.embed(sent, input_type="document")
    except raised.ModelAPIError as error:
        raise failure_of(error, connection, key) from error
    except (raised.UnexpectedModelBehavior, ValueError, AttributeError, TypeError) as error:
        # OpenAI's client stumbles in these ways over an answer that is not of its form.
        raise Transient(f"the answer of {connection.settings.model} holds no vectors: {str(error)[:200]}") from error
    if len(found.embeddings) != len(sent):
        raise Transient(f"{connection.settings.model} gave {len(found.embeddings)} vectors for {len(sent)} texts")
    return found.embeddings

"""What is known of one call to a model while it goes on, so that a failed one is charged and told like any other."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from pydantic import JsonValue
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings as Sent
from pydantic_ai.usage import RunUsage

from backedge.agent.ports import ModelSettings, Prompt
from backedge.kernel.budget import Usage

UNPRICED = ("openai_compat", "ollama")
FREE = ("local",)


@dataclass
class Attempt:
    """One call: the requests that it `sent`, the messages of it, and what the model `looked_up`."""

    settings: ModelSettings
    prompt: Prompt
    sent: int = 0
    used: RunUsage = field(default_factory=RunUsage)
    messages: list[ModelMessage] = field(default_factory=list)
    looked_up: list[JsonValue] = field(default_factory=list)

    @property
    def begun(self) -> list[ModelResponse]:
        """All that came back, also what was broken off."""
        return [message for message in self.messages if isinstance(message, ModelResponse)]

    @property
    def replies(self) -> list[ModelResponse]:
        """What came back whole."""
        return [response for response in self.begun if response.state != "interrupted"]

    @property
    def last(self) -> ModelResponse | None:
        """The reply to the last request, or None where none came."""
        return self.replies[-1] if self.replies and len(self.replies) == self.sent else None

    def usage(self) -> Usage:
        """What was used so far, as far as the vendor said it; the cost only where every part of it is known."""
        used, vendor = self.used, self.settings.vendor
        costs = [response.usage.cost for response in self.begun if response.usage.has_values()]
        priced = [cost for cost in costs if cost is not None]
        known = vendor not in UNPRICED and not used.unmeasured_requests and len(priced) == len(costs)
        cost = sum(priced, Decimal(0)) if known else None
        return Usage(
            used.input_tokens,
            used.output_tokens,
            Decimal(0) if vendor in FREE else cost,
            used.cache_read_tokens,
            self.sent,
        )

    def details(self) -> dict[str, JsonValue]:
        """What was asked, and how: for the journal."""
        settings = self.settings
        return {
            "vendor": settings.vendor,
            "model": settings.model,
            "thinking": str(settings.thinking) if settings.thinking else None,
            "prompt": self.prompt.version,
            "tool_calls": list(self.looked_up),
        }


class Counted(WrapperModel):
    """A model whose requests are counted as they are sent: its messages do not tell a lost reply from one to mend."""

    def __init__(self, wrapped: Model[Any], attempt: Attempt) -> None:
        super().__init__(wrapped)
        self._attempt = attempt

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: Sent | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Counted."""
        self._attempt.sent += 1
        return await super().request(messages, model_settings, model_request_parameters)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: Sent | None,
        model_request_parameters: ModelRequestParameters,
        run_context: Any = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Counted."""
        self._attempt.sent += 1
        async with super().request_stream(messages, model_settings, model_request_parameters, run_context) as stream:
            yield stream

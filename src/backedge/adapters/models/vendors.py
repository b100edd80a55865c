"""Makes pydantic-ai's model for each vendor. What a vendor needs is imported with the first of its models."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from pydantic_ai.models import Model
from pydantic_ai.profiles import ModelProfile

from backedge.adapters.models.connection import OLLAMA_URL, Connection, unusable
from backedge.agent.profiles import Profile
from backedge.agent.vendors import VENDORS

NO_KEY = "none"  # what a server without a key is sent, since its client insists on one


def make_model(connection: Connection, profile: Profile, environment: Mapping[str, str]) -> tuple[Model[Any], str]:
    """The model, and the secret in it. Raises `Permanent` where a key or the vendor's extra is missing."""
    key = connection.key(environment)
    vendor = connection.settings.vendor
    try:
        return _make(connection, profile, key), key
    except ImportError as missing:
        extra = VENDORS[vendor].extra
        said = f"models of {vendor} need the extra `{extra}` ({missing.name or 'its library'} is not installed)"
        raise unusable(said, f"pip install 'backedge[{extra}]'") from missing


def _make(connection: Connection, profile: Profile, key: str) -> Model[Any]:
    match connection.settings.vendor:
        case "anthropic":
            return _anthropic(connection, profile, key)
        case "google":
            return _google(connection, profile, key)
        case "bedrock":
            return _bedrock(connection)
        case "local":
            return _local(connection, profile, key)
        case "mistral":
            return _mistral(connection, key)
        case "azure":
            return _azure(connection, profile, key)
        case "openai" if speaks_responses(connection):
            return _responses(connection, profile, key)
        case _:
            return _chat(connection, profile, key)


def _told(profile: Profile) -> ModelProfile:
    """What pydantic-ai is told, since it takes a model whose name it does not know for one that can do little."""
    native = "native" in (profile.mode, profile.mode_with_tools)
    return ModelProfile(supports_tools=profile.tools, supports_json_schema_output=native)


def speaks_responses(connection: Connection) -> bool:
    """Whether OpenAI's newer API is used: only at OpenAI, since servers that speak the older one are many."""
    if connection.api is not None:
        return connection.api == "responses"
    url = connection.settings.base_url
    return not url or url.startswith("https://api.openai.com")


def _anthropic(connection: Connection, profile: Profile, key: str) -> Model[Any]:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    # A budget is what the agent's file asks for; that Anthropic would rather have another kind is no news to a reader.
    warnings.filterwarnings("ignore", "Using Claude with .* is deprecated", UserWarning)
    provider = AnthropicProvider(api_key=key, base_url=connection.settings.base_url or None)
    return AnthropicModel(connection.settings.model, provider=provider, profile=_told(profile))


def _responses(connection: Connection, profile: Profile, key: str) -> Model[Any]:
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(api_key=key, base_url=connection.settings.base_url or None)
    return OpenAIResponsesModel(connection.settings.model, provider=provider, profile=_told(profile))


def _chat(connection: Connection, profile: Profile, key: str) -> Model[Any]:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    url = connection.settings.base_url or (OLLAMA_URL if connection.settings.vendor == "ollama" else None)
    provider = OpenAIProvider(api_key=key or NO_KEY, base_url=url)
    return OpenAIChatModel(connection.settings.model, provider=provider, profile=_told(profile))


def _local(connection: Connection, profile: Profile, key: str) -> Model[Any]:
    import httpx2
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    from backedge.adapters.models.local_schema import Bounded

    class Direct(OpenAIProvider):
        """Goes past any proxy of the environment: what is said to this machine does not leave it."""

        async def __aexit__(self, *_: Any) -> None:
            await self.client.close()

    provider = Direct(
        api_key=key, base_url=connection.settings.base_url, http_client=httpx2.AsyncClient(trust_env=False)
    )
    told = ModelProfile(json_schema_transformer=Bounded, **_told(profile))
    return OpenAIChatModel(connection.settings.model, provider=provider, profile=told)


def _azure(connection: Connection, profile: Profile, key: str) -> Model[Any]:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.azure import AzureProvider

    version = connection.api_version or None
    provider = AzureProvider(azure_endpoint=connection.settings.base_url, api_version=version, api_key=key)
    return OpenAIChatModel(
        connection.deployment or connection.settings.model, provider=provider, profile=_told(profile)
    )


def _google(connection: Connection, profile: Profile, key: str) -> Model[Any]:
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=key, base_url=connection.settings.base_url or None)
    return GoogleModel(connection.settings.model, provider=provider, profile=_told(profile))


def _bedrock(connection: Connection) -> Model[Any]:
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    provider = BedrockProvider(base_url=connection.settings.base_url or None, aws_read_timeout=connection.seconds)
    return BedrockConverseModel(connection.settings.model, provider=provider)


def _mistral(connection: Connection, key: str) -> Model[Any]:
    from pydantic_ai.models.mistral import MistralModel
    from pydantic_ai.providers.mistral import MistralProvider

    provider = MistralProvider(api_key=key, base_url=connection.settings.base_url or None)
    return MistralModel(connection.settings.model, provider=provider)

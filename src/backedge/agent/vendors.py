"""The vendors of models as data: where each one's key stands by default, and which model ids are its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Vendor:
    """One vendor. `key_var` is the environment variable with its key, "" where it needs none by default.

    `starts` are beginnings of model ids that only this vendor has; `extra` is what installs its client.
    """

    name: str
    key_var: str = ""
    starts: tuple[str, ...] = ()
    extra: str = ""


_ALL = (
    Vendor("anthropic", "ANTHROPIC_API_KEY", ("claude-",), "anthropic"),
    Vendor("openai", "OPENAI_API_KEY", ("gpt-", "o1", "o3", "o4", "chatgpt-"), "openai"),
    Vendor("openai_compat", "", (), "openai"),
    Vendor("azure", "AZURE_OPENAI_API_KEY", (), "openai"),
    Vendor("google", "GOOGLE_API_KEY", ("gemini-",), "google"),
    Vendor("bedrock", "", (), "bedrock"),
    Vendor("mistral", "MISTRAL_API_KEY", ("mistral-", "codestral-", "magistral-", "ministral-"), "mistral"),
    Vendor("ollama", "", (), "openai"),
    Vendor("local", "", (), "local"),
    Vendor("recorded"),
    Vendor("scripted"),
)
VENDORS: Mapping[str, Vendor] = {vendor.name: vendor for vendor in _ALL}


def vendor_of(model: str) -> tuple[str, str] | None:
    """The vendor and the id of a model named as `vendor:id`, or by an id that only one vendor has; else None."""
    vendor, colon, rest = model.partition(":")
    if colon and rest and vendor in VENDORS:
        return vendor, rest
    found = [v.name for v in _ALL if model.startswith(v.starts or "\0")]
    return (found[0], model) if len(found) == 1 else None

"""Opening a model: each vendor with its own library only, and with what to do where something is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from backedge.adapters.models.asking import VendorAgent
from backedge.adapters.models.connection import Connection
from backedge.adapters.models.opening import open_agent
from backedge.adapters.models.vendors import make_model, speaks_responses
from backedge.agent.ports import ModelSettings
from backedge.kernel.defect import Permanent

KEYS = dict.fromkeys(("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "GOOGLE_API_KEY"), "secret-key")


def made(vendor: str, model: str, url: str = "") -> object:
    way = Connection(ModelSettings(vendor, model, base_url=url), deployment="mine" if vendor == "azure" else "")
    return make_model(way, way.profile(), KEYS)[0]


@pytest.mark.parametrize(
    ("vendor", "model", "url", "kind", "name"),
    [
        ("anthropic", "claude-sonnet-4-6", "", "AnthropicModel", "claude-sonnet-4-6"),
        ("openai", "gpt-5.2", "", "OpenAIResponsesModel", "gpt-5.2"),
        ("openai", "gpt-5.2", "http://127.0.0.1:1/v1", "OpenAIChatModel", "gpt-5.2"),
        ("openai_compat", "qwen", "http://127.0.0.1:1/v1", "OpenAIChatModel", "qwen"),
        ("ollama", "qwen", "", "OpenAIChatModel", "qwen"),
        ("azure", "gpt-5.2", "https://mine.openai.azure.com/openai/v1/", "OpenAIChatModel", "mine"),
        pytest.param("google", "gemini-2.5-flash", "", "GoogleModel", "gemini-2.5-flash", marks=pytest.mark.slow),
    ],
)
def test_each_vendor_has_its_model(vendor: str, model: str, url: str, kind: str, name: str) -> None:
    found = made(vendor, model, url)
    assert (type(found).__name__, getattr(found, "model_name", "")) == (kind, name)


@pytest.mark.parametrize("vendor", ["bedrock", "mistral"])
def test_a_missing_library_names_its_extra(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("boto3", "mistralai", "mistralai.client"):
        monkeypatch.setitem(sys.modules, module, None)
    for module in ("pydantic_ai.models.bedrock", "pydantic_ai.models.mistral", "pydantic_ai.providers.mistral"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    way = Connection(ModelSettings(vendor, "some-model"), key_var="K")
    with pytest.raises(Permanent, match=rf"backedge\[{vendor}\]"):
        make_model(way, way.profile(), {"K": "x"})


def test_only_openai_itself_is_spoken_to_in_its_newer_api() -> None:
    urls = ("", "https://api.openai.com/v1", "http://127.0.0.1:8000/v1")
    ways = [Connection(ModelSettings("openai", "gpt-5.2", base_url=url)) for url in urls]
    assert [speaks_responses(way) for way in ways] == [True, True, False]


def test_opening_sends_nothing_and_needs_no_key() -> None:
    assert isinstance(open_agent(Connection(ModelSettings("anthropic", "claude-sonnet-4-6")), {}), VendorAgent)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (ModelSettings("acme", "m"), "no vendor `acme`"),
        (ModelSettings("scripted", "m"), "model_file"),
        (ModelSettings("recorded", "m"), "model_file"),
        (ModelSettings("local", "m"), "model_file"),
    ],
)
def test_what_cannot_be_opened_says_what_to_write(settings: ModelSettings, said: str) -> None:
    with pytest.raises(Permanent, match=said):
        open_agent(Connection(settings), {})


def test_a_recorded_model_without_a_vendor_cannot_be_recorded(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="vendor:id"):
        open_agent(Connection(ModelSettings("recorded", "m"), file=tmp_path), {"BACKEDGE_RECORD": "1"})


def test_opening_imports_no_library_of_models() -> None:
    code = (
        "import sys, backedge.adapters.models.opening; "
        "print([m for m in ('pydantic_ai', 'openai', 'anthropic', 'httpx2', 'yaml') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

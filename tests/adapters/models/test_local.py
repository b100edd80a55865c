"""A model in a file on this machine: what keeps it from being served is told, and it is served to nobody else."""

from __future__ import annotations

import asyncio
import hashlib
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from backedge.adapters.models import local
from backedge.adapters.models.connection import Connection
from backedge.adapters.models.local_server import unfit
from backedge.adapters.models.opening import open_agent
from backedge.agent.ports import ModelSettings
from backedge.agent.profiles import profile_of
from backedge.ask.prompted.replies import Specification, Sql, Triage, Words
from backedge.ask.prompted.wordings import wording
from backedge.kernel.defect import Permanent, Transient
from tests.adapters.models.asked import PROMPT, Fruit


@pytest.fixture(autouse=True)
def _no_child_is_left() -> Iterator[None]:
    yield
    local.close_all()


def way(file: Path, sha256: str = "") -> Connection:
    return Connection(ModelSettings("local", "qwen"), file=file, sha256=sha256)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match=r"none\.gguf") as missing:
        asyncio.run(open_agent(way(tmp_path / "none.gguf")).ask(PROMPT, Fruit))
    assert "model_file" in missing.value.mend


def test_a_file_with_another_hash_is_not_loaded(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"weights")
    right = hashlib.sha256(b"weights").hexdigest()
    assert [unfit(file, sha) for sha in ("", right, right.upper())] == [""] * 3
    with pytest.raises(Permanent, match=f"has sha256 {right}, not 00"):
        asyncio.run(open_agent(way(file, "00")).ask(PROMPT, Fruit))


@pytest.mark.skipif(find_spec("xllamacpp") is not None, reason="xllamacpp is installed")
def test_without_its_library_the_extra_is_named(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"weights")
    with pytest.raises(Permanent, match=r"backedge\[local\]"):
        asyncio.run(open_agent(way(file)).ask(PROMPT, Fruit))


def test_a_child_that_dies_is_transient_and_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = open_agent(way(tmp_path / "none.gguf"))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(Transient):
        asyncio.run(agent.ask(PROMPT, Fruit))
    monkeypatch.undo()
    with pytest.raises(Permanent):
        asyncio.run(agent.ask(PROMPT, Fruit))


def test_agents_of_one_file_share_one_child(tmp_path: Path) -> None:
    first, second, other = (open_agent(way(tmp_path / name)) for name in ("a", "a", "b"))
    servers = [vars(agent)["_server"] for agent in (first, second, other)]
    assert (servers[0] is servers[1], servers[0] is servers[2]) == (True, False)
    assert servers[0].key not in repr(servers[0])


def test_the_form_that_a_small_model_is_held_to_has_an_end() -> None:
    pytest.importorskip("pydantic_ai")
    from backedge.adapters.models.local_schema import LONGEST, MOST_ITEMS, Bounded

    form = Bounded(Triage.model_json_schema(), strict=None).walk()
    nodes = list(within(form))
    lists = [node for node in nodes if node.get("type") == "array"]
    texts = [node for node in nodes if node.get("type") == "string" and "enum" not in node]
    assert (len(lists) > 3, len(texts) > 5) == (True, True)
    assert [node for node in lists if node.get("maxItems") != MOST_ITEMS] == []
    assert [node for node in texts if node.get("maxLength") != LONGEST] == []


def within(node: object) -> Iterator[dict[str, Any]]:
    """Every mapping of a form, also those in others."""
    if isinstance(node, dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from within(inner)


def test_a_model_that_needs_them_is_shown_examples_that_are_of_its_form() -> None:
    forms: dict[str, type[BaseModel]] = {
        "clarifying": Triage,
        "specifying": Specification,
        "solving": Sql,
        "interpreting": Words,
    }
    for stage, form in forms.items():
        plain, shown = wording(stage), wording(stage, shots=True)
        assert plain.version != shown.version
        told = set(shown.text.splitlines()) - set(plain.text.splitlines())
        examples = [line for line in told if line.startswith("{")]
        assert len(examples) >= 2
        for example in examples:
            form.model_validate_json(example)
    assert (profile_of("local", "qwen").shots, profile_of("anthropic", "claude-haiku-4-5").shots) == (True, False)

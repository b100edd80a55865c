"""A model in a file on this machine: what keeps it from being served is told, and it is served to nobody else."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
from collections.abc import Iterator
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from backedge.adapters.models import local
from backedge.adapters.models.connection import Connection
from backedge.adapters.models.local_server import unfit
from backedge.adapters.models.opening import open_agent
from backedge.agent.ports import ModelSettings, Prompt
from backedge.kernel.defect import Permanent, Transient
from backedge.kernel.stage import Reply
from tests.adapters.models.asked import PROMPT, Fruit

WEIGHTS = "BACKEDGE_LIVE_MODEL"


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


@pytest.mark.live
@pytest.mark.skipif(
    not os.environ.get(WEIGHTS) or find_spec("xllamacpp") is None,
    reason=f"needs the extra `local`, and a GGUF file in {WEIGHTS} (.ci/live.txt says how)",
)
def test_a_real_model_replies_in_form_and_only_to_us() -> None:
    agent = open_agent(way(Path(os.environ[WEIGHTS])))
    prompt = Prompt("Reply with one JSON object: a fruit's name and its number of legs.", "A yellow fruit.", "1")
    got = asyncio.run(agent.ask(prompt, Fruit))
    assert isinstance(got, Reply)
    assert got.usage is not None
    assert (got.usage.cost, got.usage.calls, got.usage.output_tokens > 0) == (Decimal(0), 1, True)
    with pytest.raises(HTTPError, match="401"):
        urlopen(f"{vars(agent)['_server'].url}/props", timeout=20)

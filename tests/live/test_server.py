"""The child process that serves a local model: who may ask it, and what its end, its file and its hash come to."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from backedge.adapters.models.connection import Connection
from backedge.adapters.models.local import LocalAgent
from backedge.agent.ports import ModelSettings, Prompt
from backedge.kernel.defect import Permanent, Transient
from backedge.kernel.stage import Reply
from tests.adapters.models.asked import Fruit
from tests.live.conftest import project
from tests.live.test_laptop import asked

pytestmark = pytest.mark.live

FRUIT = Prompt("Reply with one JSON object: a fruit's name and its number of legs.", "A yellow fruit.", "1")
LONG = Prompt("Count from one to three hundred in words, as the fruit's name.", "Begin.", "1")
KILLED = """
import asyncio, sys
from pathlib import Path
from backedge.adapters.models.connection import Connection
from backedge.adapters.models.local import LocalAgent
from backedge.agent.ports import ModelSettings
agent = LocalAgent(Connection(ModelSettings("local", "qwen")), Path(sys.argv[1]))
agent._server.started()
print(agent._server.child.pid, flush=True)
sys.stdin.read()
"""


def agent_of(file: Path) -> LocalAgent:
    return LocalAgent(Connection(ModelSettings("local", "qwen"), file=file), file)


def test_a_real_model_replies_in_form_and_only_to_us(weights: Path) -> None:
    agent = agent_of(weights)
    got = asyncio.run(agent.ask(FRUIT, Fruit))
    assert isinstance(got, Reply)
    assert got.usage is not None
    assert (got.usage.cost, got.usage.calls, got.usage.output_tokens > 0) == (Decimal(0), 1, True)
    with pytest.raises(HTTPError, match="401"):
        urlopen(f"{vars(agent)['_server'].url}/props", timeout=20)


def test_a_server_that_dies_in_the_middle_of_a_call_is_transient_and_the_next_call_has_another(weights: Path) -> None:
    agent = agent_of(weights)
    server = vars(agent)["_server"]
    server.started()

    async def killed_while_asking() -> None:
        asking = asyncio.ensure_future(agent.ask(LONG, Fruit))
        await asyncio.sleep(1)
        assert not asking.done()
        os.kill(server.child.pid, signal.SIGKILL)
        await asking

    with pytest.raises(Transient):
        asyncio.run(killed_while_asking())
    assert isinstance(asyncio.run(agent.ask(FRUIT, Fruit)), Reply)


def test_the_child_ends_when_its_parent_is_killed(weights: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(weights)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    child = Path("/proc", parent.stdout.readline().strip())
    assert child.is_dir()
    parent.kill()
    parent.communicate()
    wait_until_gone(child)


def wait_until_gone(process: Path) -> None:
    for _ in range(600):
        if not process.is_dir():
            return
        time.sleep(0.1)
    pytest.fail(f"{process} still runs")


@pytest.mark.parametrize("wrong", ["hash", "file"])
def test_a_file_that_is_not_the_named_one_stops_the_run_with_what_to_do(
    wrong: str, weights: Path, tmp_path: Path
) -> None:
    file, more = (str(weights), f", sha256: '{'0' * 64}'") if wrong == "hash" else (str(tmp_path / "none.gguf"), "")
    _, found = asked(project(tmp_path / "shop", file, more), "how did turnover spread over the countries")
    assert found["status"] == "failed", found
    assert "model_file" in str(found)
    assert found["usage"]["calls"] == 0


def test_weights_that_are_none_are_no_crash(weights: Path, tmp_path: Path) -> None:
    file = tmp_path / "half.gguf"
    with weights.open("rb") as whole:
        file.write_bytes(whole.read(100_000))
    with pytest.raises((Permanent, Transient)):
        asyncio.run(agent_of(file).ask(FRUIT, Fruit))

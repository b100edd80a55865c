"""Recorded replies: found by stage and inputs, whatever the prompt's wording, without a network."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from backedge.adapters.models.connection import Connection
from backedge.adapters.models.opening import RECORD, open_agent
from backedge.adapters.models.recorded import RecordedAgent
from backedge.adapters.models.scripted import Entry, ScriptedAgent
from backedge.agent.ports import ModelSettings
from backedge.kernel.budget import Usage
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import Reply, Unreadable
from tests.adapters.models.asked import GOOD, PROMPT, SECRET, Find, Fruit
from tests.adapters.models.wire import Step, Wire

RECORDED = ModelSettings("recorded", "anthropic:claude-sonnet-4-6")
SAID = (Entry(text=GOOD), Entry(text='{"name": "pe'), Entry(reply={"name": "plum", "legs": 0}))


def recorded(folder: Path) -> RecordedAgent:
    """A folder with three replies to one prompt, as another agent for it sees it."""
    behind = ScriptedAgent(ModelSettings("scripted", "story"), {"Naming": SAID})
    recording = RecordedAgent(RECORDED, folder, behind)

    async def record() -> None:
        for _ in SAID:
            await recording.ask(PROMPT, Fruit)

    asyncio.run(record())
    return RecordedAgent(RECORDED, folder)


def test_the_same_question_gives_the_same_replies_in_another_wording(tmp_path: Path) -> None:
    agent = recorded(tmp_path)
    reworded = replace(PROMPT, system="Do name one!", user="Green, please.", version="fruit/2")
    got = [asyncio.run(agent.ask(reworded, Fruit)) for _ in range(4)]
    first, second, third, again = got
    assert isinstance(first, Reply)
    assert isinstance(third, Reply)
    assert isinstance(second, Unreadable)
    assert (first.proposal.name, second.text, third.proposal.name, again) == ("pear", '{"name": "pe', "plum", third)
    assert (first.usage, first.details["model"]) == (Usage(calls=0), "story")


@pytest.mark.parametrize(
    "other", [replace(PROMPT, inputs={"color": "red"}), replace(PROMPT, stage="Eating"), replace(PROMPT, inputs={})]
)
def test_other_inputs_are_another_question(tmp_path: Path, other: object) -> None:
    assert isinstance(other, type(PROMPT))
    with pytest.raises(Permanent, match=RECORD):
        asyncio.run(recorded(tmp_path).ask(other, Fruit))


def test_another_form_of_reply_is_another_question(tmp_path: Path) -> None:
    with pytest.raises(Permanent):
        asyncio.run(recorded(tmp_path).ask(PROMPT, Find))


def test_recording_again_replaces_what_was_kept(tmp_path: Path) -> None:
    recorded(tmp_path)
    asyncio.run(RecordedAgent(RECORDED, tmp_path, ScriptedAgent(RECORDED, {"Naming": SAID[2:]})).ask(PROMPT, Fruit))
    got = asyncio.run(RecordedAgent(RECORDED, tmp_path).ask(PROMPT, Fruit))
    assert isinstance(got, Reply)
    assert got.proposal.name == "plum"


def test_a_broken_file_says_so(tmp_path: Path) -> None:
    agent = recorded(tmp_path)
    next(tmp_path.rglob("*.json")).write_text("{}", encoding="utf-8")
    with pytest.raises(Permanent, match="no kept reply"):
        asyncio.run(agent.ask(PROMPT, Fruit))


def test_only_with_the_variable_is_the_model_behind_it_asked_and_no_key_is_kept(tmp_path: Path) -> None:
    with Wire([Step(GOOD)]) as server:
        way = Connection(replace(RECORDED, base_url=server.url), key_var="K", file=tmp_path)
        got = asyncio.run(open_agent(way, {RECORD: "1", "K": SECRET}).ask(PROMPT, Fruit))
        assert isinstance(got, Reply)
        assert (len(server.requests), server.requests[0]["model"]) == (1, "claude-sonnet-4-6")
        again = asyncio.run(open_agent(way, {}).ask(PROMPT, Fruit))
        assert isinstance(again, Reply)
        assert (again.proposal, len(server.requests)) == (got.proposal, 1)
    assert SECRET not in "".join(file.read_text(encoding="utf-8") for file in tmp_path.rglob("*.json"))

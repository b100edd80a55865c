"""A scripted model says what its file says, stage by stage, in order, and fails as it says."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from backedge.adapters.models.connection import Connection
from backedge.adapters.models.opening import open_agent
from backedge.adapters.models.scripted import ScriptedAgent, read_script
from backedge.agent.ports import ModelSettings, Prompt
from backedge.kernel.budget import Usage
from backedge.kernel.defect import Permanent, RateLimited
from backedge.kernel.stage import Reply, Unreadable
from tests.adapters.models.asked import PROMPT, Fruit

SCRIPT = """
Naming:
  - {when: "red", reply: {name: cherry, legs: 0}}
  - reply: {name: pear, legs: 0}
  - text: '{"name": "pe'
  - {fails: rate_limited, retry_after: 3}
  - reply: {name: plum, legs: 0}
"""


def opened(folder: Path, script: str = SCRIPT) -> ScriptedAgent:
    file = folder / "replies.yml"
    file.write_text(script, encoding="utf-8")
    agent = open_agent(Connection(ModelSettings("scripted", "story"), file=file), {})
    assert isinstance(agent, ScriptedAgent)
    return agent


def test_replies_come_in_their_order_and_the_last_one_again(tmp_path: Path) -> None:
    agent = opened(tmp_path)

    async def names() -> list[str]:
        found = []
        for _ in range(5):
            try:
                got = await agent.ask(PROMPT, Fruit)
            except RateLimited as failure:
                found.append(f"wait {failure.retry_after:g}")
                continue
            found.append(got.proposal.name if isinstance(got, Reply) else got.defect.kind)
        return found

    assert asyncio.run(names()) == ["pear", "reply_not_json", "wait 3", "plum", "plum"]


def test_a_reply_may_be_for_some_prompts_only(tmp_path: Path) -> None:
    got = asyncio.run(opened(tmp_path).ask(Prompt("", "a red one", "1", "Naming"), Fruit))
    assert isinstance(got, Reply)
    assert (got.proposal.name, got.usage, got.details["vendor"]) == ("cherry", Usage(), "scripted")


def test_a_reply_of_the_wrong_form_is_unreadable_like_any_models(tmp_path: Path) -> None:
    got = asyncio.run(opened(tmp_path, "Naming: [{reply: {name: pear}}]").ask(PROMPT, Fruit))
    assert isinstance(got, Unreadable)
    assert got.defect.where == "legs"


def test_a_stage_without_a_reply_says_so(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="add a reply for `Naming`"):
        asyncio.run(opened(tmp_path, "Other: [{text: hi}]").ask(PROMPT, Fruit))


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("Naming: [{reply: 1, text: a}]", "one of `reply`"),
        ("Naming: [{fails: often}]", "Naming.0.fails"),
        ("Naming: [", "no YAML"),
        ("Naming: [{say: a}]", "Naming.0.say"),
    ],
)
def test_a_wrong_script_says_where(tmp_path: Path, script: str, said: str) -> None:
    with pytest.raises(Permanent, match=said):
        opened(tmp_path, script)


def test_a_script_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="cannot be read"):
        read_script(tmp_path / "none.yml")

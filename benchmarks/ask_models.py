"""What a warm ask with models in its stages costs beside its calls, against the same ask by rules alone."""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from backedge.agent.ports import ModelSettings, Prompt
from backedge.assemble import App, assemble
from backedge.config.project import load_project
from backedge.config.stage_models import StageModel
from backedge.demo.shop import make_shop
from backedge.kernel.budget import Usage
from backedge.kernel.stage import Reply

ROUNDS, CALL, GOAL = 15, 0.2, 2.0  # seconds of one call, as a fast vendor's; our own part against rules alone
RULED, ASKED = "net revenue by channel", "net takings along the channels for the {}{}{}"
REPLIES = {
    "clarifying": {
        "kind": "data",
        "intent": "net revenue by channel",
        "members": ["order_items.net_revenue", "orders.channel"],
    },
    "specifying": {"kind": "request", "measures": ["order_items.net_revenue"], "dimensions": ["orders.channel"]},
    "interpreting": {"text": "web has the most."},
}


@dataclass
class Saying:
    """A model that takes a fixed time, and counts it."""

    stage: str
    settings: ModelSettings = field(default_factory=lambda: ModelSettings("scripted", "one"))
    spent: float = 0.0

    async def ask(self, prompt: Prompt, reply: Any, tools: Any = (), rounds: int = 0) -> Any:
        """The stage's reply."""
        began = time.perf_counter()
        await asyncio.sleep(CALL)
        self.spent += time.perf_counter() - began
        return Reply(reply.model_validate(REPLIES[self.stage]), Usage(1, 1))


def asked(number: int) -> str:
    """A question that no one asked before; a number in it would have to be in its request too."""
    return ASKED.format(*("zxkqvj"[digit] for digit in divmod(number + 2, 6)), "orb")


async def timed(app: App, text: str) -> float:
    """The seconds of one question to its end."""
    began = time.perf_counter()
    run = await app.driver.drive(await app.ask(text, by="benchmark"))
    assert run.trail[-1] == "Done", run.trail
    return time.perf_counter() - began


async def measure(folder: Path) -> tuple[float, float, float]:
    """Medians: rules alone, our own part of an ask with three calls, and a question whose replies are all reused."""
    make_shop(folder)
    (folder / "shop.agentic.yml").write_text("llm: {ref: 'scripted:one'}\n")
    models: dict[str, Saying] = {}

    def make(stage: StageModel) -> Any:
        return models.setdefault(stage.stage, Saying(stage.stage)) if stage.stage in REPLIES else None

    plain, minded = assemble(load_project(folder)), assemble(load_project(folder), agents=make)
    found: list[tuple[float, float, float]] = []
    for n in range(-2, ROUNDS):
        ruled = await timed(plain, RULED)
        before = sum(model.spent for model in models.values())
        whole = await timed(minded, asked(n))
        own = whole - (sum(model.spent for model in models.values()) - before)
        reused = await timed(minded, asked(n))
        found += [(ruled, own, reused)] if n >= 0 else []
    for app in (plain, minded):
        await app.close()
    ruled_all, own_all, reused_all = zip(*found, strict=True)
    return statistics.median(ruled_all), statistics.median(own_all), statistics.median(reused_all)


def main() -> int:
    """Print the medians and ratios; 1 where our own part is above the goal."""
    with tempfile.TemporaryDirectory() as folder:
        ruled, own, reused = asyncio.run(measure(Path(folder) / "shop"))
    share = own / (3 * CALL)
    print(f"rules alone           {ruled * 1000:7.1f} ms")
    print(f"with models, own part {own * 1000:7.1f} ms  ({own / ruled:.2f} of rules; {share:.2f} of its calls)")
    print(f"all replies reused    {reused * 1000:7.1f} ms  ({reused / ruled:.2f} of rules alone)")
    return int(own / ruled > GOAL)


if __name__ == "__main__":
    sys.exit(main())

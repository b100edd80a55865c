"""What the agent's file bounds is obeyed exactly over real connections: retries of each stage, tokens, money, time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from backedge.kernel.budget import Spent
from backedge.kernel.journal import Moved, Refused
from tests.adapters.models.wire import Step
from tests.cli.projects import backedge
from tests.models.wire_table import FAULTS, good, said
from tests.models.wired import KEY, NAMES, STAGES, StageWire, Wired, configured, surroundings, wired

QUESTION = "how did turnover spread over the regions"
RETRIES = (0, 4)


@pytest.fixture(scope="module")
def by_retries(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, Wired]]:
    with ExitStack() as stack:
        found = {}
        for most in RETRIES:
            states = [f"  {stage}: {{model: {stage}, max_retries: {most}}}" for stage in STAGES]
            agent = "\n".join(("states:", *states))
            folder = tmp_path_factory.mktemp("retries")
            found[most] = stack.enter_context(wired(shop, folder, "chat", agent=agent))
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("most", RETRIES)
def test_max_retries_of_a_stage_is_obeyed_exactly(by_retries: dict[int, Wired], most: int, stage: str) -> None:
    house = by_retries[most]
    run = house.asked(f"{QUESTION} {stage}", good(stage, **{stage: [Step("")]}))
    journal = [stored.entry for stored in house.journal(run)]
    before = journal[: next(i for i, e in enumerate(journal) if isinstance(e, Moved) and e.otherwise)]
    refused = [e for e in before if isinstance(e, Refused) and e.stage == stage.capitalize()]
    assert [e.attempt for e in refused] == list(range(1, most + 2))


@pytest.mark.parametrize("stage", STAGES)
def test_the_last_retry_may_still_succeed(by_retries: dict[int, Wired], stage: str) -> None:
    house = by_retries[4]
    script = good(stage, **{stage: [*[Step("")] * 4, *good(stage)[stage]]})
    run = house.asked(f"{QUESTION} {stage} at last", script)
    assert house.status(run) == "answered"
    assert (run.spent_of(stage.capitalize()), house.server.calls[stage]) == (Spent(refused=4), 5)


@pytest.mark.parametrize(
    ("api", "budget", "script", "reason"),
    [
        ("chat", "cost: 0.0005", {}, "cost in USD: 0.00455 used of 0.0005"),
        ("compat", "cost: 5", {}, "cost in USD: unknown for 1 of its calls"),
        ("chat", "tokens: 1000", {}, "tokens: 1200 used of 1000"),
        ("chat", "steps: 3", {"clarifying": [Step(status=503)] * 2}, "steps: 3 used of 3"),
        ("chat", "seconds: 30", {"clarifying": [Step(status=429, headers={"Retry-After": "40"})]}, "40 used of 30"),
    ],
)
def test_a_spent_budget_stops_with_its_figures_and_retry_goes_on(
    shop: Path, tmp_path: Path, api: str, budget: str, script: dict[str, list[Step]], reason: str
) -> None:
    with wired(shop, tmp_path, api, agent=f"budgets: {{{budget}}}") as house:
        dear = said(json.loads(good("")["clarifying"][0].text), tokens=(1_000, 200))
        first = [*script.get("clarifying", []), dear]
        run = house.asked(QUESTION, good("", clarifying=first))
        assert run.stopped is not None
        assert (run.stopped.stop, run.stopped.resumable, reason in run.stopped.reason) == ("budget", True, True), run
        for _ in range(4):
            if run.status == "stopped":
                run = house.retried(run, good("", clarifying=[dear]))
        assert house.status(run) == "answered"


def test_a_wait_is_what_the_server_said_but_at_most_five_minutes(shop: Path, tmp_path: Path) -> None:
    late = [Step(status=429, headers={"Retry-After": after}) for after in ("3600", "0", "90")]
    with wired(shop, tmp_path, "anthropic") as house:
        house.asked(QUESTION, good("", specifying=[*late, *good("")["specifying"]]))
        assert house.clock.slept == [300.0, 90.0]


def test_the_command_line_tells_what_stopped_it_goes_on_and_never_says_the_key(shop: Path, tmp_path: Path) -> None:
    with StageWire(NAMES["anthropic"]) as server, surroundings("anthropic"):
        project = configured(shop, tmp_path, "anthropic", server.url)
        server.script(good("", specifying=FAULTS["401"].steps("anthropic", "specifying")))
        asked = backedge("ask", QUESTION, "--project", project, "--json")
        assert (asked.code, "WIRE_KEY" in asked.json["mend"]) == (1, True)
        pages = [backedge("runs", page, asked.json["run_id"], "--project", project) for page in ("show", "events")]
        server.script(good(""))
        again = backedge("runs", "retry", asked.json["run_id"], "--project", project, "--json")
        assert (again.json["status"], server.calls["clarifying"]) == ("answered", 0)
        assert KEY not in "".join(page.out + page.err for page in (asked, *pages, again))
        kept = [path.read_bytes() for path in (project / ".backedge").rglob("*") if path.is_file()]
        assert not any(KEY.encode() in content for content in kept)

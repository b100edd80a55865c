"""A run with models that is killed, paused, or met by changed code goes on, and no reply is paid for twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest

from backedge.adapters.stores.sqlite import open_sqlite
from backedge.ask.prompted import mind
from backedge.ask.prompted.wordings import Wording
from backedge.assemble import App
from backedge.kernel.journal import Proposed
from backedge.kernel.run import Run
from tests.kernel.deaths import DyingStore
from tests.kernel.memory import Crash
from tests.models.dying import QUESTION, ask, in_another_process, opened
from tests.models.wire_table import good, said
from tests.models.wired import NAMES, STAGES, StageWire, configured, surroundings, wired

PAYING = {1: "clarifying", 3: "specifying", 5: "solving", 9: "interpreting"}  # appends that keep a paid reply
APPENDS = [(at, after) for at in range(1, 11) for after in (False, True)]


async def go_on(app: App, *answer: str) -> Run:
    """Drive the only run of the project."""
    (head,) = await app.store.heads()
    if answer:
        await app.say(head.id, answer, by="ann")
    return await app.driver.drive(head.id)


@pytest.mark.slow
@pytest.mark.parametrize(("at", "after"), APPENDS)
def test_a_process_that_dies_at_an_append_pays_for_no_kept_reply_again(
    shop: Path, tmp_path: Path, at: int, after: bool
) -> None:
    with StageWire(NAMES["openai"]) as server, surroundings("chat"):
        project = configured(shop, tmp_path, "chat", server.url)
        server.script(good("solving"))
        assert in_another_process(project, (at, after)) == 9
        run = opened(project, go_on)
        assert run.trail == ("Clarifying", "Specifying", "Solving", "Executing", "Interpreting", "Done")
        lost = [] if after else [PAYING[at]] if at in PAYING else []
        assert server.calls == Counter([*STAGES, *lost])


def crash() -> NoReturn:
    raise Crash


@pytest.mark.parametrize(("at", "after", "lost"), [(5, True, []), (5, False, ["solving"])])
def test_what_ends_at_an_append_pays_for_no_kept_reply_again(
    shop: Path, tmp_path: Path, at: int, after: bool, lost: list[str]
) -> None:
    with StageWire(NAMES["openai"]) as server, surroundings("chat"), pytest.MonkeyPatch.context() as patch:
        project = configured(shop, tmp_path, "chat", server.url)
        server.script(good("solving"))
        dying = partial(DyingStore, at=at, after=after, die=crash)
        patch.setattr("backedge.assembling.storing.open_sqlite", lambda path: dying(open_sqlite(path)))
        with pytest.raises(Crash):
            opened(project, ask)
        patch.undo()
        run = opened(project, go_on)
        assert (run.trail[-1], server.calls) == ("Done", Counter([*STAGES, *lost]))


WHICH = {
    "kind": "ask",
    "questions": [{"slot": "turnover", "prompt": "Which?", "suggestions": ["by region", "by state"]}],
}


@pytest.mark.slow
def test_a_waiting_run_goes_on_in_a_new_process_where_the_wording_has_changed(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with StageWire(NAMES["openai"]) as server, surroundings("chat"):
        project = configured(shop, tmp_path, "chat", server.url)
        server.script(good("", specifying=[said(WHICH), *good("")["specifying"]]))
        assert in_another_process(project) == 0
        assert server.calls == Counter(clarifying=1, specifying=1)
        reword(monkeypatch)
        run = opened(project, lambda app: go_on(app, "by region"))
        assert run.trail[:4] == ("Clarifying", "Specifying", "AwaitingAnswer", "Specifying")
        assert run.trail[-1] == "Done"
        assert server.calls == Counter(clarifying=1, specifying=2, interpreting=1)
        journal = asyncio.run(open_sqlite(project / ".backedge" / "runs.db").read(run.id))
        told = [s.entry for s in journal if isinstance(s.entry, Proposed) and s.entry.stage == "Specifying"]
        assert [entry.details["prompt"] == "reworded" for entry in told] == [False, True]
        assert told[0].key != told[1].key


def test_a_reply_is_reused_until_the_wording_changes(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with wired(shop, tmp_path, "chat") as house:
        assert house.asked(QUESTION, good("solving")).trail[-1] == "Done"
        assert house.server.calls == Counter(STAGES)
        house.asked(QUESTION, good("solving"))
        assert house.server.calls == Counter(["solving"])  # its SQL is tried on the data by each run
        reword(monkeypatch)
        house.asked(QUESTION, good("solving"))
        assert house.server.calls == Counter(STAGES)


def reword(patch: pytest.MonkeyPatch) -> None:
    """Every stage's prompt says something else from now on."""
    patch.setattr(mind, "wording", lambda stage, *_: Wording(f"Other words for {stage}.", "reworded"))

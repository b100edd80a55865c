"""Every task of the evidence agents, every fault, every format: a run goes on or stops out of the right purse.

The task that is tested asks a server; the others say what is good. What stopped is retried, and the investigation is
approved. The whole matrix is of the night, a part of it slow; one case of it is in the default suite.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from backedge.adapters.models.asking import VendorAgent
from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.investigate.states import Request
from backedge.evidence.prompted.extractor import PromptedExtractor
from backedge.evidence.prompted.verifier import PromptedVerifier
from backedge.evidence.sources import Wanted
from backedge.kernel.budget import Limits, Spent
from backedge.kernel.journal import Moved, Proposed, Refused, entry_to_json
from backedge.kernel.run import Run, fold
from tests.adapters.models.asked import SECRET, connection
from tests.adapters.models.wire import Step, Wire
from tests.evidence.investigated import KEY, REQUEST, both
from tests.evidence.outside import NAUSEA, Agent, Judge, article, delivery, doi, verdict
from tests.evidence.prompted_desk import ByTask, Four, go_on, stopped
from tests.evidence.prompted_replies import GOOD, INVENTED
from tests.evidence.shelf import TODAY, go
from tests.evidence.stories_investigate.desk import Desk, again, desk
from tests.models.wire_table import FAULTS, Fault, said

QUICK, PATIENT = 1.0, 20.0
LIMITS = Limits(tokens=10_000)
RETRIES, LOST, LIMITED = 2, 2, 5
STATES: Mapping[str, str] = {
    "extracting": "ExtractingPart",
    "reextracting": "Reextracting",
    "verifying": "Verifying",
    "extracting_facets": "ExtractingFacets",
    "round_tripping": "RoundTripping",
    "deriving_questions": "DerivingQuestions",
    "planning": "Planning",
    "assessing": "Assessing",
    "weighing": "Weighing",
    "proposing": "Proposing",
    "designing": "Designing",
}
OF_A_SOURCE = ("extracting", "reextracting", "verifying")
APIS = ("anthropic", "chat", "responses")
CHEAP = ("500 for ever", "assessing", "chat")  # it stops, goes on, and is approved


@pytest.fixture(autouse=True)
def _one_ssl_context(monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.create_default_context()
    monkeypatch.setattr(ssl, "create_default_context", lambda *_, **__: context)


@cache
def _library() -> Desk:
    return desk()


def _matrix() -> Iterator[object]:
    """All of it, of which CI runs a sixth: every task in every format, and every fault in every format."""
    for number, name in enumerate(FAULTS):
        for place, task in enumerate(STATES):
            for at, api in enumerate(APIS):
                ours = at == (number + place) % 3 and (number // 3 + place) % 2 == 0
                marks = () if (name, task, api) == CHEAP else (pytest.mark.slow if ours else pytest.mark.nightly,)
                yield pytest.param(name, task, api, marks=marks, id=f"{task}, {name}, {api}")


@pytest.mark.parametrize(("name", "task", "api"), list(_matrix()))
def test_whatever_the_wire_does(name: str, task: str, api: str, caplog: pytest.LogCaptureFixture) -> None:
    fault = FAULTS[name]
    steps = _steps(fault, task, api)
    with Wire(steps if fault.endless else [*steps, said(GOOD[task])]) as server:
        made = _made(task, api, server, QUICK if fault.quick else PATIENT)
        _begin(made, task)
        run = _asked(made, task)
        spent, calls = _spent(made, run, task), len(server.requests)
        assert tuple(made.clock.slept) == fault.waits
        _ends_as_it_must(run, fault, task)
        assert (spent, _charged(made, run, task)) == (fault.spent, calls)
        assert calls == fault.calls or fault.ends == "given_up"
        assert calls <= 1 + RETRIES + LOST + LIMITED
        server.steps = [said(GOOD[task])]
        _goes_on(made, run, task, fault)
        journals = "".join(entry_to_json(s.entry) for each in made.store.rows for s in made.journal(each))
    assert SECRET not in journals + caplog.text


def _steps(fault: Fault, task: str, api: str) -> list[Step]:
    """The steps of the table, with what this task invents where a stage of the table would."""
    some = "clarifying"
    made = fault.steps(api, some)
    of_ask = [step.text for step in FAULTS["invented"].steps(api, some)]
    return [said(INVENTED[task]) if step.text in of_ask else step for step in made]


def _made(task: str, api: str, server: Wire, seconds: float) -> Desk:
    agent = VendorAgent(connection(api, server.url, seconds=seconds), {"FRUIT_KEY": SECRET})
    model = ByTask({task: agent}, agent.settings)
    if task not in OF_A_SOURCE:
        made = again(_library(), scripted=Four(model))
        made.agent.replies = [both]
        return made
    extractor: Any = PromptedExtractor(model)
    judge: Any = PromptedVerifier(model)
    if task == "reextracting":
        judge = Judge([verdict("partly"), verdict()])
    return Desk(agent=Agent() if task == "verifying" else extractor, judge=judge, scripted=Four(ByTask()))


def _begin(made: Desk, task: str) -> None:
    """Drive an ingest, or an investigation through its people, until all is done or something stopped."""
    if task in OF_A_SOURCE:
        made.brings("a", delivery(article("Study a", NAUSEA), title="Study a", identifiers=doi("a")))
        go(made.driver.start("ingest", Wanted("lab", "a", KEY, "ann"), TODAY, limits=LIMITS, run_id=KEY))
        made.drive(KEY)
        return
    go(made.driver.start("investigate", Request(KEY, REQUEST, "ann"), TODAY, limits=LIMITS, run_id=KEY))
    go_on(made)


def _asked(made: Desk, task: str) -> Run:
    """The run in which the task stands: of the investigation, or of the one source of this test."""
    found = [run for run in map(made.load, made.store.rows) if STATES[task] in run.trail]
    return found[-1]


def _ends_as_it_must(run: Run, fault: Fault, task: str) -> None:
    if fault.ends == "answered" or (fault.ends == "given_up" and _has_an_end(run, task)):
        assert run.stopped is None
        assert run.trail[-1] != STATES[task]
        return
    assert run.stopped is not None
    ends = "refused" if fault.ends == "given_up" else fault.ends
    assert (run.stopped.stop, run.stopped.resumable, run.trail[-1]) == (ends, True, STATES[task])
    assert run.stopped.mend
    if ends == "budget":
        assert f"tokens: {run.total.tokens} used of 10000" in run.stopped.reason


def _has_an_end(run: Run, task: str) -> bool:
    """Whether the workflow says where the task's stage goes when it is given up."""
    stage = next(stage for stage in run.workflow.stages if stage.name == STATES[task])
    return stage.otherwise is not None


def _spent(made: Desk, run: Run, task: str) -> Spent:
    """What the task had spent when it was given up, or at the end."""
    journal = made.journal(run.id)
    given_up = next((s.seq for s in journal if isinstance(s.entry, Moved) and s.entry.otherwise), len(journal))
    return fold(run.workflow, run.id, journal[:given_up]).spent_of(STATES[task])


def _charged(made: Desk, run: Run, task: str) -> int:
    """The requests that the journal tells of."""
    told = [s.entry for s in made.journal(run.id) if isinstance(s.entry, Proposed | Refused)]
    return sum(entry.usage.calls for entry in told if entry.usage and entry.stage == STATES[task])


def _goes_on(made: Desk, run: Run, task: str, fault: Fault) -> None:
    """An operator's `retry` brings all of it to its end: an approved design.

    Where the only inquiry was given up before any record was assessed, the investigation says so and pauses.
    """
    for each in stopped(made):
        go(made.driver.retry(each.id, by="operator"))
        made.drive(each.id)
    if task in OF_A_SOURCE:
        made.drive(KEY)
        assert made.load(KEY).status == "ended"
        return
    end = go_on(made)
    if fault.ends == "given_up" and _has_an_end(run, task) and not made.all(kinds.ASSESSMENT):
        assert end.stopped is not None
        assert (type(end.state).__name__, end.stopped.stop, bool(end.stopped.mend)) == ("Packaging", "refused", True)
        return
    assert type(end.state).__name__ == "Approved"

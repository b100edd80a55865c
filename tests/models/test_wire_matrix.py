"""Every stage with a model, every fault, every format: a run ends answered or stopped, out of the right purse.

The whole matrix is slow; a diagonal of it, one stage for each fault, is in the default suite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from backedge.kernel.budget import Spent
from backedge.kernel.journal import Moved, Proposed, Refused, Stored, entry_to_json
from backedge.kernel.run import Run, fold
from tests.models.wire_table import FAULTS, Fault, good
from tests.models.wired import KEY, STAGES, Wired, wired

QUICK = 1.0
LIMIT = "budgets: {tokens: 10000}"
RETRIES, LOST, LIMITED = 2, 2, 5
Open = Callable[[str, str], Wired]


@pytest.fixture(scope="module")
def opened(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """One application for each format and each impatient stage: opening one takes longer than asking it."""
    with ExitStack() as stack:
        known: dict[tuple[str, str], Wired] = {}

        def found(api: str, impatient: str) -> Wired:
            if (api, impatient) not in known:
                folder = tmp_path_factory.mktemp("wired")
                seconds = {impatient: QUICK} if impatient else {}
                known[api, impatient] = stack.enter_context(wired(shop, folder, api, agent=LIMIT, seconds=seconds))
            return known[api, impatient]

        yield found


def _matrix() -> Iterator[object]:
    for number, name in enumerate(FAULTS):
        for stage in STAGES:
            for api in ("anthropic", "chat", "responses"):
                cheap = api == ("anthropic", "chat")[number % 2] and stage == STAGES[number % 4]
                marks = () if cheap else (pytest.mark.slow,)
                yield pytest.param(name, stage, api, marks=marks, id=f"{stage}, {name}, {api}")


@pytest.mark.parametrize(("name", "stage", "api"), list(_matrix()))
def test_whatever_the_wire_does(
    opened: Open, name: str, stage: str, api: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    fault = FAULTS[name]
    house = opened(api, stage if fault.quick else "")
    steps = fault.steps(api, stage)
    script = good(stage, **{stage: steps if fault.endless else [*steps, *good(stage)[stage]]})
    run = house.asked(f"how did turnover spread over the regions {_letters(name)} {stage}", script)
    journal = house.journal(run)

    _ends_as_it_must(house, run, fault, stage)
    assert _spent(run, journal, stage) == fault.spent
    assert tuple(house.clock.slept) == fault.waits
    assert _charged(journal) == house.server.calls.total()
    assert house.server.calls[stage] == fault.calls or fault.ends == "given_up"
    assert all(calls <= 1 + RETRIES + LOST + LIMITED for calls in house.server.calls.values())
    said = "".join((*(entry_to_json(s.entry) for s in journal), str(house.go(house.app.answer(run))), caplog.text))
    assert KEY not in said + "".join(capfd.readouterr())
    if run.stopped:
        _goes_on(house, run, stage)


def _ends_as_it_must(house: Wired, run: Run, fault: Fault, stage: str) -> None:
    if fault.ends in ("answered", "given_up"):
        answered = fault.ends == "answered" or stage == "interpreting"
        assert house.status(run) == ("answered" if answered else "cannot_answer")
        return
    assert run.stopped is not None
    assert (run.stopped.stop, run.stopped.resumable) == (fault.ends, True)
    assert run.stopped.mend
    if fault.ends == "budget":
        assert f"tokens: {run.total.tokens} used of 10000" in run.stopped.reason


def _spent(run: Run, journal: tuple[Stored, ...], stage: str) -> Spent:
    """What the stage had spent when it was first given up, or at the end: its later visits are the back-edges'."""
    given_up = next((s.seq for s in journal if isinstance(s.entry, Moved) and s.entry.otherwise), len(journal))
    return fold(run.workflow, run.id, journal[:given_up]).spent_of(stage.capitalize())


def _charged(journal: tuple[Stored, ...]) -> int:
    """The requests that the journal tells of."""
    told = [s.entry.usage for s in journal if isinstance(s.entry, Proposed | Refused)]
    return sum(usage.calls for usage in told if usage)


def _goes_on(house: Wired, run: Run, stage: str) -> None:
    """An operator's `retry` answers it, and no earlier stage's model is asked again."""
    assert house.status(house.retried(run, good(stage))) == "answered"
    assert not any(house.server.calls[earlier] for earlier in STAGES[: STAGES.index(stage)])


def _letters(name: str) -> str:
    """The fault's name without digits, which would be numbers of the question: each has a question of its own."""
    return name.translate(str.maketrans("0123456789-", "abcdefghij "))

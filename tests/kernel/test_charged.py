"""What calls cost: also the failed ones are charged, waited for as the server says, and an unknown price is never 0."""

from __future__ import annotations

from decimal import Decimal

import pytest

from backedge.kernel.budget import Limits, Usage
from backedge.kernel.defect import Failure, Permanent, RateLimited, Transient
from backedge.kernel.journal import Refused, entry_from_json, entry_to_json
from backedge.kernel.provenance import activities
from backedge.kernel.stage import Reply
from tests.kernel.letters import Draft
from tests.kernel.scenes import GOOD, Scene

COLD = Draft("It rains.")
DIME = Usage(70, 30, Decimal("0.1"), cached_tokens=50, calls=2)


def charged(failure: Failure) -> Failure:
    failure.usage, failure.details = DIME, {"model": "pen"}
    return failure


@pytest.mark.parametrize("failure", [Transient("cut"), RateLimited("wait", 1), Permanent("no key", mend="set it")])
def test_a_failed_call_is_charged_and_tells_what_was_called(failure: Failure) -> None:
    scene = Scene(drafts=[charged(failure), GOOD])
    run_id = scene.start()
    run = scene.drive(run_id)
    first = activities(scene.journal(run_id))[0]
    assert (run.total.tokens, run.total.cost) == (100, Decimal("0.1"))
    assert (first.usage, first.details) == (DIME, {"model": "pen"})


def test_failed_calls_alone_spend_the_limits_of_a_run() -> None:
    scene = Scene(drafts=[charged(Transient("cut"))])
    run = scene.drive(scene.start(limits=Limits(cost=Decimal("0.2"))))
    assert run.stopped is not None
    assert ("cost in USD: 0.2 used of 0.2" in run.stopped.reason, scene.calls) == (True, 2)


def test_an_overloaded_server_is_waited_for_as_long_as_it_says() -> None:
    scene = Scene(drafts=[Transient("busy", 40), GOOD])
    run_id = scene.start()
    scene.drive(run_id)
    (refused,) = (s for s in scene.journal(run_id) if isinstance(s.entry, Refused))
    assert isinstance(refused.entry, Refused)
    assert refused.entry.until is not None
    assert (refused.entry.until - refused.at).total_seconds() == 40
    assert refused.entry.failure == "transient"


def test_a_limit_of_cost_stops_a_run_whose_price_nobody_knows() -> None:
    scene = Scene(drafts=[Reply(COLD, Usage(7, 3, None)), GOOD])
    run = scene.drive(scene.start(limits=Limits(cost=Decimal(5))))
    assert run.stopped is not None
    assert ("unknown for 1 of its calls" in run.stopped.reason, scene.calls) == (True, 1)


def test_without_such_a_limit_an_unknown_price_is_counted_apart() -> None:
    scene = Scene(drafts=[Reply(COLD, Usage(7, 3, None)), Reply(GOOD, DIME)])
    run = scene.drive(scene.start())
    assert (run.total.cost, run.total.unpriced) == (Decimal("0.1"), 1)


@pytest.mark.parametrize("written", ["0.1", '"0.1"', "null"])
def test_costs_are_read_from_journals_of_every_age(written: str) -> None:
    entry = Refused("Drafting", "transient", 1, usage=Usage(1, 2, Decimal("0.1")))
    text = entry_to_json(entry)
    assert '"cost":"0.1"' in text
    read = entry_from_json(text.replace('"cost":"0.1"', f'"cost":{written}'))
    assert isinstance(read, Refused)
    assert read.usage == Usage(1, 2, None if written == "null" else Decimal("0.1"))

"""What can go wrong on the wire, as a table: what the server does, and what it costs which purse."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from backedge.kernel.budget import Spent
from tests.adapters.models.wire import Step
from tests.models.wired import KEY, Scripts

Ends = Literal["answered", "transient", "rate_limited", "permanent", "budget", "given_up"]

GOOD: Mapping[str, Mapping[str, Any]] = {
    "clarifying": {
        "kind": "data",
        "intent": "total amount by region",
        "members": ["orders.total_amount", "orders.region"],
    },
    "specifying": {"kind": "request", "measures": ["orders.total_amount"], "dimensions": ["orders.region"]},
    "solving": {"sql": 'SELECT SUM(amount) AS total FROM "orders.csv"'},
    "interpreting": {"text": "South has the most, 105.00."},
}
BEYOND = {"kind": "beyond", "reason": "the model has no such measure"}
INVENTED: Mapping[str, Mapping[str, Any]] = {
    "clarifying": {**GOOD["clarifying"], "members": ["orders.turnover"]},
    "specifying": {**GOOD["specifying"], "measures": ["orders.turnover"]},
    "solving": {"sql": 'SELECT SUM(turnover) AS total FROM "orders.csv"'},
    "interpreting": {"text": "South has the most, 106.00."},
}


def said(reply: Mapping[str, Any], **facts: Any) -> Step:
    """A reply, as a model writes it."""
    return Step(json.dumps(reply), **facts)


def good(stage: str, **instead: Sequence[Step]) -> Scripts:
    """What each model says where nothing goes wrong; of Solving, the question is one that needs it."""
    usual = {name: [said(reply)] for name, reply in GOOD.items()}
    if stage == "solving":
        usual |= {"specifying": [said(BEYOND)], "interpreting": [said({"text": "The total is 143.50."})]}
    return usual | instead


@dataclass(frozen=True)
class Fault:
    """`steps` are what the stage's model gives first, by format and stage; then all is well, unless it is `endless`.

    `spent` is what the stage's budgets have lost at the end, `waits` the back-offs, `quick` asks for little patience.
    """

    steps: Callable[[str, str], list[Step]]
    spent: Spent
    ends: Ends = "answered"
    waits: tuple[float, ...] = ()
    endless: bool = False
    quick: bool = False

    @property
    def calls(self) -> int:
        """How often the stage's model is asked up to the point where its budget, or its trouble, is over."""
        lost = self.spent.refused + self.spent.transient + self.spent.rate_limited
        return lost + (self.ends == "answered") + (self.ends == "permanent")


def _error(message: str, kind: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "code": kind, "message": f"{message} (your key: {KEY})"}}


def _status(code: int, kind: str = "api_error", *, times: int = 1, after: str = "") -> Callable[[str, str], list[Step]]:
    headers = {"Retry-After": after} if after else {}
    step = Step(status=code, headers=headers, error=_error("no", kind))
    return lambda _api, _stage: [step] * times


def _same(*steps: Step) -> Callable[[str, str], list[Step]]:
    return lambda _api, _stage: list(steps)


def _no_quota(api: str, _stage: str) -> list[Step]:
    if api == "anthropic":
        return [Step(status=400, error=_error("Your credit balance is too low.", "invalid_request_error"))]
    return [Step(status=429, error=_error("You exceeded your current quota", "insufficient_quota"))]


def _mixed(_api: str, stage: str) -> list[Step]:
    limited, lost = Step(status=429, error=_error("slow", "rate_limit_error")), Step(status=503)
    return [*[limited] * 5, *[lost] * 2, Step(""), said(INVENTED[stage])]


ONE_LOST, ONE_REFUSED = Spent(transient=1), Spent(refused=1)
BURST = (1.0, 2.0, 4.0, 8.0, 16.0)
FAULTS: dict[str, Fault] = {
    "429 with Retry-After": Fault(_status(429, "rate_limit_error", after="7"), Spent(rate_limited=1), waits=(7.0,)),
    "429 without": Fault(_status(429, "rate_limit_error"), Spent(rate_limited=1), waits=(1.0,)),
    "burst of 429": Fault(_status(429, "rate_limit_error", times=5), Spent(rate_limited=5), waits=BURST),
    "429 for ever": Fault(
        _status(429, "rate_limit_error"), Spent(rate_limited=6), "rate_limited", waits=BURST, endless=True
    ),
    "500": Fault(_status(500), ONE_LOST, waits=(1.0,)),
    "500 for ever": Fault(_status(500), Spent(transient=3), "transient", waits=(1.0, 2.0), endless=True),
    "529": Fault(_status(529, "overloaded_error", after="3"), ONE_LOST, waits=(3.0,)),
    "503": Fault(_status(503), ONE_LOST, waits=(1.0,)),
    "time-out before the stream": Fault(_same(Step(fault="hang")), ONE_LOST, waits=(1.0,), quick=True),
    "time-out in the stream": Fault(_same(Step("{}", fault="hang_mid")), ONE_LOST, waits=(1.0,), quick=True),
    "connection cut": Fault(_same(Step(fault="cut")), ONE_LOST, waits=(1.0,)),
    "connection cut in the stream": Fault(_same(Step("{}", fault="cut_mid")), ONE_LOST, waits=(1.0,)),
    "no answer of a model": Fault(_same(Step(fault="garbage")), ONE_LOST, waits=(1.0,)),
    "an empty body": Fault(_same(Step(fault="empty_body")), ONE_LOST, waits=(1.0,)),
    "empty": Fault(_same(Step("")), ONE_REFUSED),
    "half JSON": Fault(_same(Step('{"kind": "da')), ONE_REFUSED),
    "wrong schema": Fault(_same(Step('{"no": "such", "form": 1}')), ONE_REFUSED),
    "invented": Fault(lambda _api, stage: [said(INVENTED[stage])], ONE_REFUSED),
    "refusal": Fault(_same(Step("I would rather not.", finish="refusal")), ONE_REFUSED),
    "cut at max_tokens": Fault(_same(Step('{"kind": "da', finish="length")), ONE_REFUSED),
    "a tool that there is none of": Fault(_same(Step(call=("lookup", '{"words": "x"}'))), ONE_REFUSED),
    "tools for ever": Fault(_same(Step(call=("lookup", "{}"))), Spent(refused=3), "given_up", endless=True),
    "nothing for ever": Fault(_same(Step("")), Spent(refused=3), "given_up", endless=True),
    "all of it, up to each budget": Fault(_mixed, Spent(2, 2, 5), waits=(*BURST, 1.0, 2.0)),
    "tokens over budget": Fault(_same(Step("", tokens=(9_990, 20))), ONE_REFUSED, "budget"),
    "401": Fault(_status(401, "authentication_error"), Spent(), "permanent"),
    "unknown model": Fault(_status(404, "model_not_found"), Spent(), "permanent"),
    "insufficient quota": Fault(_no_quota, Spent(), "permanent"),
}

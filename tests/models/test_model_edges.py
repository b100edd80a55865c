"""Every edge of ask with a model in each stage that has one: the list of states is the assertion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from backedge.ask.workflow import ASK
from tests.models.minded import QUESTION, Minded, minded
from tests.models.wire_table import BEYOND, GOOD, INVENTED

AUTOMATIONS = {
    "totals": """\
name: totals
description: turnover spread
tasks:
  - {name: t, type: execute_sql, database: local, sql_query: "SELECT SUM(amount) AS turnover FROM orders.csv"}
""",
    "broken": """\
name: broken
description: turnover spread
tasks: [{name: t, type: execute_sql, database: local, sql_query: SELECT nope FROM orders.csv}]
""",
}
DATA, REQUEST = GOOD["clarifying"], GOOD["specifying"]
WHICH = {"slot": "turnover", "prompt": "Which?", "suggestions": ["by region", "by state"]}
NOWHERE = {
    **REQUEST,
    "filters": [
        {"field": "orders.status", "op": "equals", "values": ["open"]},
        {"field": "orders.region", "op": "equals", "values": ["North"]},
    ],
}
UNKNOWN = INVENTED["specifying"]
COUNTED = {"sql": 'SELECT COUNT(*) AS orders FROM "orders.csv"'}
NOTHING = {"sql": "SELECT id FROM \"orders.csv\" WHERE status = 'nope'"}
PARTS = {"kind": "parts", "parts": ["total amount by region", "order count by status"]}
NO_PARTS = {"kind": "parts", "parts": ["paid amount in 1999", "open amount in 1999"]}
WORDS, WRONG, COUNT = GOOD["interpreting"], INVENTED["interpreting"], {"text": "There are 5 orders."}
HANDED = {"kind": "automation", "automation": "totals"}

ENDS = ["Executing", "Interpreting", "Done"]
ASKED = ["Clarifying", "Specifying", *ENDS]


@dataclass(frozen=True)
class Story:
    """What each model says, which answers a person gives, and the states that the run passes through."""

    states: list[str]
    says: dict[str, list[Any]] = field(default_factory=dict)
    answers: tuple[str, ...] = ()


STORIES = {
    "a model reads, specifies and words what rules cannot read": Story(ASKED),
    "a model tells what the catalog is": Story(
        ["Clarifying", "Done"], {"clarifying": [{"kind": "inquiry", "answer": "There is `orders.region`."}]}
    ),
    "a model says that nothing here answers it": Story(
        ["Clarifying", "Done"], {"clarifying": [{"kind": "unanswerable", "reason": "there is no turnover"}]}
    ),
    "a model asks the person, who answers, and reads on": Story(
        ["Clarifying", "AwaitingAnswer", *ASKED],
        {"clarifying": [{"kind": "data", "questions": [WHICH]}, DATA]},
        ("by region",),
    ),
    "a model of Specifying asks, and its own stage goes on": Story(
        ["Clarifying", "Specifying", "AwaitingAnswer", *ASKED[1:]],
        {"specifying": [{"kind": "ask", "questions": [WHICH]}, REQUEST]},
        ("by region",),
    ),
    "a model hands it to an automation": Story(
        ["Clarifying", "Delegating", "Interpreting", "Done"],
        {"clarifying": [HANDED], "interpreting": [{"text": "It is 143.50."}]},
    ),
    "an automation that fails is a lesson, and the model reads it as data": Story(
        ["Clarifying", "Delegating", "Diagnosing", *ASKED],
        {"clarifying": [{**HANDED, "automation": "broken"}, DATA]},
    ),
    "a model that invents members to the end is given up": Story(
        ["Clarifying", "Diagnosing", "Done"], {"clarifying": [INVENTED["clarifying"]]}
    ),
    "a model that keeps to an unknown measure is sent back for detail": Story(
        ["Clarifying", "Specifying", "Diagnosing", *ASKED], {"specifying": [UNKNOWN, UNKNOWN, UNKNOWN, REQUEST]}
    ),
    "what the semantic model cannot express is written": Story(
        ["Clarifying", "Specifying", "Solving", *ENDS],
        {"specifying": [BEYOND], "solving": [COUNTED], "interpreting": [COUNT]},
    ),
    "a model that can write no SQL says why": Story(
        ["Clarifying", "Specifying", "Solving", "Diagnosing", "Done"],
        {"specifying": [BEYOND], "solving": [{"reason": "these tables hold no turnover"}]},
    ),
    "filters that nothing fulfils together go back to the model that wrote them": Story(
        ["Clarifying", "Specifying", "Executing", "Diagnosing", *ASKED[1:]], {"specifying": [NOWHERE, REQUEST]}
    ),
    "written SQL that finds nothing goes back to the model that wrote it": Story(
        ["Clarifying", "Specifying", "Solving", "Executing", "Diagnosing", "Solving", *ENDS],
        {"specifying": [BEYOND], "solving": [NOTHING, COUNTED], "interpreting": [COUNT]},
    ),
    "parts are answered apart": Story(
        ["Clarifying", "Specifying", "Gathering", "Gathering", "Interpreting", "Done"],
        {"specifying": [PARTS], "interpreting": [WORDS, COUNT, {"text": "Both are told."}]},
    ),
    "parts that all fail are a lesson": Story(
        ["Clarifying", "Specifying", "Gathering", "Gathering", "Diagnosing", *ASKED[1:]],
        {"specifying": [NO_PARTS, REQUEST]},
    ),
    "words that are wrong to the end give way to the template's": Story(
        [*ASKED[:-1], "Diagnosing", "Interpreting", "Done"], {"interpreting": [WRONG]}
    ),
}


@pytest.fixture(scope="module")
def house(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Minded]:
    with minded(shop, tmp_path_factory.mktemp("minded"), **AUTOMATIONS) as found:
        yield found


@pytest.mark.parametrize("name", STORIES)
def test_story(house: Minded, name: str) -> None:
    story = STORIES[name]
    run = house.asked(QUESTION, *story.answers, **story.says)
    assert list(run.trail) == story.states, house.found(run)


def test_every_edge_has_a_story() -> None:
    told = {pair for story in STORIES.values() for pair in pairwise(story.states)}
    edges = {(state.__name__, after.__name__) for state, row in ASK.edges.items() for after in row}
    assert edges - told == set()
    assert told - edges == set()

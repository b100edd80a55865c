"""The forms of the replies are such that every vendor can be held to them."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import BaseModel
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

from backedge.adapters.models.asking import VendorAgent
from backedge.agent.ports import Prompt
from backedge.ask.prompted.replies import Specification, Sql, Triage, Words
from backedge.evidence.prompted.design_replies import CandidatesSaid, DesignSaid
from backedge.evidence.prompted.inquiry_replies import AssessmentsSaid, Planned, ShortPlanned, Weighed
from backedge.evidence.prompted.replies import Judged, Mended, Taken
from backedge.evidence.prompted.request_replies import FacetsSaid, QuestionsSaid, ToldAgain
from backedge.evidence.prompted.small_replies import FewMended, FewTaken, ShortJudged
from backedge.evidence.prompted.wordings import Task
from backedge.kernel.stage import Reply, Unreadable
from tests.adapters.models.asked import APIS, SECRET, connection
from tests.adapters.models.wire import Step, Wire
from tests.evidence.prompted_replies import GOOD

TASKS: dict[str, type[BaseModel]] = {
    "extracting": Taken,
    "reextracting": Mended,
    "verifying": Judged,
    "extracting_facets": FacetsSaid,
    "round_tripping": ToldAgain,
    "deriving_questions": QuestionsSaid,
    "planning": Planned,
    "assessing": AssessmentsSaid,
    "weighing": Weighed,
    "proposing": CandidatesSaid,
    "designing": DesignSaid,
}
EVIDENCE = tuple(TASKS.values())
SMALL: tuple[type[BaseModel], ...] = (FewTaken, FewMended, ShortJudged, ShortPlanned)
REPLIES: dict[type[BaseModel], Any] = {form: GOOD[task] for task, form in TASKS.items()}


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from parts(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from parts(value)


@pytest.mark.parametrize("form", [Triage, Specification, Sql, Words, *EVIDENCE, *SMALL])
def test_no_form_has_free_keys_or_a_list_of_unlike_things(form: type[BaseModel]) -> None:
    """Claude gives `{}` for the former, and is told nothing of the items of the latter."""
    for part in parts(form.model_json_schema()):
        assert part.get("additionalProperties", False) is False
        assert "prefixItems" not in part


@pytest.mark.parametrize("form", EVIDENCE)
def test_openai_can_hold_a_model_strictly_to_the_forms_of_evidence(form: type[BaseModel]) -> None:
    """It cannot where a key may be left out or a text has a length: then a reply is held to nothing."""
    transformer = OpenAIJsonSchemaTransformer(form.model_json_schema(), strict=None)
    transformer.walk()
    assert transformer.is_strict_compatible


@pytest.mark.parametrize("form", SMALL)
def test_all_that_a_small_model_writes_ends(form: type[BaseModel]) -> None:
    schema = form.model_json_schema()
    texts = [p for p in parts(schema) if p.get("type") == "string" and "enum" not in p]
    lists = [p for p in parts(schema) if p.get("type") == "array"]
    assert [p for p in texts if "maxLength" not in p] + [p for p in lists if "maxItems" not in p] == []
    assert len(texts) > 1


def test_every_task_has_its_form_here() -> None:
    assert set(TASKS) == set(get_args(Task))


@pytest.fixture
def _one_ssl_context(monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.create_default_context()
    monkeypatch.setattr(ssl, "create_default_context", lambda *_, **__: context)


@pytest.mark.usefixtures("_one_ssl_context")
@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("forms", [EVIDENCE[:3], pytest.param(EVIDENCE[3:], marks=pytest.mark.slow)])
def test_replies_of_evidence_are_read_over_each_wire_format(api: str, forms: tuple[type[BaseModel], ...]) -> None:
    with Wire([Step(json.dumps(REPLIES[form])) for form in forms]) as server:
        agent = VendorAgent(connection(api, server.url), {"FRUIT_KEY": SECRET})
        said = asyncio.run(_all(agent, forms))
        sent = [json.dumps(body) for body in server.requests]
    for form, reply, body in zip(forms, said, sent, strict=True):
        assert isinstance(reply, Reply)
        assert isinstance(reply.proposal, form)
        assert set(form.model_json_schema()["properties"]) <= set(_keys(json.loads(body)))
        assert api == "anthropic" or '"strict": true' in body


async def _all(agent: VendorAgent, forms: tuple[type[BaseModel], ...]) -> list[Reply[BaseModel] | Unreadable]:
    return [await agent.ask(Prompt("Take findings.", "A section.", "1"), form) for form in forms]


def _keys(body: Any) -> Iterator[str]:
    """The keys of every form that a request carries."""
    for part in parts(body):
        if isinstance(part.get("properties"), dict):
            yield from part["properties"]

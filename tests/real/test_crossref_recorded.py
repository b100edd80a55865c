"""Crossref's own answer to a search, as it was recorded, read by the adapter and joined with Retraction Watch."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
import yaml

from backedge.adapters.sources.retraction_watch import RetractionWatch
from backedge.evidence.ports import ExternalFound
from backedge.evidence.sources import Identifiers
from tests.adapters.sources.asking import opened
from tests.adapters.sources.server import Server, Step

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "retraction"
CASSETTE = DATA / "crossref_retraction_status_cassette.yaml"
TITLE = "The Dilemma and Countermeasures of Music Education under the Background of Big Data"
ARTICLE = Identifiers(doi="10.1155/2022/8341966")
pytestmark = pytest.mark.skipif(not CASSETTE.exists(), reason="the shared data sets are not here")


def recorded() -> str:
    """The body of the one answer."""
    (interaction,) = yaml.safe_load(CASSETTE.read_text(encoding="utf-8"))["interactions"]
    body = interaction["response"]["body"]["string"]
    assert isinstance(body, str)
    return body


def found(body: str) -> ExternalFound:
    with Server() as server:
        server.play({"/crossref/works": Step(body)})
        return asyncio.run(opened(server).searchable["crossref"].search(TITLE, 1))


def test_a_recorded_search_is_read() -> None:
    said = found(recorded())
    (hit,) = said.hits
    assert said.total == 4_664_899
    assert (hit.identifier, hit.metadata.identifiers) == (ARTICLE.doi, ARTICLE)
    assert hit.metadata.title == TITLE
    assert hit.metadata.authors == ("Jiaye Han",)
    assert hit.metadata.journal == "Wireless Communications and Mobile Computing"
    # what was not selected is left open, not made up
    assert (hit.metadata.year, hit.metadata.licence, hit.metadata.signals) == (0, "", ())


def test_a_recorded_answer_says_of_status_what_crossref_said_and_no_more() -> None:
    """The recording holds no `updated-by`; the file of Retraction Watch knows that the article is retracted."""
    with Server() as server:
        server.play({"/crossref/works": Step(recorded())})
        (crossref,) = asyncio.run(opened(server).registries["crossref"].status([ARTICLE]))
    (watch,) = asyncio.run(RetractionWatch(DATA / "stub_retractions.csv").status([ARTICLE]))
    assert crossref is not None
    assert watch is not None
    assert crossref.signals == ()
    assert [signal.kind for signal in crossref.joined(watch).signals] == ["retracted"]
    assert crossref.joined(watch).title == TITLE


def test_a_status_in_the_recorded_work_is_seen() -> None:
    told = json.loads(recorded())
    told["message"]["items"][0]["updated-by"] = [{"DOI": "10.1155/2023/9753475", "type": "retraction"}]
    (hit,) = found(json.dumps(told)).hits
    assert [signal.kind for signal in hit.metadata.signals] == ["retracted"]
    assert [relation.kind for relation in hit.metadata.relations] == ["retracted_by"]

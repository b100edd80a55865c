"""The review pages: each shows what its JSON says, and an investigation goes from its request to an approved design."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from backedge.demo.evidence import ENDPOINTS, REJECTED, REQUEST
from backedge.evidence.designs import CRITERIA
from tests.cli.projects import backedge
from tests.web.kit import client, copied
from tests.web.reviewed import REVIEWER, SECOND, copy_of, made_evidence, page, plain, shown_all, text_at

MANDATORY = ("objective", "condition", "model_system", "intervention", "endpoint")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo with its papers; nobody may change it."""
    return made_evidence(tmp_path_factory.mktemp("evidence"))


@pytest.fixture(scope="module")
def looked_at(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server in which nobody decides anything."""
    with client(copy_of(made, tmp_path_factory.mktemp("looked_at") / "own")) as opened:
        yield opened


@pytest.fixture
def site(made: Path, tmp_path: Path) -> Iterator[TestClient]:
    """A server of a copy of one's own."""
    with client(copy_of(made, tmp_path / "own")) as opened:
        yield opened


def post(site: TestClient, path: str, who: dict[str, str] = REVIEWER, **fields: Any) -> Response:
    return site.post(path, data=fields, headers=who)


def waiting_record(site: TestClient) -> dict[str, Any]:
    (line,) = [each for each in site.get("/review/queue.json").json()["waiting"] if each["what"] == "record"]
    found: dict[str, Any] = line
    return found


def test_the_lists_show_what_their_json_says(looked_at: TestClient) -> None:
    shown_all(*page(looked_at, "/review"), "queue.waiting.*.key", "ingests.ingests.*.run")
    shown_all(*page(looked_at, "/review/queue"), *(f"waiting.*.{name}" for name in ("key", "kind", "statement", "why")))
    shown_all(
        *page(looked_at, "/review/ingests"), *(f"ingests.*.{n}" for n in ("run", "asked", "status", "records", "why"))
    )
    parsed, data = page(looked_at, "/review/sources")
    shown_all(parsed, data, "sources.*.id", "sources.*.status", "sources.*.records_said")
    (retracted,) = [each for each in data["sources"] if each["status"] == "ineligible" and each["records"]]
    (row,) = [row for row in parsed.css("tbody tr") if retracted["id"] in row.text()]
    assert "retracted" in row.text()
    found = page(looked_at, "/review/search?q=fasting+glucose+in+mice")
    shown_all(*found, "hits.*.text", "hits.*.section")


def test_a_record_stands_beside_its_passages(looked_at: TestClient, made: Path) -> None:
    line = waiting_record(looked_at)
    parsed, data = page(looked_at, f"/review/records/{line['key']}")
    told = ("statement", "standing", "source", "quotations.*.spans.*.exact", "quotations.*.spans.*.before")
    shown_all(parsed, data, "key", *told, "verification.checks.*.reason", "standings.*.by")
    assert len(parsed.css("[data-at^='verification.checks'][data-at$='.name']")) == 5
    assert [mark.text() for mark in parsed.css("mark")] == [s["exact"] for q in data["quotations"] for s in q["spans"]]
    assert data == backedge("review", "show", line["key"], "--json", "--as", "rita", "--project", made).json
    (span,) = data["quotations"][0]["spans"]
    path = f"/review/sources/{data['version']}/text?start={span['start']}&end={span['end']}"
    assert parsed.css_first(f"a[href='{path}#passage']") is not None
    section, passage = page(looked_at, path)
    assert text_at(section, "mark#passage") == span["exact"]
    assert passage["before"].endswith(span["before"])
    assert passage["section"] == span["section"]


def test_a_source_and_each_of_its_sections(looked_at: TestClient) -> None:
    for each in looked_at.get("/review/sources.json").json()["sources"]:
        parsed, data = page(looked_at, f"/review/sources/{each['id']}")
        shown_all(parsed, data, "id", "status", "versions.*.content", "named")
        if data["versions"][0]["sections"]:
            shown_all(parsed, data, "versions.*.sections.*.key", "versions.*.sections.*.role")
        else:
            shown_all(parsed, data, "versions.*.measurements.*.value", "versions.*.measurements.*.unit")
        assert each["records"] == {} or parsed.css("[data-at^='versions.0.records']")


def test_what_is_refused_is_shown_in_place_and_the_record_waits_on(site: TestClient) -> None:
    line = waiting_record(site)
    path = f"/review/records/{line['key']}"
    seen = line["standing_number"]
    for status, who, fields in (
        (422, REVIEWER, {"kind": "reject", "seen": seen, "reason": " "}),
        (422, {"cookie": ""}, {"kind": "accept", "seen": seen, "reason": "it is mine to say"}),
        (409, REVIEWER, {"kind": "accept", "seen": seen + 7, "reason": "I looked at another"}),
        (422, REVIEWER, {"kind": "fix", "seen": seen, "quotation": "words that stand nowhere in it"}),
    ):
        refused = post(site, path, who, **fields)
        assert refused.status_code == status, (fields, refused.text)
        assert 'id="refused"' in refused.text
        assert plain(str(fields.get("quotation", fields.get("reason")))) in refused.text
        told = site.post(path, data=fields, headers={**who, "accept": "application/json"})
        assert (told.status_code, told.headers["content-type"]) == (status, "application/problem+json")
    assert waiting_record(site) == line


def test_a_decision_goes_on_to_the_next_and_is_undone_by_another(site: TestClient) -> None:
    line = waiting_record(site)
    path = f"/review/records/{line['key']}"
    skipped = post(site, path, kind="skip", seen=line["standing_number"])
    assert (skipped.status_code, waiting_record(site)["key"]) == (303, line["key"])
    done = post(site, path, kind="reject", seen=line["standing_number"], reason="the paper says may")
    assert (done.status_code, done.headers["location"].partition("?")[0]) == (303, "/review/queue")
    again = post(site, path, kind="accept", seen=line["standing_number"], reason="from the other tab")
    assert (again.status_code, "somebody was quicker" in again.text) == (409, True)
    assert "the paper says may" in again.text
    rejected = site.get(f"{path}.json").json()
    undone = post(site, path, kind="accept", seen=rejected["standing_number"], reason="it does say so")
    _, data = page(site, path)
    assert (undone.status_code, rejected["standing"], data["standing"]) == (303, "rejected", "accepted")
    assert [each["kind"] for each in data["decisions"] if each["kind"] != "skip"] == ["reject", "accept"]


def rested(site: TestClient, run: str, status: str) -> Any:
    """The investigation, once it is so."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        data = site.get(f"/review/investigations/{run}.json").json()
        if (data["waits_for"] or data["status"]) == status:
            return data
        time.sleep(0.02)
    raise AssertionError(f"{run} is {data}")


def begun(site: TestClient) -> str:
    started = post(site, "/review/investigations", request=REQUEST)
    assert started.status_code == 303
    run = started.headers["location"].rpartition("/")[2]
    rested(site, run, "facet review")
    return run


def change(site: TestClient, at: str, **fields: Any) -> Response:
    return post(site, f"{at}/facets", seen=site.get(f"{at}/facets.json").json()["seen"], **fields)


def confirmed(site: TestClient, at: str) -> None:
    assert change(site, at, kind="split", facet="endpoint", value=1, text="\r\n".join(ENDPOINTS)).status_code == 303
    for name in MANDATORY:
        assert change(site, at, kind="confirm_facet", facet=name).status_code == 303
    assert change(site, at, kind="confirm").status_code == 303


@pytest.mark.slow
def test_facets_are_changed_and_confirmed(site: TestClient) -> None:
    assert post(site, "/review/investigations", request=" ").status_code == 422
    run = begun(site)
    at = f"/review/investigations/{run}"
    shown_all(*page(site, "/review/investigations"), "investigations.*.run", "investigations.*.request")
    parsed, data = page(site, f"{at}/facets")
    names = ("name", "importance", "confirmation", "values.*.text", "values.*.origin")
    shown_all(parsed, data, "run", "request", "seen", *(f"facets.*.{name}" for name in names))
    shown_all(parsed, data, "round_trip.reconstruction", "round_trip.additions.*")
    spans = {span["exact"] for facet in data["facets"] for value in facet["values"] for span in value["spans"]}
    marked = "".join(mark.text() for mark in parsed.css("blockquote.request mark"))
    assert spans
    assert all(text in plain(text_at(parsed, "blockquote.request")) for text in map(plain, spans))
    assert len(marked) >= max(map(len, spans))
    early = change(site, at, kind="confirm")
    assert (early.status_code, 'id="refused"' in early.text) == (422, True)
    stale = post(site, f"{at}/facets", seen=99, kind="confirm_facet", facet="objective")
    assert stale.status_code == 409
    assert change(site, at, kind="assume", facet="timing", reason="").status_code == 422
    assert change(site, at, kind="assume", facet="timing", reason="not yet known").status_code == 303
    assert change(site, at, kind="importance", facet="timing", importance="optional").status_code == 303
    assert change(site, at, kind="add", facet="endpoint", text="<script>alert(1)</script> \u202eלא").status_code == 303
    _, data = page(site, f"{at}/facets")
    (endpoint,) = [facet for facet in data["facets"] if facet["name"] == "endpoint"]
    shown = site.get(f"{at}/facets", headers=REVIEWER).text
    assert ("<script>alert" in shown, "&lt;script&gt;alert(1)" in shown) == (False, True)
    assert change(site, at, kind="remove", facet="endpoint", value=len(endpoint["values"])).status_code == 303
    shown_all(*page(site, f"{at}/facets"), "history.*.by", "history.*.before", "history.*.after")
    (timing,) = [facet for facet in data["facets"] if facet["name"] == "timing"]
    assert (timing["importance"], timing["confirmation"]) == ("optional", "assumed")


@pytest.mark.slow
def test_an_investigation_becomes_an_approved_design(site: TestClient) -> None:
    run = begun(site)
    at = f"/review/investigations/{run}"
    confirmed(site, at)
    rested(site, run, "sufficiency review")
    judge_all(site)
    rested(site, run, "paused")
    choose(site, at)
    rested(site, run, "approval")
    approve(site, at)
    for part in ("", "/questions", "/gaps", "/packages", "/candidates", "/design"):
        page(site, f"{at}{part}")
    shown_all(*page(site, at), "run", "inquiries.*.question", "inquiries.*.sufficiency.status")
    shown_all(*page(site, f"{at}/questions"), "questions.*.question.key", "questions.*.executions.*.query")
    shown_all(*page(site, f"{at}/packages"), "packages.*.key", "packages.*.records.*.record")


def judge_all(site: TestClient) -> None:
    waits = [each for each in site.get("/review/queue.json").json()["waiting"] if each["what"] == "sufficiency"]
    assert waits
    for line in waits:
        path = f"/review/judgements/{line['key']}"
        assert f'href="{path}"' in site.get("/review/queue").text
        shown_all(*page(site, path), "key", "sufficiency.only_affirmative", "assessments.*.record", "statement")
        refused = post(site, path, kind="accept", reason="")
        assert (refused.status_code, 'id="refused"' in refused.text) == (422, True)
        assert post(site, path, kind="accept", reason="enough for doses").status_code == 303
        assert post(site, path, kind="reject", reason="from the other tab").status_code == 409


def choose(site: TestClient, at: str) -> None:
    refused, data = page(site, f"{at}/candidates")
    assert data["candidates"] is None
    shown_all(
        refused, data, "defects.*.message", "refused.approaches.*.key", "refused.approaches.*.ratings.*.rationale"
    )
    assert post(site, f"{at}/retry").status_code == 303
    rested(site, at.rpartition("/")[2], "decision")
    parsed, data = page(site, f"{at}/candidates")
    shown_all(parsed, data, "candidates.approaches.*.title", "candidates.approaches.*.ratings.*.rating")
    assert [row.text().split("\n")[0].strip() for row in parsed.css("table.approaches tbody th[scope=row]")] == [
        row.name.replace("_", " ") + row.judges for row in CRITERIA
    ]
    chosen = data["candidates"]["approaches"][0]["key"]
    unreasoned = post(site, f"{at}/candidates", chosen=chosen)
    assert (unreasoned.status_code, f'value="{chosen}" required checked' in unreasoned.text) == (422, True)
    reasons: dict[str, Any] = {f"reason-{n}": REJECTED for n in range(1, len(data["candidates"]["approaches"]))}
    assert post(site, f"{at}/candidates", chosen=chosen, **reasons).status_code == 303


def approve(site: TestClient, at: str) -> None:
    parsed, data = page(site, f"{at}/design")
    shown_all(parsed, data, "mark", "sections.*.title", "sections.*.sentences.*.text", "references.*.cited.key")
    assert (len(data["sections"]), "PROPOSAL" in text_at(parsed, "[data-at=mark]")) == (12, True)
    cited = parsed.css("section a[aria-label^=Reference]")
    assert cited
    for link in cited:
        there = site.get((link.attributes["href"] or "").partition("#")[0])
        assert (there.status_code, 'id="passage"' in there.text) == (200, True)
    version = data["version"]
    assert post(site, f"{at}/design", SECOND, kind="approve", version=version, rationale="fine").status_code == 422
    assert post(site, f"{at}/design", kind="approve", version=version, rationale="").status_code == 422
    assert post(site, f"{at}/design", kind="request_changes", version=version, rationale="x").status_code == 422
    assert post(site, f"{at}/design", kind="approve", version=version + 1, rationale="fine").status_code in (409, 422)
    assert post(site, f"{at}/design", kind="approve", version=version, rationale="it bears it").status_code == 303
    parsed, data = page(site, f"{at}/design")
    assert (data["approved"], "Approved by rita" in text_at(parsed, "[data-at=mark]")) == (True, True)
    shown_all(parsed, data, "approvals.*.by", "approvals.*.rationale")
    late = post(site, f"{at}/design", kind="approve", version=version, rationale="again")
    assert late.status_code == 409


@pytest.mark.parametrize(
    "path",
    ["/review/records/nothing", "/review/sources/nothing", "/review/sources/00/text?start=1&end=2"]
    + [f"/review/investigations/nothing{part}" for part in ("", "/facets", "/design", "/candidates", "/gaps")]
    + ["/review/judgements/no/q1"],
)
def test_what_is_not_there_is_told(looked_at: TestClient, path: str) -> None:
    shown = looked_at.get(path)
    assert (shown.status_code, "<h1>Not found</h1>" in shown.text) == (404, True)


def test_a_project_without_evidence_has_no_review(shop: Path, tmp_path: Path) -> None:
    with client(copied(shop, tmp_path)) as opened:
        assert opened.get("/review").status_code == 404
        assert not re.search(r'href="/review"', opened.get("/runs").text)

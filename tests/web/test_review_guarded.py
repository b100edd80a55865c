"""What the review pages keep apart: two reviewers who may not see each other, text of papers, roles, other sites."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from selectolax.lexbor import LexborHTMLParser

from backedge.assembling.opening_evidence import open_evidence
from backedge.evidence.designs import Citation, Design, DesignSection
from backedge.evidence.exporting.design_diff import changes_between
from backedge.evidence.facets import Facet, FacetValue, RequestSpan
from backedge.evidence.views import FacetsView
from backedge.web.app import create_app
from backedge.web.identity.local import LocalIdentity
from backedge.web.pages.facets import stretches
from backedge.web.people import How, Person, Role
from backedge.web.rendering import renderer
from backedge.web.static_files import packaged
from tests.web.kit import application, client
from tests.web.reviewed import REVIEWER, SECOND, ingested, made_evidence, page, run_apart, shown_all, text_at

HOSTILE = (
    "Title <script>alert('title')</script>\n\nAbstract\n\n"
    "Velorin <img src=x onerror=alert(1)> lowered \u202egnidnah thgir\u202c glucose. שלום עולם هذا نص.\n"
)
TEMPTED = {"cookie": "backedge_name=kim"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo where two of three must agree, with a hostile paper."""
    made = made_evidence(tmp_path_factory.mktemp("double"))
    written = (made / "evidence.yml").read_text(encoding="utf-8")
    named = written.replace("  - {name: sam}\n", "  - {name: sam}\n  - {name: kim}\n")
    (made / "evidence.yml").write_text(f"{named}review: {{double: true}}\n", encoding="utf-8")
    (made / "papers" / "hostile.txt").write_text(HOSTILE, encoding="utf-8")
    run_apart(lambda: _hostile(made))
    return made


async def _hostile(made: Path) -> None:
    app = open_evidence(made)
    try:
        await ingested(app, ["papers/hostile.txt"])
    finally:
        await app.close()


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[TestClient]:
    with client(folder) as opened:
        yield opened


def test_a_paper_cannot_write_the_page(site: TestClient) -> None:
    (line,) = [each for each in site.get("/review/sources.json").json()["sources"] if "hostile" in each["named"]]
    _, source = page(site, f"/review/sources/{line['id']}")
    version = source["versions"][0]
    end = max(section["end"] for section in version["sections"])
    path = f"/review/sources/{version['content']}/text?start=0&end={end}"
    parsed, data = page(site, path)
    assert data["exact"].count("<script>") == 1
    for shown in (parsed, page(site, f"/review/sources/{line['id']}")[0], page(site, "/review/ingests")[0]):
        assert all(script.attributes.get("src") for script in shown.css("script"))
        assert shown.css("main img") == []
    assert [each.attributes["dir"] for each in parsed.css("blockquote")] == ["auto"]
    assert "שלום" in text_at(parsed, "mark")


def test_of_two_who_must_agree_neither_sees_what_the_other_decided(site: TestClient) -> None:
    (line,) = [each for each in site.get("/review/queue.json").json()["waiting"] if each["what"] == "record"]
    path, seen = f"/review/records/{line['key']}", line["standing_number"]
    secret = "the paper says may, and rita says so"
    decided = site.post(path, data={"kind": "reject", "seen": seen, "reason": secret}, headers=REVIEWER)
    assert decided.status_code == 303
    own, _ = page(site, path, REVIEWER)
    assert secret in text_at(own, "main")
    for who in (SECOND, TEMPTED, {"cookie": ""}):
        parsed, data = page(site, path, who)
        assert (data["decisions"], secret in (parsed.html or ""), "rita" in text_at(parsed, "main")) == (
            [],
            False,
            False,
        )
    parsed, queue = page(site, "/review/queue", SECOND)
    shown_all(parsed, queue, "waiting.*.decided")
    twice = site.post(path, data={"kind": "accept", "seen": seen}, headers=REVIEWER)
    assert twice.status_code in (409, 422)
    assert site.post(path, data={"kind": "reject", "seen": seen, "reason": "no"}, headers=SECOND).status_code == 303
    _, data = page(site, path, SECOND)
    assert (data["standing"], {each["by"] for each in data["decisions"]}) == ("rejected", {"rita", "sam"})


class Known:
    """Somebody with one role."""

    how: How = "api-key"

    def __init__(self, role: Role) -> None:
        self._role = role

    async def person(self, _request: Any) -> Person:
        return Person("rita", (self._role,), "api-key")


POSTS = [
    ("/review/records/nothing", "review"),
    ("/review/judgements/no/q1", "review"),
    ("/review/investigations", "ask"),
    ("/review/investigations/none/retry", "review"),
    ("/review/investigations/none/facets", "review"),
    ("/review/investigations/none/candidates", "review"),
    ("/review/investigations/none/design", "approve"),
]
ALLOWED: dict[Role, set[str]] = {
    "viewer": set(),
    "asker": {"ask"},
    "reviewer": {"ask", "review"},
    "approver": {"ask", "review", "approve"},
}


@pytest.mark.parametrize("role", list(ALLOWED))
def test_each_role_may_do_what_it_may(folder: Path, role: Role) -> None:
    _, served = application(folder)
    made = TestClient(create_app(served.services, Known(role)), follow_redirects=False)
    for path, right in POSTS:
        status = made.post(path, data={}).status_code
        assert (status == 403) == (right not in ALLOWED[role]), (role, path, status)
    assert made.get("/review/queue").status_code == 200


def test_a_form_of_another_site_decides_nothing(site: TestClient) -> None:
    for path, _ in POSTS:
        assert site.post(path, data={}, headers={"sec-fetch-site": "cross-site"}).status_code == 403


def test_the_request_is_cut_where_facets_begin_and_end() -> None:
    def facet(name: Any, *spans: tuple[int, int]) -> Facet:
        made = tuple(RequestSpan(start, end, "") for start, end in spans)
        return Facet(name, "mandatory", (FacetValue("x", "explicit", made),))

    shown = FacetsView("r", "abcdefgh", 0, True, (facet("objective", (1, 4)), facet("endpoint", (3, 6))), (), None)
    assert stretches(shown) == [
        ("a", ()),
        ("bc", ("objective",)),
        ("d", ("objective", "endpoint")),
        ("ef", ("endpoint",)),
        ("gh", ()),
    ]
    assert stretches(replace(shown, facets=(facet("objective", (0, 8)),))) == [("abcdefgh", ("objective",))]


def test_what_changed_between_two_versions_is_shown() -> None:
    before = Design(1, (DesignSection("ethics", "Mice. Old <b>words</b>.", ()),), (("objective", "met"),))
    cited = (Citation("New words.", ("k1",)),)
    after = Design(2, (DesignSection("ethics", "Mice. New words.", cited),), (("objective", "met well"),))
    render = renderer(packaged(), {"navigation": (), "project": "p"})
    diff = changes_between(before, after)
    text = render.text("review_design_changes.html", view=diff, person=None, path="/", request=None, run="r1")
    parsed = LexborHTMLParser(text)
    assert [node.text() for node in parsed.css("ins")] == ["New words.", "objective: met well"]
    assert [node.text() for node in parsed.css("del")] == ["Old <b>words</b>.", "objective: met"]
    assert "k1" in text_at(parsed, "main")


def test_names_of_people_are_those_of_the_project(folder: Path) -> None:
    _, served = application(folder)
    assert LocalIdentity("ann", served.reviewers).names == ("rita", "sam", "kim")

"""The server itself: headers, other sites, other names, static files, errors, and one view in two forms."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.datastructures import Headers

from backedge.web.guarding import from_elsewhere
from backedge.web.people import RIGHTS, Person
from tests.web.kit import client, copied, hosts_in

WEB = files("backedge.web")


@pytest.fixture(scope="module")
def site(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client(copied(shop, tmp_path_factory.mktemp("served"))) as made:
        yield made


def test_every_answer_carries_the_headers(site: TestClient) -> None:
    for path in ("/runs", "/runs.json", "/nowhere", "/static/nothing.js"):
        headers = site.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


CROSSED = [
    ({"sec-fetch-site": "cross-site"}, True),
    ({"sec-fetch-site": "same-site"}, True),
    ({"sec-fetch-site": "same-origin", "origin": "http://evil.example"}, False),
    ({"sec-fetch-site": "none"}, False),
    ({"origin": "http://evil.example", "host": "127.0.0.1:8765"}, True),
    ({"origin": "null", "host": "127.0.0.1:8765"}, True),
    ({"origin": "http://127.0.0.1:9999", "host": "127.0.0.1:8765"}, True),
    ({"origin": "http://127.0.0.1:8765", "host": "127.0.0.1:8765"}, False),
    ({"host": "127.0.0.1:8765"}, False),
]


@pytest.mark.parametrize(("headers", "elsewhere"), CROSSED)
def test_what_another_site_sends_is_told(headers: dict[str, str], elsewhere: bool) -> None:
    assert from_elsewhere("POST", Headers(headers)) is elsewhere
    assert from_elsewhere("GET", Headers(headers)) is False


def test_a_form_of_another_site_changes_nothing(site: TestClient) -> None:
    refused = site.post("/me", data={"name": "ann"}, headers={"sec-fetch-site": "cross-site"})
    assert (refused.status_code, refused.json()["type"]) == (403, "urn:backedge:problem:from_another_site")


def test_a_name_that_points_here_is_refused(site: TestClient) -> None:
    refused = site.get("/runs", headers={"host": "rebound.example:8765"})
    assert (refused.status_code, refused.json()["type"]) == (400, "urn:backedge:problem:unknown_host")
    assert site.get("/runs", headers={"host": "localhost:8765"}).status_code == 200


def test_one_view_in_two_forms(site: TestClient) -> None:
    page, by_path = site.get("/runs"), site.get("/runs.json")
    by_accept = site.get("/runs", headers={"accept": "application/json"})
    assert page.headers["content-type"].startswith("text/html")
    assert by_path.json() == by_accept.json() == {"runs": [], "before": None, "status": "", "workflow": ""}


def test_an_error_is_a_page_or_a_problem(site: TestClient) -> None:
    page, data = site.get("/runs/nosuchrun"), site.get("/runs/nosuchrun.json")
    assert (page.status_code, data.status_code) == (404, 404)
    assert "nosuchrun" in page.text
    assert "<html" in page.text
    assert data.headers["content-type"] == "application/problem+json"
    assert data.json()["type"] == "urn:backedge:problem:not_found"


def test_what_is_sent_wrong_is_told(site: TestClient) -> None:
    assert site.get("/runs.json?limit=0").status_code == 422
    assert "limit" in site.get("/runs.json?limit=many").json()["detail"]


def test_static_files_are_named_by_their_content(site: TestClient) -> None:
    named = re.findall(r'(?:src|href)="(/static/[^"]+)"', site.get("/runs").text)
    assert len(named) >= 5
    for path in named:
        response = site.get(path)
        digest = re.search(r"\.([0-9a-f]{12})\.\w+$", path)
        assert digest is not None
        assert hashlib.sha256(response.content).hexdigest().startswith(digest[1])
        assert "immutable" in response.headers["cache-control"]


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/vendor/manifest.json"])
def test_nothing_else_is_served(site: TestClient, path: str) -> None:
    assert site.get(path).status_code == 404


def test_vendored_files_are_those_of_the_manifest() -> None:
    vendor = WEB / "static" / "vendor"
    listed = json.loads((vendor / "manifest.json").read_text(encoding="utf-8"))
    stored = {entry.name for entry in vendor.iterdir() if entry.name.endswith((".js", ".css"))}
    assert {each["file"] for each in listed} == stored
    for each in listed:
        assert hashlib.sha256((vendor / each["file"]).read_bytes()).hexdigest() == each["sha256"], each["file"]
        assert (vendor / each["licence_file"]).read_text(encoding="utf-8").strip()


def test_no_template_and_no_file_of_ours_names_another_host() -> None:
    templates = [entry for entry in (WEB / "templates").iterdir() if entry.name.endswith(".html")]
    own = [entry for entry in (WEB / "static").iterdir() if entry.name.endswith((".js", ".css"))]
    assert len(templates) > 4
    assert len(own) > 1
    for entry in (*templates, *own):
        text = entry.read_text(encoding="utf-8")
        assert (hosts_in(text), "@import" in text) == (set(), False), entry.name
        assert not re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=|\|\s*safe", text), entry.name


def test_roles_grow() -> None:
    order = [RIGHTS[role] for role in ("viewer", "asker", "reviewer", "approver", "admin")]
    assert all(less < more for less, more in itertools.pairwise(order))


def test_a_person_sees_their_own_runs_and_an_admin_all() -> None:
    bob = Person("bob", ("asker",), "api-key")
    assert (bob.may_see("bob"), bob.may_see("ann")) == (True, False)
    assert Person("ann", ("admin",), "oidc").may_see("bob")
    assert Person("ann", ("admin",), "local").may_see("bob")
    assert not Person("bob", ("admin",), "api-key", scopes=frozenset({"ask"})).may("administer")


def test_a_name_is_chosen_from_the_reviewers(site: TestClient) -> None:
    assert site.get("/me.json").json()["name"] == "ann"
    refused = site.post("/me", data={"name": "mallory"})
    assert refused.status_code == 404

"""Every adapter of the network against every fault: what is brought, or which failure, and that no secret gets out."""

from __future__ import annotations

import asyncio
import dataclasses
import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from backedge.adapters.sources.polite import Bounds
from backedge.evidence.sources import Delivery
from backedge.kernel.defect import Failure, Permanent, RateLimited, Transient
from tests.adapters.sources.asking import CONTACT, IDENTIFIERS, KEYS, go, opened, outcome, usual
from tests.adapters.sources.server import Server, Step
from tests.adapters.sources.shapes import PAGE

pytestmark = pytest.mark.slow

Ends = Literal["brought", "transient", "rate_limited", "permanent"]
SPOKEN = {"message": f"no: key {KEYS['pubmed']}, {KEYS['crossref']}, {KEYS['openalex']} of {CONTACT}"}
HTML = "text/html; charset=utf-8"
BOMB = gzip.compress(bytes(30 << 20), 9)


@dataclass(frozen=True)
class Fault:
    """`step` is what every request is answered with. `but` are adapters to which it means something else."""

    step: Step
    ends: Ends
    wait: float | None = None
    but: Mapping[str, Ends] = field(default_factory=dict)
    quick: bool = False


# a page is no answer of a service, but it is what the address of an article may hold
ANY_PAGE: Mapping[str, Ends] = {"web": "brought"}
# OpenAlex says 403 where others say 429, and the resolver hears of it
TOO_MANY: Mapping[str, Ends] = {"openalex": "rate_limited", "doi": "rate_limited"}


def status(code: int, **headers: str) -> Step:
    return Step(SPOKEN, status=code, headers={name.replace("_", "-"): value for name, value in headers.items()})


def to(location: str, code: int = 302) -> Step:
    return Step(b"", "text/plain", code, {"location": location})


FAULTS: dict[str, Fault] = {
    "404": Fault(status(404), "permanent"),
    "410": Fault(status(410), "permanent"),
    "400": Fault(status(400), "permanent"),
    "401": Fault(status(401), "permanent"),
    "403": Fault(status(403), "permanent", but=TOO_MANY),
    "418": Fault(status(418), "permanent"),
    "304": Fault(Step(b"", status=304), "permanent"),
    "429 with seconds": Fault(status(429, retry_after="7"), "rate_limited", 7.0),
    "429 with a date": Fault(status(429, retry_after="Mon, 30 Nov 2026 12:00:30 GMT"), "rate_limited", 30.0),
    "429 with a date that is past": Fault(
        status(429, retry_after="Mon, 30 Nov 2026 11:00:00 GMT"), "rate_limited", 0.0
    ),
    "429 with nonsense": Fault(status(429, retry_after="²"), "rate_limited"),
    "429 with a century": Fault(status(429, retry_after="9" * 400), "rate_limited", 86_400.0),
    "429 without": Fault(status(429), "rate_limited"),
    "408": Fault(status(408), "transient"),
    "425": Fault(status(425), "transient"),
    "500": Fault(status(500), "transient"),
    "502 with a page": Fault(Step(PAGE, HTML, 502), "transient"),
    "503": Fault(status(503), "transient"),
    "503 with seconds": Fault(status(503, retry_after="7"), "transient", 7.0),
    "504": Fault(status(504), "transient"),
    "time-out": Fault(Step(fault="hang"), "transient", quick=True),
    "slow drip": Fault(Step(b"x" * 1_000, fault="drip"), "transient", quick=True),
    "cut in the middle": Fault(Step({"long": "x" * 50_000}, fault="cut"), "transient"),
    "half JSON": Fault(Step(b'{"message": {"DOI": "10.1'), "transient", but=ANY_PAGE),
    "garbage": Fault(Step(bytes(range(1, 200)) * 5), "transient", but=ANY_PAGE),
    "nested without end": Fault(Step(b"[" * 100_000), "transient", but=ANY_PAGE),
    "JSON that is no answer": Fault(Step(b"[1, 2]"), "transient", but=ANY_PAGE),
    "an object that is no answer": Fault(Step({"hello": ["world"]}), "transient", but=ANY_PAGE),
    "XML that is no answer": Fault(Step("<hello/>", "application/xml"), "transient", but=ANY_PAGE),
    "empty": Fault(Step(b""), "transient"),
    "white space": Fault(Step(b" \n\n "), "transient"),
    "204": Fault(Step(b"", status=204), "permanent"),
    "a page with 200": Fault(Step(PAGE, HTML), "transient", but=ANY_PAGE),
    "a page that says it is JSON": Fault(Step(PAGE), "transient", but=ANY_PAGE),
    "redirect without end": Fault(to("/again"), "permanent"),
    "redirect to this network": Fault(to("http://169.254.169.254/latest/meta-data"), "permanent"),
    "redirect to a private address": Fault(to("https://10.0.0.1/"), "permanent"),
    "redirect to a file": Fault(to("file:///etc/passwd"), "permanent"),
    "redirect with a password": Fault(to("https://a:b@example.org/"), "permanent"),
    "redirect to nowhere": Fault(to("https://[::"), "permanent"),
    "more than the bound": Fault(Step(b"x" * 400_000), "permanent"),
    "more than the bound, and unsaid": Fault(Step(b"x" * 400_000, headers={"content-length": "400000"}), "permanent"),
    "a gzip bomb": Fault(Step(BOMB, headers={"content-encoding": "gzip"}), "permanent"),
    "broken gzip": Fault(Step(b"\x1f\x8b no", headers={"content-encoding": "gzip"}), "transient"),
    "brotli": Fault(Step(b"\x0b\x02", headers={"content-encoding": "br"}), "transient"),
}


def kind_of(result: Delivery | Failure) -> str:
    kinds = {Transient: "transient", RateLimited: "rate_limited", Permanent: "permanent"}
    return "brought" if isinstance(result, Delivery) else kinds[type(result)]


def all_of(result: object) -> str:
    """All that a result holds, to be searched for what must not be in it."""
    if isinstance(result, Failure):
        chain = [str(result.__cause__), str(result.__context__)]
        return " ".join([repr(vars(result)), str(result), *chain])
    assert isinstance(result, Delivery)
    return repr(dataclasses.replace(result, content=b"")) + result.content.decode("latin-1")


async def everybody(server: Server, **instead: Any) -> dict[str, Delivery | Failure]:
    """Ask all adapters at once, each with a client of its own."""
    names = list(IDENTIFIERS)
    asked = [outcome(opened(server, **instead).sources[name].fetch(IDENTIFIERS[name](server))) for name in names]
    return dict(zip(names, await asyncio.gather(*asked), strict=True))


# the same branch of the client as another fault of the table
ALIKE = {
    "410",
    "401",
    "418",
    "408",
    "425",
    "500",
    "504",
    "white space",
    "204",
    "nested without end",
    "redirect to a file",
}
ALIKE |= {
    "a page that says it is JSON",
    "redirect to nowhere",
    "XML that is no answer",
    "more than the bound, and unsaid",
}


@pytest.mark.parametrize(
    "fault", [pytest.param(name, marks=[pytest.mark.slow] if name in ALIKE else []) for name in FAULTS]
)
def test_a_fault_is_the_failure_that_it_is(server: Server, fault: str) -> None:
    told = FAULTS[fault]
    server.play({}, told.step)
    bounds = Bounds(size=300_000 if "bomb" not in fault else 64 << 20, seconds=0.3 if told.quick else 20)
    results = go(everybody(server, bounds=bounds))
    assert {name: kind_of(result) for name, result in results.items()} == {
        name: told.but.get(name, told.ends) for name in IDENTIFIERS
    }
    for name, result in results.items():
        if isinstance(result, Permanent):
            assert result.mend, (name, result.message)
        if isinstance(result, Transient | RateLimited) and told.ends != "permanent":
            assert result.retry_after == told.wait, (name, result.message)
        assert secrets_in(all_of(result)) == [], (name, result)
    assert server.asked


def secrets_in(text: str) -> list[str]:
    hidden = (*KEYS.values(), CONTACT, CONTACT.replace("@", "%40"))
    return [secret for secret in hidden if secret in text]


def test_the_documented_shapes_are_brought(server: Server) -> None:
    results = go(everybody(server))
    assert {name: kind_of(result) for name, result in results.items()} == dict.fromkeys(IDENTIFIERS, "brought")
    assert [name for name, result in results.items() if secrets_in(all_of(result))] == []
    sent = " ".join(f"{dict(asked.query)} {dict(asked.headers)}" for asked in server.asked)
    assert secrets_in(sent)[:4] == [*KEYS.values(), CONTACT]  # they were sent, so that there was something to hide


def test_the_contact_is_told_to_all(server: Server) -> None:
    go(everybody(server))
    agents = {asked.headers["user-agent"] for asked in server.asked}
    assert [agent.endswith(f"(mailto:{CONTACT})") for agent in agents] == [True]


@pytest.mark.parametrize("charset", ["utf-16", "no-such-thing"])
def test_a_charset_that_is_not_so_changes_nothing(server: Server, charset: str) -> None:
    right = go(everybody(server))
    routes = usual(server)
    for path, step in routes.items():
        assert isinstance(step, Step)
        routes[path] = dataclasses.replace(step, kind=f"{step.kind}; charset={charset}")
    server.play(routes)
    assert go(everybody(server)) == right


def test_answers_that_are_packed_are_unpacked(server: Server) -> None:
    right = go(everybody(server))
    packed = {"content-encoding": "gzip"}
    routes = usual(server)
    for path, step in routes.items():
        assert isinstance(step, Step)
        routes[path] = dataclasses.replace(step, body=gzip.compress(step.content), headers=packed)
    server.play(routes)
    assert go(everybody(server)) == right


def test_a_redirect_within_bounds_is_followed(server: Server) -> None:
    routes = usual(server)
    routes["/files/"] = to("/moved/1", 301)
    routes["/moved/1"] = to("2", 307)
    routes["/moved/2"] = Step(b"%PDF-1.7 moved", "application/pdf")
    server.play(routes)
    results = go(everybody(server))
    moved = {name for name, result in results.items() if isinstance(result, Delivery) and b"moved" in result.content}
    assert moved == {"unpaywall", "web"}


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "../../etc/passwd",
        "10.1371/../../x",
        "10.1000/a\r\nHost: evil",
        "10.1000/a b",
        "hep-th/../../x",
        "PMC1/../2",
        "x" * 5_000,
    ],
)
def test_what_is_no_identifier_is_refused_before_anybody_is_asked(server: Server, typed: str) -> None:
    sources = opened(server).sources
    results = {name: go(outcome(sources[name].fetch(typed))) for name in IDENTIFIERS}
    assert {kind_of(result) for result in results.values()} == {"permanent"}
    assert all(isinstance(result, Permanent) and result.mend for result in results.values())
    assert server.asked == []


@pytest.mark.parametrize("suffix", ["a?b=1#c", "s0140-6736(97)11096-0", "a%2Fb", "ünïcode", "a&b;c<d>e", "a//b"])
def test_signs_in_a_doi_never_lead_elsewhere(server: Server, suffix: str) -> None:
    sources = opened(server).sources
    for name in ("crossref", "openalex", "unpaywall"):
        server.play({})
        result = go(outcome(sources[name].fetch(f"10.1000/{suffix}")))
        assert kind_of(result) == "permanent", name
        for asked in server.asked:
            assert asked.path.startswith(f"/{name}/"), asked.path
            assert "/.." not in asked.path
            assert set(asked.query) <= {"mailto", "email", "api_key"}

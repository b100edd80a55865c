"""The one client of the network: paces, rests, bounds, places that it does not ask, secrets that it does not tell."""

from __future__ import annotations

import asyncio
import socket
import ssl
from typing import Any

import httpx2
import pytest

from backedge.adapters.addresses import is_public
from backedge.adapters.sources.polite import Answer, Bounds, Key, Polite, Service, part
from backedge.kernel.defect import Failure, Permanent, RateLimited, Transient
from tests.adapters.sources.server import Server, Step
from tests.kernel.memory import StillClock

KEY, CONTACT = "sekret/12+3", "me+x@uni.example"


def service(server: Server, name: str = "Things", **instead: Any) -> Service:
    told = {"apart": 0.5, "contact": "mailto", "key": "api_key", **instead}
    return Service(name, f"{server.url}/things", **told)


def client(clock: StillClock | None = None, **instead: Any) -> Polite:
    keys = {"Things": Key("THINGS_KEY", KEY)}
    return Polite(clock or StillClock(), CONTACT, instead.pop("keys", keys), loopback=True, **instead)


def asked(polite: Polite, at: Service, path: str = "/a", **params: str) -> Answer | None:
    return asyncio.run(polite.ask(at, path, params))


def failure(polite: Polite, at: Service) -> Failure:
    with pytest.raises(Failure) as caught:
        asked(polite, at)
    return caught.value


def test_requests_are_apart_by_the_clock_alone(server: Server) -> None:
    server.play({"/things": Step(b"{}")})
    clock = StillClock()
    polite, at = client(clock), service(server)

    async def several() -> None:
        for _ in range(3):
            await polite.ask(at, "/a")
        clock.pass_(10)
        await polite.ask(at, "/a")
        await asyncio.gather(*(polite.ask(at, "/a") for _ in range(2)))

    asyncio.run(several())
    assert clock.slept[:2] == [0.5, 0.5]
    assert sum(clock.slept) == pytest.approx(2.0)  # none for the one after a pause; of the two together each its own
    assert len(server.asked) == 6


def test_services_have_paces_of_their_own_and_downloads_keep_those_of_their_hosts(server: Server) -> None:
    server.play({"/": Step(b"{}")})
    clock = StillClock()
    polite, at = client(clock), service(server, apart=7.0)
    other = service(server, name="Others", apart=3.0)

    async def both() -> None:
        await polite.ask(at, "/a")
        await polite.ask(other, "/a")
        assert clock.slept == []
        await polite.download(f"{server.url}/file")
        polite.known(at)
        await polite.download(f"{server.url}/file")

    asyncio.run(both())
    assert clock.slept == [7.0]


def test_only_so_many_requests_are_under_way(server: Server) -> None:
    going, most = 0, 0

    def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    class Counting(Polite):
        async def _sent(self, *told: Any) -> Any:
            nonlocal going, most
            going += 1
            most = max(most, going)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            try:
                return await super()._sent(*told)
            finally:
                going -= 1

    server.play({"/things": Step(b"{}")})
    polite = Counting(StillClock(), resolve=resolve, loopback=True)
    at = service(server, at_once=3, apart=0.0)

    async def many() -> None:
        await asyncio.gather(*(polite.ask(at, "/a") for _ in range(12)))

    asyncio.run(many())
    assert (most, len(server.asked)) == (3, 12)


def test_a_rest_that_is_asked_for_is_kept_by_all(server: Server) -> None:
    server.play({"/things": [Step(b"", status=429, headers={"retry-after": "60"}), Step(b"{}")]})
    clock = StillClock()
    polite, at = client(clock), service(server)
    assert isinstance(failure(polite, at), RateLimited)
    clock.pass_(20)
    again = failure(polite, at)
    assert isinstance(again, RateLimited)
    assert (again.retry_after, len(server.asked)) == (40.0, 1)
    clock.pass_(41)
    assert asked(polite, at) is not None


def test_keys_and_the_contact_are_sent_where_they_belong(server: Server) -> None:
    server.play({"/things": Step(b"{}")})
    asked(client(), service(server), q="x")
    asked(client(), service(server, key="", header="Plus-Token"), q="x")
    by_query, by_header = server.asked
    assert (by_query.query, "plus-token" in by_query.headers) == (
        {"q": "x", "mailto": CONTACT, "api_key": KEY},
        False,
    )
    assert (by_header.query, by_header.headers["plus-token"]) == ({"q": "x", "mailto": CONTACT}, f"Bearer {KEY}")


def test_a_variable_that_is_not_set_is_named(server: Server) -> None:
    caught = failure(client(keys={"Things": Key("THINGS_KEY", " ")}), service(server))
    assert isinstance(caught, Permanent)
    assert ("THINGS_KEY" in caught.mend, server.asked) == (True, [])


@pytest.mark.parametrize(
    "said",
    [
        f"bad key {KEY}",
        "bad key sekret%2F12%2B3",
        "bad key sekret%2f12%2b3",
        "bad key SEKRET/12%2B3",
        "bad mail me%2Bx@uni.example",
        "bad mail Me+X%40uni.example",
        "x" * 192 + KEY,
    ],
)
def test_what_a_server_says_is_told_without_secrets(server: Server, said: str) -> None:
    server.play({"/things": Step({"message": said}, status=400)})
    told = failure(client(), service(server)).message.lower()
    assert not any(piece in told for piece in ("sekret", "uni.example", "me+x", "12+3"))


def test_a_redirect_elsewhere_takes_no_key_along(server: Server) -> None:
    with Server() as other:
        other.play({"/": Step(b"{}")})
        server.play({"/things": Step(b"", status=302, headers={"location": f"{other.url}/b?x=1&x=2&flag="})})
        got = asked(client(), service(server, header="Plus-Token", key=""))
        assert got is not None
        assert ("plus-token" in other.asked[0].headers, got.url) == (False, f"{other.url}/b?x=1&x=2&flag=")
        for location in (f"/f?next=%3Fapi_key%3D{KEY}", "/f/sekret%252F12", "/f?k=sekret%2f12%2B3"):
            other.play({"/": Step(b"{}")})
            server.play({"/things": Step(b"", status=302, headers={"location": other.url + location})})
            if "%252F" in location:
                continue
            assert isinstance(failure(client(), service(server)), Permanent)
            assert other.asked == []


@pytest.mark.parametrize(
    "url", ["http://example.org/a", "ftp://example.org/a", "https://a:b@example.org/", "file:///a", "x"]
)
def test_only_https_addresses_without_passwords_are_asked(url: str) -> None:
    with pytest.raises(Permanent) as caught:
        asyncio.run(Polite(StillClock(), resolve=lambda *_: ["93.184.215.14"]).download(url))
    assert caught.value.mend
    assert ":b@" not in caught.value.message


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "0.0.0.0"],
)
def test_no_private_address_is_asked_whatever_its_name(address: str) -> None:
    assert not is_public(address)
    for found in ([address], ["93.184.215.14", address], []):
        with pytest.raises(Permanent, match="private or local"):
            asyncio.run(Polite(StillClock(), resolve=lambda *_: found).download("https://journal.example/a.pdf"))  # noqa: B023


def test_loopback_opens_nothing_else() -> None:
    with pytest.raises(Permanent, match="private or local"):
        asyncio.run(Polite(StillClock(), loopback=True, resolve=lambda *_: ["10.0.0.1"]).download("http://a.example/"))


def test_the_address_that_was_looked_up_is_the_one_that_is_asked(server: Server) -> None:
    server.play({"/": Step(b"%PDF-1.4", "application/pdf")})
    port = server.url.rpartition(":")[2]
    looked: list[str] = []

    def resolve(host: str, _: int) -> list[str]:
        looked.append(host)
        return ["127.0.0.1"]

    polite = Polite(StillClock(), loopback=True, resolve=resolve)
    assert asyncio.run(polite.download(f"http://journal.example:{port}/a.pdf")) is not None
    assert (looked, server.asked[0].headers["host"]) == (["journal.example"], f"journal.example:{port}")


def test_a_name_that_is_not_found_may_be_found_later() -> None:
    def resolve(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    with pytest.raises(Transient, match="is not found"):
        asyncio.run(Polite(StillClock(), resolve=resolve).download("https://journal.example/"))


def test_a_certificate_that_is_not_believed_is_no_matter_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def sent(self: Polite, *told: Any) -> Any:
        try:
            raise ssl.SSLCertVerificationError("self-signed certificate")
        except ssl.SSLError as error:
            raise httpx2.ConnectError("failed") from error

    monkeypatch.setattr(Polite, "_sent", sent)
    with pytest.raises(Permanent, match="certificate"):
        asyncio.run(Polite(StillClock(), resolve=lambda *_: ["93.184.215.14"]).download("https://journal.example/"))


def test_half_of_what_was_packed_is_no_answer(server: Server) -> None:
    import gzip

    whole = gzip.compress(b"<p>article</p>" * 5_000)
    packed = {"content-encoding": "gzip"}
    for body in (whole[: len(whole) // 2], whole[:-8], whole[:-1]):
        server.play({"/things": Step(body, "text/html", headers=packed)})
        assert isinstance(failure(client(), service(server)), Transient)
    server.play({"/things": Step(whole + gzip.compress(b"more"), "text/html", headers=packed)})
    got = asked(client(), service(server))
    assert got is not None
    assert got.content == b"<p>article</p>" * 5_000 + b"more"


def test_a_bomb_is_refused_before_it_is_unpacked(server: Server) -> None:
    import gzip

    server.play({"/things": Step(gzip.compress(bytes(40 << 20), 9), headers={"content-encoding": "gzip"})})
    caught = failure(client(bounds=Bounds(size=1 << 40, seconds=20)), service(server))
    assert isinstance(caught, Permanent)
    assert "swells" in caught.message


@pytest.mark.parametrize("name", ["..", ".", "", " ", "a\n", "a\x00"])
def test_a_part_of_a_path_that_leads_elsewhere_is_refused(name: str) -> None:
    with pytest.raises(Permanent):
        part(name)
    with pytest.raises(Permanent):
        part(f"a/{name}/b", slashes=True)


def test_parts_of_a_path_are_quoted() -> None:
    assert (part("10.1000/a?b#c d"), part("hep-th/9901001v1", slashes=True)) == (
        "10.1000%2Fa%3Fb%23c%20d",
        "hep-th/9901001v1",
    )

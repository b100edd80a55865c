"""Staleness: what a package rests on that was retracted, superseded or is no longer accepted since."""

from __future__ import annotations

import asyncio

import pytest

from backedge.evidence.inquiry import Package
from backedge.evidence.packages import Packable, package
from backedge.evidence.staleness import stale
from tests.evidence.filed import Filed
from tests.evidence.inquired import assessed, question, record, sufficiency


def of(*keys: str) -> Package:
    packables = [Packable(record(key), assessed(key), True, True, ()) for key in keys]
    return package(question(), packables, sufficiency(), (), 1_000)


def filed() -> Filed:
    found = Filed()
    found.version("s1", "v1", doi="10.1/a")
    found.judged("v1")
    found.stands("r1", "accepted")
    found.stands("r2", "accepted")
    return found


def why(found: Filed, *packages: Package, only: frozenset[str] | None = None) -> tuple[str, ...]:
    return asyncio.run(stale(packages, found.library, only))


def test_nothing_is_stale_where_nothing_changed() -> None:
    assert why(filed(), of("r1", "r2")) == ()
    assert why(filed()) == ()


@pytest.mark.parametrize("status", ["rejected", "in_review", "quarantined", "replaced"])
def test_a_record_that_is_no_longer_accepted(status: str) -> None:
    found = filed()
    found.stands("r1", status, 2)  # type: ignore[arg-type]
    assert why(found, of("r1", "r2")) == (f"record r1 is {status} now",)


def test_a_record_that_is_gone() -> None:
    assert why(filed(), of("r3")) == ("record r3 is unknown now",)


def test_a_source_that_was_retracted_is_named_once_with_its_reason() -> None:
    found = filed()
    found.judged("v1", "retracted", number=2)
    (said,) = why(found, of("r1", "r2"), of("r2"))
    assert ("s1" in said, "retracted" in said) == (True, True)


def test_a_version_that_was_never_judged() -> None:
    found = Filed()
    found.version("s1", "v1")
    found.stands("r1", "accepted")
    (said,) = why(found, of("r1"))
    assert "not judged" in said


def test_a_source_with_a_newer_version() -> None:
    found = filed()
    found.version("s1", "v2", 2, doi="10.1/a")
    (said,) = why(found, of("r1"))
    assert ("newer version" in said, "v2" in said) == (True, True)


def test_only_what_is_cited_is_looked_at() -> None:
    found = filed()
    found.stands("r2", "rejected", 2)
    assert (why(found, of("r1", "r2"), only=frozenset({"r1"})), len(why(found, of("r1", "r2")))) == ((), 1)

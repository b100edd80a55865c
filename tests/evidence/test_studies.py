"""Studies: sources that are not independent of each other have one, by what is stored of them."""

from __future__ import annotations

import asyncio

import pytest

from backedge.evidence.reading import Section
from backedge.evidence.sources import Identifiers, Relation, RelationKind
from backedge.evidence.studies import independent_of, trials_named
from tests.evidence.filed import Filed

BODY = "Rats were used. "


def studies(filed: Filed, *sources: str) -> dict[str, str]:
    return asyncio.run(independent_of(filed.library, filed.contents, sources))


def two(**other: str) -> Filed:
    filed = Filed()
    filed.version("s1", "v1", doi="10.1/a")
    filed.version("s2", "v2", 1, **other or {"doi": "10.1/b"})
    return filed


def test_sources_without_anything_in_common_are_independent() -> None:
    assert studies(two(), "s1", "s2", "s1") == {"s1": "s1", "s2": "s2"}


@pytest.mark.parametrize("kind", ["published_as", "update_of", "correction_of", "part_of"])
def test_a_preprint_and_its_article_are_one_study_whoever_says_so(kind: RelationKind) -> None:
    for says, other in (("s1", "10.1/b"), ("s2", "10.1/a")):
        filed = two()
        filed.related(says, Relation(kind, Identifiers(doi=other)))
        assert studies(filed, "s1", "s2") == {"s1": "s1", "s2": "s1"}


def test_a_comment_is_a_study_of_its_own() -> None:
    filed = two()
    filed.related("s1", Relation("comment_on", Identifiers(doi="10.1/b")))
    assert studies(filed, "s1", "s2") == {"s1": "s1", "s2": "s2"}


def test_one_identifier_in_common_is_one_study() -> None:
    assert studies(two(doi="10.1/a"), "s1", "s2") == {"s1": "s1", "s2": "s1"}


def reports(*texts: tuple[str, str]) -> Filed:
    filed = Filed()

    async def read() -> None:
        for number, (body, references) in enumerate(texts, 1):
            filed.version(f"s{number}", f"v{number}", doi=f"10.1/{number}")
            await filed.text(f"v{number}", ("methods", BODY + body), ("references", references), ("results", BODY))

    asyncio.run(read())
    return filed


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NCT01234567", "NCT 01234567"),
        ("ISRCTN12345678", "ISRCTN 12345678"),
        ("EudraCT number: 2004-000446-20", "EudraCT 2004-000446-20"),
        ("PROSPERO CRD42012345678", "CRD 42012345678"),
        ("ACTRN12605000123606", "actrn12605000123606"),
        ("DRKS00012345", "DRKS00012345."),
    ],
)
def test_two_reports_of_one_registration_are_one_study(one: str, other: str) -> None:
    filed = reports((f"Registered as {one}", "none"), (f"Trial {other}", "none"), ("No trial", "none"))
    assert studies(filed, "s1", "s2", "s3") == {"s1": "s1", "s2": "s1", "s3": "s3"}


def test_a_registration_in_the_references_is_that_of_others() -> None:
    filed = reports(("Registered as NCT01234567", ""), ("Unregistered.", "1. NCT01234567, Lancet."))
    assert studies(filed, "s1", "s2") == {"s1": "s1", "s2": "s2"}


def test_what_stands_behind_the_references_is_read_again() -> None:
    text = "NCT00000001 refs NCT00000002 end NCT00000003"
    sections = [Section("s1", "references", "", 12, 28), Section("s2", "other", "", 0, len(text))]
    assert trials_named(text, sections) == {"NCT00000001", "NCT00000003"}
    assert trials_named(text, sections[1:]) == {"NCT00000001", "NCT00000002", "NCT00000003"}


def test_a_later_version_may_name_the_trial() -> None:
    filed = reports(("Registered as NCT01234567", ""), ("Unregistered.", ""))
    filed.version("s2", "v3", 2, doi="10.1/2")
    asyncio.run(filed.text("v3", ("methods", "Registered as NCT01234567.")))
    assert studies(filed, "s1", "s2") == {"s1": "s1", "s2": "s1"}

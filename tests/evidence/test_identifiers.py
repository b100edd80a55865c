"""Identifiers as people write them: each spelling gives the one it is, and what is none gives nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backedge.evidence.identifiers import arxiv, doi, identified, pmcid, pmid
from backedge.evidence.sources import Identifiers

SICI = "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2"
DOIS = {
    "10.1371/journal.pone.0000217": "10.1371/journal.pone.0000217",
    "10.1371/JOURNAL.pone.0000217": "10.1371/journal.pone.0000217",
    "doi:10.1000/182": "10.1000/182",
    "DOI: 10.1000/182": "10.1000/182",
    "doi 10.1000/182": "10.1000/182",
    "doi10.1000/182": "10.1000/182",
    "doi : 10.1000/182": "10.1000/182",
    "https://doi.org/10.1000/182": "10.1000/182",
    "HTTPS://DOI.ORG/10.1000/182": "10.1000/182",
    "http://dx.doi.org/10.1000/182": "10.1000/182",
    "https://www.doi.org/10.1000/182": "10.1000/182",
    "doi.org/10.1000/182": "10.1000/182",
    "https://doi.org/10.1000/182/": "10.1000/182",
    "https://doi.org/10.1000/182?utm_source=x": "10.1000/182",
    "https://doi.org/10.1000/182#abstract": "10.1000/182",
    "doi:https://doi.org/10.1000/182": "10.1000/182",
    "https://doi.org/doi:10.1000/182": "10.1000/182",
    "info:doi/10.1000/182": "10.1000/182",
    "urn:doi:10.1000/182": "10.1000/182",
    "<10.1000/182>": "10.1000/182",
    "<https://doi.org/10.1000/182>": "10.1000/182",
    "(doi:10.1000/182)": "10.1000/182",
    "(10.1000/182).": "10.1000/182",
    "[10.1000/182]": "10.1000/182",
    '"10.1000/182"': "10.1000/182",
    "“10.1000/182”,": "10.1000/182",
    "10.1000/182.": "10.1000/182",
    "10.1000/182;": "10.1000/182",
    "10.1000/182?": "10.1000/182",
    " \t10.1000/182\r\n": "10.1000/182",
    "\ufeff10.1000/182\u200b": "10.1000/182",
    "10.1000.10/123": "10.1000.10/123",
    "10.123456789/x": "10.123456789/x",
    "10.1016/S0140-6736(97)11096-0": "10.1016/s0140-6736(97)11096-0",
    "10.1016/S0140-6736(97)11096-0)": "10.1016/s0140-6736(97)11096-0",
    "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2": SICI,
    "10.1002/(SICI)1097-0258(19980815/30)17:15/16%3C1661::AID-SIM968%3E3.0.CO;2-2": SICI,
    "10.1002/(SICI)1097-0258(19980815/30)17:15/16&lt;1661::AID-SIM968&gt;3.0.CO;2-2": SICI,
    "https://doi.org/10.1002/(SICI)1097-0258(19980815/30)17:15/16%3C1661%3A%3AAID-SIM968%3E3.0.CO%3B2-2": SICI,
    "10.1002/(SICI)1<2::AID-A>3.0.CO;2-#": "10.1002/(sici)1<2::aid-a>3.0.co;2-#",
    "https://doi.org/10.1002/(SICI)1<2::AID-A>3.0.CO;2-#": "10.1002/(sici)1<2::aid-a>3.0.co;2-#",
    "https://doi.org/10.1002/(SICI)1<2::AID-A>3.0.CO;2-%23": "10.1002/(sici)1<2::aid-a>3.0.co;2-#",
    "10.1000%2F182": "10.1000/182",
    "https://doi.org/10.1000%2f182": "10.1000/182",
    "10.1000/ÄÖ.Ä": "10.1000/ÄÖ.Ä",
    "10.1101/2020.01.01.123456v1": "10.1101/2020.01.01.123456v1",
    "10.48550/arXiv.2101.00001": "10.48550/arxiv.2101.00001",
    "10.1000/a..b": "10.1000/a..b",
}
NO_DOIS = (
    "",
    " ",
    "10.1000",
    "10.1000/",
    "10.100/x",
    "10.1234567890/x",
    "11.1000/x",
    "x10.1000/182",
    "see 10.1000/182",
    "10.1000/a b",
    "10.1000/a 10.1000/b",
    "10.1000/a\nb",
    "10.1000/a\r\nHost: x",
    "10.1000/a%0d%0ab",
    "10.1000/a%20b",
    "10.1000/a\x00b",
    "10.1000/a%00b",
    "10.1000/a\u202eb",
    "10.1000/../etc",
    "10.1000/a/../../b",
    "10.1000/..",
    "10.1000/./a",
    "10.1000/%2e%2e/a",
    "10.1000/%252e%252e/a",
    "10.1000/a%2",
    "10.1000/a\\b",
    "10.1000/a?b=c",
    "10.1000/%ff",
    "https://example.org/10.1000/182",
    "https://doi.org@example.org/10.1000/182",
    "https://example.org/doi.org/10.1000/182",
    "https://doi.org.example.org/10.1000/182",
    "ftp://doi.org/10.1000/182",
    "１０.1000/182",
    "10.1000/" + "a" * 3_000,
)
PMIDS = {
    "PMID: 123": "123",
    "pmid:123": "123",
    "PMID 123": "123",
    "PMID123": "123",
    "PMID: 00123": "123",
    "PubMed ID: 123": "123",
    "33759656": "33759656",
    " 33759656. ": "33759656",
    "https://pubmed.ncbi.nlm.nih.gov/33759656": "33759656",
    "https://pubmed.ncbi.nlm.nih.gov/33759656/": "33759656",
    "https://pubmed.ncbi.nlm.nih.gov/33759656/?from=x#y": "33759656",
    "pubmed.ncbi.nlm.nih.gov/33759656": "33759656",
    "http://www.ncbi.nlm.nih.gov/pubmed/33759656": "33759656",
    "https://europepmc.org/article/MED/33759656": "33759656",
    "https://europepmc.org/abstract/med/33759656": "33759656",
    "(PMID: 123)": "123",
}
NO_PMIDS = (
    *("", "0", "PMID: 0", "123456789", "PMID: 12a", "12.3", "PMID: 123 456", "１２３４５", "PMC123", "-123"),
    "https://pubmed.ncbi.nlm.nih.gov/33759656/?x=a\x00b",
    "https://pubmed.ncbi.nlm.nih.gov/33759656/?x=\r\nHost:y",
    "https://pubmed.ncbi.nlm.nih.gov/?term=33759656",
    "https://pubmed.ncbi.nlm.nih.gov.example.org/123456",
)
PMCIDS = {
    "PMC123": "PMC123",
    "pmc123": "PMC123",
    "PMCID: PMC123": "PMC123",
    "PMCID: 123": "PMC123",
    "PMC 123": "PMC123",
    "PMC0123": "PMC123",
    "PMC7610926.1": "PMC7610926",
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC7610926/": "PMC7610926",
    "https://pmc.ncbi.nlm.nih.gov/articles/PMC7610926/table/T2": "PMC7610926",
    "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7610926/pdf/x.pdf": "PMC7610926",
    "https://www.ncbi.nlm.nih.gov/pmc/articles/7610926": "PMC7610926",
    "https://europepmc.org/article/PMC/PMC7610926": "PMC7610926",
    "https://europepmc.org/articles/PMC7610926": "PMC7610926",
    "PMC123.": "PMC123",
}
NO_PMCIDS = (
    "",
    "123",
    "PMC",
    "PMC0",
    "PMC12a",
    "PMID: 123",
    "https://example.org/pmc/articles/PMC123",
    "PMC1234567890",
)
ARXIVS = {
    "2101.00001": ("2101.00001", ""),
    "2101.00001v2": ("2101.00001", "v2"),
    "arXiv:2101.00001v12": ("2101.00001", "v12"),
    "ARXIV: 2101.00001V2": ("2101.00001", "v2"),
    "arXiv:0704.0001": ("0704.0001", ""),
    "1412.9999": ("1412.9999", ""),
    "1501.00001": ("1501.00001", ""),
    "hep-th/9901001": ("hep-th/9901001", ""),
    "arXiv:hep-th/9901001v2": ("hep-th/9901001", "v2"),
    "HEP-TH/9901001": ("hep-th/9901001", ""),
    "math.GT/0309136": ("math/0309136", ""),
    "cond-mat.mes-hall/0309136v1": ("cond-mat/0309136", "v1"),
    "https://arxiv.org/abs/2101.00001v3": ("2101.00001", "v3"),
    "http://arxiv.org/abs/hep-th/9901001": ("hep-th/9901001", ""),
    "https://arxiv.org/pdf/2101.00001v3.pdf": ("2101.00001", "v3"),
    "https://export.arxiv.org/abs/2101.00001": ("2101.00001", ""),
    "https://arxiv.org/html/2101.00001v1#S2": ("2101.00001", "v1"),
    "https://ar5iv.org/abs/2101.00001": ("2101.00001", ""),
    "10.48550/arXiv.2101.00001": ("2101.00001", ""),
    "arXiv:2101.00001v2 [cs.CL] 1 Jan 2021": ("2101.00001", "v2"),
    "[arXiv:2101.00001]": ("2101.00001", ""),
}
NO_ARXIVS = (
    *(
        "",
        "2113.00001",
        "2100.00001",
        "0703.0001",
        "1501.0001",
        "1412.00001",
        "2101.000001",
        "12.3",
        "2101.00001v0",
    ),
    "2101.00001 [cs.CL] a\x00b",
    "foo/9901001",
    "hep-th/9913001",
    "hep-th/990100",
    "https://example.org/abs/2101.00001",
    "2101.00001/../x v",
)


def test_the_tables_are_large_enough() -> None:
    tables = (DOIS, NO_DOIS, PMIDS, NO_PMIDS, PMCIDS, NO_PMCIDS, ARXIVS, NO_ARXIVS)
    assert sum(map(len, tables)) >= 120


@pytest.mark.parametrize(("text", "expected"), DOIS.items())
def test_a_doi_is_read(text: str, expected: str) -> None:
    assert doi(text) == expected
    assert doi(expected) == expected, "a normalised one stays as it is"
    assert identified(text).doi == expected


@pytest.mark.parametrize("text", NO_DOIS)
def test_what_is_no_doi_is_none(text: str) -> None:
    assert doi(text) == ""


@pytest.mark.parametrize(("text", "expected"), PMIDS.items())
def test_a_pmid_is_read(text: str, expected: str) -> None:
    assert pmid(text) == expected
    assert identified(text) == Identifiers(pmid=expected)


@pytest.mark.parametrize("text", NO_PMIDS)
def test_what_is_no_pmid_is_none(text: str) -> None:
    assert pmid(text) == ""


@pytest.mark.parametrize(("text", "expected"), PMCIDS.items())
def test_a_pmcid_is_read(text: str, expected: str) -> None:
    assert (pmcid(text), pmcid(expected)) == (expected, expected)
    assert identified(text) == Identifiers(pmcid=expected)


@pytest.mark.parametrize("text", NO_PMCIDS)
def test_what_is_no_pmcid_is_none(text: str) -> None:
    assert pmcid(text) == ""


@pytest.mark.parametrize(("text", "expected"), ARXIVS.items())
def test_an_arxiv_number_is_read(text: str, expected: tuple[str, str]) -> None:
    assert arxiv(text) == expected
    assert arxiv("".join(expected)) == expected
    assert identified(text).arxiv == expected[0]


@pytest.mark.parametrize("text", NO_ARXIVS)
def test_what_is_no_arxiv_number_is_none(text: str) -> None:
    assert arxiv(text) == ("", "")


@pytest.mark.parametrize("text", ["2020", "1998", "12", "0", "10.1000/182 PMID: 12345", "PMID: 1; PMC2", "Smith 2020"])
def test_what_names_nothing_or_several_names_nothing(text: str) -> None:
    assert not identified(text)


def test_the_doi_of_an_arxiv_number_names_it_too() -> None:
    both = Identifiers(doi="10.48550/arxiv.2101.00001", arxiv="2101.00001")
    assert identified("https://doi.org/10.48550/arXiv.2101.00001") == both


@pytest.mark.slow
@given(st.text(max_size=60) | st.from_regex(r"(doi:)?10\.[0-9]{4}/\S{1,20}", fullmatch=True))
def test_whatever_is_read_reads_the_same_again(text: str) -> None:
    found = identified(text)
    for value in (found.doi, found.pmcid):
        assert all(letter.isprintable() and letter not in ' \\?"' for letter in value)
        assert "/../" not in value
    assert doi(found.doi) == found.doi
    assert pmcid(found.pmcid) == found.pmcid
    assert arxiv(found.arxiv)[0] == found.arxiv
    assert pmid(found.pmid) == found.pmid

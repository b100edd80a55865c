"""Which adapter a typed identifier is for, and that nothing is opened before it is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from backedge.adapters.sources import pubmed
from backedge.adapters.sources.connected import SERVICES, connected
from backedge.adapters.sources.opening import REGISTRIES, network, spelled, which
from backedge.adapters.sources.polite import Polite
from backedge.assembling.opening_evidence import open_evidence
from backedge.evidence.source_names import NETWORK, SEARCHABLE
from backedge.evidence.sources import Identifiers
from backedge.kernel.defect import Permanent
from tests.adapters.sources.asking import described, go
from tests.kernel.memory import StillClock


@pytest.mark.parametrize(
    ("typed", "adapter", "one"),
    [
        ("10.1371/journal.pone.0000217", "doi", "doi:10.1371/journal.pone.0000217"),
        (" DOI: 10.1371/Journal.pone.0000217 ", "doi", "doi:10.1371/journal.pone.0000217"),
        ("https://doi.org/10.1371/journal.pone.0000217", "doi", "doi:10.1371/journal.pone.0000217"),
        ("PMID: 31031480", "doi", "pmid:31031480"),
        ("https://pubmed.ncbi.nlm.nih.gov/31031480/", "doi", "pmid:31031480"),
        ("pmc1790863", "doi", "pmcid:PMC1790863"),
        ("arXiv:2301.00001v2", "arxiv", "arxiv:2301.00001v2"),
        ("https://arxiv.org/pdf/2301.00001v2.pdf", "arxiv", "arxiv:2301.00001v2"),
        ("10.48550/arXiv.2301.00001", "arxiv", "arxiv:2301.00001"),
        ("hep-th/9901001", "arxiv", "arxiv:hep-th/9901001"),
        ("ppr179288", "europepmc", "PPR179288"),
        ("https://journal.example/a.pdf?x=1", "web", "https://journal.example/a.pdf?x=1"),
        ("http://journal.example/a", "web", "http://journal.example/a"),
        ("ftp://journal.example/a", "", "ftp://journal.example/a"),
        ("papers/a.pdf", "", "papers/a.pdf"),
        ("", "", ""),
        ("10.1371/../../etc", "", "10.1371/../../etc"),
    ],
)
def test_an_identifier_is_for_one_adapter_and_has_one_spelling(typed: str, adapter: str, one: str) -> None:
    assert (which(typed), spelled(typed)) == (adapter, one)
    assert which(one) == adapter
    assert spelled(one) == one


def test_the_names_that_are_told_before_opening_are_those_that_there_are() -> None:
    made = connected(Polite(StillClock()), described, frozenset())
    told = network({}, StillClock(), "", described, {})
    assert set(made.sources) == set(NETWORK) == set(told.sources)
    assert set(made.searchable) == set(SEARCHABLE) == set(told.searchable)
    assert set(made.registries) == set(REGISTRIES) == {registry.name for registry in told.registries}


def test_a_key_of_pubmed_quickens_it() -> None:
    assert SERVICES["pubmed"].apart == pytest.approx(1 / 3)
    assert pytest.approx(0.1) == pubmed.APART_WITH_KEY
    quick = connected(Polite(StillClock()), described, frozenset({"pubmed"})).sources["pubmed"]
    assert vars(quick)["_service"].apart == pubmed.APART_WITH_KEY


def test_a_key_is_read_from_the_variable_that_is_named() -> None:
    told = network({"OTHER": "x"}, StillClock(), "", described, {"crossref": "PLUS_TOKEN"})
    with pytest.raises(Permanent, match="PLUS_TOKEN"):
        go(told.sources["crossref"].fetch("10.1000/x"))


def test_opening_imports_no_library_of_the_network() -> None:
    code = "import backedge.adapters.sources.opening, sys; print([m for m in ('httpx2', 'lxml') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_project_has_the_network_and_its_file_of_retractions(tmp_path: Path) -> None:
    (tmp_path / "evidence.yml").write_text("contact: team@lab.example\nkeys: {pubmed: NCBI_API_KEY}\n")
    (tmp_path / "retraction_watch.csv").write_text("no such file\n")
    app = open_evidence(tmp_path, environment={})

    async def named() -> list[tuple[str, str]]:
        found = await app.named(["10.1000/X", "doi:10.1000/x", "arXiv:2301.00001"])
        return [(asked.adapter, asked.identifier) for asked in found.asked]

    async def told() -> tuple[list[tuple[str, str]], str]:
        try:
            ports = vars(app.driver)["_workflows"]["refresh"].ports
            with pytest.raises(Permanent, match="no column") as caught:
                await ports.registries[0].status([Identifiers(doi="10.1000/x")])
            with pytest.raises(Permanent, match="no file here and no identifier"):
                app.registered("10.1000")
            return await named(), caught.value.mend
        finally:
            await app.close()

    asked, mend = go(told())
    assert asked == [("doi", "doi:10.1000/x"), ("arxiv", "arxiv:2301.00001")]
    assert "retraction_watch.csv" in mend

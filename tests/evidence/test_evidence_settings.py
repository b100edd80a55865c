"""What `evidence.yml` says reaches what it is said for: units, bounds, sources and tables, in a project opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from backedge.assembling.evidence import Asked, EvidenceApp
from backedge.assembling.evidence_models import EvidenceModels
from backedge.assembling.investigating import Investigations
from backedge.assembling.investigation_models import all_models
from backedge.assembling.opening_evidence import open_evidence
from backedge.evidence import kinds
from backedge.evidence.designs import CriterionRow
from backedge.evidence.facet_rules import placed_facets
from backedge.evidence.facets import FACETS
from backedge.evidence.ingest.stages.measure import propose
from backedge.evidence.ingest.states import Measuring
from backedge.evidence.investigate.ports import SaidFacet
from backedge.evidence.records import Measurement
from backedge.evidence.sources import Wanted
from backedge.evidence.units import STANDARD
from backedge.kernel.budget import Limits
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import Lesson
from tests.evidence.outside import Counts
from tests.evidence.shelf import go

UNITS = "units: [{spelling: bpm, unit: beats/min}]\n"
ROWS = "name,value,unit\nheart rate,410,bpm\n"


@contextmanager
def opened(folder: Path, evidence: str) -> Iterator[EvidenceApp]:
    (folder / "evidence.yml").write_text(evidence, encoding="utf-8")
    app = open_evidence(folder, environment={}, models=EvidenceModels(), embedder=Counts())
    try:
        yield app
    finally:
        go(app.close())


def ports(app: EvidenceApp, workflow: str) -> Any:
    return vars(app.driver)["_workflows"][workflow].ports


def ingested(app: EvidenceApp, name: str, text: str) -> Measurement:
    """A file is ingested; its one measurement."""
    (app.project.root / name).write_text(text, encoding="utf-8")
    asked = go(app.named([name])).asked
    (run,) = go(app.begin(asked, by="ann"))
    go(app.drive_all([run], lambda told: None))
    by_version = {each.version: each.measurements for each in go(app.library.all(kinds.MEASUREMENTS))}
    return next(one for (one,) in by_version.values() if one.name in text)


def test_a_spelling_of_the_project_makes_a_measurement_valid_which_keeps_the_version_of_its_table(
    tmp_path: Path,
) -> None:
    with opened(tmp_path, UNITS) as app:
        first, mine = ingested(app, "a.csv", ROWS), app.project.units.version
    assert (first.unit, first.valid, first.table, mine != STANDARD.version) == ("bpm", True, mine, True)
    with opened(tmp_path, "{}\n") as app:
        assert ingested(app, "a.csv", ROWS) == first
        other = ingested(app, "b.csv", ROWS.replace("heart", "pulse"))
    assert (other.valid, other.reason) == (False, "the unit table does not have `bpm`")
    assert other.table == STANDARD.version


def test_what_was_measured_is_not_measured_again_though_the_table_is_another(tmp_path: Path) -> None:
    with opened(tmp_path, UNITS) as app:
        first = ingested(app, "a.csv", ROWS)
    with opened(tmp_path, "{}\n") as app:
        (version,) = go(app.library.all(kinds.VERSION))
        wanted = Wanted("file", "a.csv", "again", "ann")
        assert go(propose(Measuring(wanted, version), ports(app, "ingest"), Lesson())).measurements == (first,)


def test_bounds_reach_the_runs_and_the_ports(tmp_path: Path) -> None:
    said = (
        "budgets: {run: {steps: 7, tokens: 900}, package_tokens: 500, records_per_question: 3, ingested_per_round: 1}\n"
    )
    with opened(tmp_path, said) as app:
        started = go(app.driver.load(go(Investigations(app).start("Does it help?", by="ann"))))
        inquire, investigate = ports(app, "inquire"), ports(app, "investigate")
    assert started.limits == Limits(7, 900)
    assert investigate.package_tokens == 500
    assert (inquire.records_per_question, inquire.ingested_at_most) == (3, 1)


def test_a_retry_has_the_bounds_that_hold_then(tmp_path: Path) -> None:
    with opened(tmp_path, "budgets: {run: {steps: 7}}\n") as app:
        run = go(Investigations(app).start("Does it help?", by="ann"))
        assert go(Investigations(app).drive(run)).stopped is not None
    with opened(tmp_path, "budgets: {run: {steps: 9}}\n") as app:
        go(Investigations(app).retry(go(app.driver.load(run)), by="ann"))
        assert go(app.driver.load(run)).limits == Limits(9)


def test_inquiries_search_what_is_named_and_nothing_beside_the_library_else(tmp_path: Path) -> None:
    with opened(tmp_path, "{}\n") as app:
        assert ports(app, "inquire").searchable == {}
        assert "pubmed" in ports(app, "ingest").sources
    with opened(tmp_path, "sources: {search: [pubmed, arxiv]}\n") as app:
        assert {name: each.name for name, each in ports(app, "inquire").searchable.items()} == {
            "pubmed": "pubmed",
            "arxiv": "arxiv",
        }


def test_an_adapter_that_is_left_out_is_refused_however_the_source_is_named(tmp_path: Path) -> None:
    with opened(tmp_path, "sources: {ingest: [file, europepmc]}\n") as app:
        assert app.registered("europepmc:PPR1") == Asked("europepmc", "PPR1")
        for typed in (
            "10.1000/x",
            "pubmed:31031480",
            "doi:10.1000/x",
            "https://journal.example/a",
            "sql:local:SELECT 1",
        ):
            with pytest.raises(Permanent, match=r"`sources\.ingest` of evidence\.yml leaves out") as refused:
                app.registered(typed)
            assert "file, europepmc" in refused.value.mend
        assert set(ports(app, "ingest").sources) == {"file", "europepmc"}
    (tmp_path / "a.csv").write_text(ROWS, encoding="utf-8")
    with opened(tmp_path, "sources: {ingest: [doi]}\n") as app, pytest.raises(Permanent, match="leaves out `file`"):
        go(app.named(["a.csv"]))


def test_tables_of_the_project_reach_ports_and_agents(tmp_path: Path) -> None:
    said = """models: {request: "anthropic:claude-sonnet-4-6", design: "anthropic:claude-sonnet-4-6"}
facets: {timing: {asks: when it BEGINS, importance: mandatory}}
criteria: {cost: what the FACILITY charges}
sections: {ethics: Ethics and PERMITS}
"""
    with opened(tmp_path, said) as app:
        tables = ports(app, "investigate").tables
        made = all_models(app.project, {"ANTHROPIC_API_KEY": "x"})
    assert tables.criterion("cost") == CriterionRow("cost", "what the FACILITY charges")
    assert made.requests is not None
    assert made.designs is not None
    assert "`timing` (mandatory): when it BEGINS" in str(made.requests.settings)
    assert all(text in str(made.designs.settings) for text in ("what the FACILITY charges", "Ethics and PERMITS"))
    placed = placed_facets("x", [SaidFacet(row.name, "optional", ()) for row in FACETS], tables)
    usual = placed_facets("x", [SaidFacet(row.name, "optional", ()) for row in FACETS])
    raised = [one.name for one, other in zip(placed, usual, strict=True) if one.importance != other.importance]
    assert (raised, placed[6].importance) == (["timing"], "mandatory")

"""The crate of an investigation: every file by its hash, and provenance from the approval back to the request."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from prov.model import ProvDocument
from rocrate.rocrate import ROCrate

from backedge.assembling.investigation_crate import FILES, investigation_crate
from backedge.evidence import inquiry_kinds, kinds
from backedge.evidence.kinds import Kind
from backedge.kernel.defect import Permanent
from tests.evidence.investigated import KEY, REQUEST, Investigated, approved, record_of
from tests.evidence.outside import NAUSEA
from tests.evidence.shelf import go


def crate_of(shelf: Investigated, out: Path, **how: Any) -> Path:
    go(investigation_crate(shelf.app, KEY, out, **how))
    return out


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rows(folder: Path, name: str) -> list[Any]:
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


@pytest.fixture(scope="module")
def crate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return crate_of(approved(), tmp_path_factory.mktemp("crates") / "crate")


def test_every_kind_of_an_investigation_is_exported() -> None:
    known = {found.name for found in vars(inquiry_kinds).values() if isinstance(found, Kind)}
    assert {kind.name for _, kind, _ in FILES} == known


def test_every_file_is_listed_with_its_hash(crate: Path) -> None:
    listed = {entity.id: entity for entity in ROCrate(str(crate)).data_entities}
    found = {name: content for name, content in files(crate).items() if name != "ro-crate-metadata.json"}
    assert set(listed) == set(found)
    assert {listed[name]["sha256"] for name in found} == {hashlib.sha256(c).hexdigest() for c in found.values()}
    assert len(found) > 25


def test_what_was_asked_and_decided_is_in_it(crate: Path) -> None:
    request = json.loads((crate / "request.json").read_text())
    assert (request["text"], request["by"]) == (REQUEST, "ann")
    counted = {name: len(rows(crate, name)) for name in ("facets.jsonl", "facet-changes.jsonl", "executions.jsonl")}
    assert counted == {"facets.jsonl": 6, "facet-changes.jsonl": 5, "executions.jsonl": 3}
    (decision,) = rows(crate, "approach-decisions.jsonl")
    assert decision["body"]["decision"]["rejected"] == [["b", "it costs more"]]
    assert [row["body"]["approval"]["approved"] for row in rows(crate, "approvals.jsonl")] == [False, True]
    assert [row["body"]["execution"]["snapshot"]["index"] for row in rows(crate, "executions.jsonl")] == ["memory"] * 3
    assert "PROPOSAL – not approved" in (crate / "design-1.md").read_text()
    assert "Approved by rita" in (crate / "design-2.md").read_text()


def test_each_record_names_the_text_and_the_text_is_there(crate: Path) -> None:
    checked = 0
    for record in rows(crate, "records.jsonl"):
        for target in (target for quotation in record["quotations"] for target in quotation["targets"]):
            text = (crate / "contents" / target["source"].removeprefix("urn:sha256:")).read_text()
            place, quote = target["selector"]
            assert text[place["start"] : place["end"]] == quote["exact"]
            checked += 1
    assert checked == 2


def test_the_provenance_leads_from_the_approval_to_the_request_and_the_versions(crate: Path) -> None:
    text = (crate / "provenance.json").read_text()
    ProvDocument.deserialize(content=text, format="json")
    graph = json.loads(text)
    led: dict[str, set[str]] = {}
    for each in graph["wasDerivedFrom"].values():
        led.setdefault(each["prov:generatedEntity"], set()).add(each["prov:usedEntity"])
    reached, queue = set(), [f"be:approval-{KEY}%2F000002"]
    while queue:
        reached.add(here := queue.pop())
        queue += [each for each in led.get(here, ()) if each not in reached]
    names = {name.removeprefix("be:").split("-")[0] for name in reached}
    wanted = "approval design approach_decision candidates package sufficiency assessment questions facets request"
    assert set(wanted.split()) | {"facet_change", "record", "version"} <= names
    assert {name for name in graph["entity"] if name.startswith(("be:version", "be:request"))} <= reached
    hashes = [body.get("be:sha256", "") for name, body in graph["entity"].items() if name.startswith("be:design-")]
    assert [len(found) for found in hashes] == [64, 64]
    by = {each["prov:entity"]: each["prov:agent"] for each in graph["wasAttributedTo"].values()}
    assert (by[f"be:approval-{KEY}%2F000002"], by[f"be:request-{KEY}"]) == ("be:person-rita", "be:person-ann")


def test_every_entity_was_made_by_a_run_that_is_an_activity(crate: Path) -> None:
    graph = json.loads((crate / "provenance.json").read_text())
    made = {each["prov:entity"]: each["prov:activity"] for each in graph["wasGeneratedBy"].values()}
    assert set(graph["entity"]) - set(made) == {f"be:request-{KEY}"}
    assert set(made.values()) <= set(graph["activity"])
    started = [each["prov:starter"] for each in graph["wasStartedBy"].values()]
    assert {f"be:run-{KEY}", "be:run-run1", "be:run-run2"} <= set(started)
    stages = {body["prov:label"].partition(",")[0] for body in graph["activity"].values()}
    assert {"ExtractingFacets", "Planning", "Assessing", "Designing", "AwaitingApproval", "Verifying"} <= stages


def test_the_same_store_gives_the_same_bytes(crate: Path, tmp_path: Path) -> None:
    assert files(crate_of(approved(), tmp_path / "again")) == files(crate)


def test_what_the_investigation_does_not_use_is_not_in_it(tmp_path: Path) -> None:
    shelf = approved()
    shelf.ingest("c")
    assert len({version.content for version in shelf.all(kinds.VERSION)}) == 3
    out = crate_of(shelf, tmp_path / "crate")
    assert len(rows(out, "versions.jsonl")) == 2
    assert "run11" not in (out / "provenance.json").read_text()


def test_a_source_that_was_restricted_since_is_said_and_its_content_is_not_handed_on(tmp_path: Path) -> None:
    shelf = approved()
    version = next(r.version for r in shelf.all(kinds.RECORD) if r.key == record_of(shelf, NAUSEA))
    source = next(v.source for v in shelf.all(kinds.VERSION) if v.content == version)
    shelf.restrict(source, "the licence ended")
    out = crate_of(shelf, tmp_path / "crate")
    assert version not in {path.name for path in (out / "contents").iterdir()}
    assert "may not be used now: restricted" in json.loads((out / "design-2.json").read_text())["stale"][0]
    text = (out / "provenance.json").read_text()
    assert '"be:workflow": "restrict"' in text


def test_nothing_is_overwritten_that_is_no_crate(crate: Path, tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="holds a crate already"):
        crate_of(approved(), crate)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(Permanent, match="holds other files"):
        crate_of(approved(), tmp_path, force=True)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    with pytest.raises(Permanent, match="is no investigation"):
        go(investigation_crate(approved().app, "run1", tmp_path / "x"))

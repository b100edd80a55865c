"""`backedge export`, on the evidence demo: what is written, that it is read back whole, and what is never handed on."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from prov.model import ProvDocument
from rocrate.rocrate import ROCrate

from tests.cli.evidence_commands import run, told

pytestmark = pytest.mark.slow


def crate_of(project: Path, out: Path, *words: str) -> Path:
    done = run("export", "--format", "ro-crate", "--out", str(out), *words, project=project)
    assert done.exit_code == 0, done.output
    return out


@pytest.fixture(scope="module")
def crate(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return crate_of(made, tmp_path_factory.mktemp("exports") / "crate", "--only", "all")


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_span_is_what_stands_in_the_text_that_it_names(crate: Path) -> None:
    checked = 0
    for record in lines((crate / "records.jsonl").read_text()):
        for quotation in record["quotations"]:
            for target in quotation["targets"]:
                text = (crate / "contents" / target["source"].removeprefix("urn:sha256:")).read_text()
                place, quote = target["selector"]
                assert (place["type"], quote["type"]) == ("TextPositionSelector", "TextQuoteSelector")
                assert text[place["start"] : place["end"]] == quote["exact"]
                before, after = text[: place["start"]], text[place["end"] :]
                assert before.endswith(quote["prefix"])
                assert after.startswith(quote["suffix"])
                checked += 1
    assert checked > 4


def test_the_crate_is_read_back_with_the_hash_of_every_file(crate: Path) -> None:
    read = ROCrate(str(crate))
    listed = {entity.id: entity for entity in read.data_entities}
    assert set(listed) == set(files(crate)) - {"ro-crate-metadata.json"}
    for name, content in files(crate).items():
        if name != "ro-crate-metadata.json":
            assert listed[name]["sha256"] == hashlib.sha256(content).hexdigest()
            assert listed[name]["contentSize"] == str(len(content))
    sources = [entity for entity in read.contextual_entities if entity.type == "ScholarlyArticle"]
    assert len(sources) == len(read.root_dataset["mentions"]) == 4
    assert sorted(source["creativeWorkStatus"] for source in sources)[2:] == [
        "may not be used: notice, notice, notice",
        "may not be used: retracted",
    ]


def test_the_provenance_is_read_back_and_leads_from_every_record_to_its_version_and_model(crate: Path) -> None:
    text = (crate / "provenance.json").read_text()
    read = ProvDocument.deserialize(content=text, format="json")
    graph = json.loads(text)
    kept = {kind: len(found) for kind, found in graph.items() if kind != "prefix"}
    again = json.loads(read.serialize(format="json") or "")
    assert {kind: len(again[kind]) for kind in kept} == kept
    assert (again["entity"], again["agent"]) == (graph["entity"], graph["agent"])
    derived = {d["prov:generatedEntity"]: d["prov:usedEntity"] for d in graph["wasDerivedFrom"].values()}
    generated = {g["prov:entity"]: g["prov:activity"] for g in graph["wasGeneratedBy"].values()}
    started = {s["prov:activity"]: s["prov:starter"] for s in graph["wasStartedBy"].values()}
    models = {
        started.get(a["prov:activity"])
        for a in graph["wasAssociatedWith"].values()
        if a["prov:agent"].startswith("be:model-")
    }
    records = lines((crate / "records.jsonl").read_text())
    for record in records:
        entity = f"be:record-{record['key']}"
        assert derived[entity] == f"be:version-{record['version']}"
        assert generated[entity] in models
        assert generated[derived[entity]] in graph["activity"]
    assert len(records) == 6
    (model,) = [agent for name, agent in graph["agent"].items() if name.startswith("be:model-")]
    assert (model["be:vendor"], model["be:model"]) == ("recorded", "scripted:story")
    assert set(generated) <= set(graph["entity"])
    assert set(generated.values()) | set(started.values()) <= set(graph["activity"])
    assert "Velorin lowered fasting glucose by 2.7" not in text  # what a model was told of a refusal


def test_the_same_store_gives_the_same_bytes(made: Path, crate: Path, tmp_path: Path) -> None:
    again = crate_of(made, tmp_path / "again", "--only", "all")
    assert files(again) == files(crate)
    assert len(files(again)) > 8


def test_decisions_and_what_was_mended_are_in_the_log_and_in_the_provenance(made: Path, tmp_path: Path) -> None:
    project = shutil.copytree(made, tmp_path / "demo")
    (waits,) = told("review", "list", project=project)["waiting"]
    words = ("--set", "statement=Velorin may act on hepatic glucose output.", "--because", "the may", "--as", "rita")
    fixed = told("review", "decide", waits["key"], "fix", *words, project=project)
    out = crate_of(project, tmp_path / "crate")
    (decision,) = lines((out / "decisions.jsonl").read_text())
    assert (decision["record"], decision["fixed"], decision["by"]) == (waits["key"], fixed["key"], "rita")
    graph = json.loads((out / "provenance.json").read_text())
    assert graph["agent"]["be:person-rita"]["prov:type"] == {"$": "prov:Person", "type": "xsd:QName"}
    standing = f"be:standing-{fixed['key']}%2F"
    said = [a for a in graph["wasAttributedTo"].values() if a["prov:entity"].startswith(standing)]
    assert max(said, key=lambda a: a["prov:entity"])["prov:agent"] == "be:person-rita"
    revised = [d for d in graph["wasDerivedFrom"].values() if d.get("prov:type", {}).get("$") == "prov:Revision"]
    assert f"be:record-{waits['key']}" in [d["prov:usedEntity"] for d in revised]


def test_a_restricted_content_is_named_by_its_hash_and_not_handed_on(made: Path, tmp_path: Path) -> None:
    project = shutil.copytree(made, tmp_path / "demo")
    (source,) = {record["source"] for record in lines(run("export", project=project).stdout)}
    done = run("sources", "restrict", source, "--because", "embargo", "--as", "ann", project=project)
    assert done.exit_code == 0, done.output
    assert run("export", project=project).stdout == ""
    out = crate_of(project, tmp_path / "crate", "--only", "all")
    (version,) = [each for each in lines((out / "versions.jsonl").read_text()) if each["source"] == source]
    assert [reason["by"] for reason in version["judgements"][-1]["reasons"]] == ["ann"]
    kept = {path.name for path in (out / "contents").iterdir()}
    assert len(kept) > 2
    assert not kept & {version["content"], version["text"]}


def test_what_may_not_be_used_is_exported_only_when_everything_is_and_is_marked_then(made: Path) -> None:
    accepted = lines(run("export", project=made).stdout)
    assert (len(accepted), any("albumin" in record["statement"] for record in accepted)) == (2, False)
    everything = run("export", "--format", "csv", "--only", "all", project=made).stdout
    rows = list(csv.DictReader(io.StringIO(everything)))
    assert {row["source_may_be_used"] for row in rows if "albumin" in row["statement"]} == {"False"}
    ris = run("export", "--format", "ris", "--only", "all", project=made).stdout
    assert "N1  - MAY NOT BE USED: retracted" in ris
    assert ris.count("TY  - ") == ris.count("ER  - ") == 4
    usable = run("export", "--format", "bibtex", project=made).stdout
    assert (usable.count("@"), "MAY NOT BE USED" in usable, "10.5555/demo.2025.001" in usable) == (2, False, True)


def test_nothing_is_overwritten_unasked(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "records.jsonl"
    out.write_text("mine")
    refused = run("export", "--out", str(out), project=made)
    assert (refused.exit_code, out.read_text()) == (5, "mine")
    written = told("export", "--out", str(out), "--force", project=made)
    assert (written["records"], out.read_text()) == (2, run("export", project=made).stdout)
    other = tmp_path / "folder"
    other.mkdir()
    (other / "thesis.txt").write_text("mine")
    for where, said in ((other, "holds other files"), (out, "holds other files"), (tmp_path / "crate", "")):
        done = run("export", "--format", "ro-crate", "--out", str(where), "--force", project=made)
        assert (done.exit_code, said in done.output) == (5 if said else 0, True), done.output
    crate = ("export", "--format", "ro-crate", "--out", str(tmp_path / "crate"))
    again = run(*crate, project=made)
    assert (again.exit_code, "holds a crate already" in again.output) == (5, True)
    assert run(*crate, "--force", project=made).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crate", "folder", "records.jsonl"]
    assert [path.name for path in other.iterdir()] == ["thesis.txt"]


def test_without_the_extra_a_crate_says_what_to_install(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for missing in ("rocrate.rocrate", "prov.model"):
        with monkeypatch.context() as without:
            without.setitem(sys.modules, missing, None)
            done = run("export", "--format", "ro-crate", "--out", str(tmp_path / "crate"), project=made)
        assert (done.exit_code, "pip install 'backedge[crate]'" in done.output) == (5, True), done.output
    assert list(tmp_path.iterdir()) == []
    assert run("export", "--format", "ro-crate", project=made).exit_code == 2

"""`backedge sources` through the command line, on the evidence demo: list, show, restrict, refresh."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from backedge.evidence.units import STANDARD
from backedge.kernel.defect import Failure, Permanent, Transient
from tests.cli.projects import backedge
from tests.evidence.outside import Registry

pytestmark = pytest.mark.slow


def shown(folder: Path, source: str) -> dict[str, Any]:
    found: dict[str, Any] = backedge("sources", "show", source, "--json", "--project", folder).json
    return found


def test_the_list_says_how_each_stands_and_why(made: Path) -> None:
    found = backedge("sources", "list", "--json", "--project", made).json
    by_title = {line["title"]: line for line in found["sources"]}
    retracted = by_title["Velorin and albuminuria in db/db mice"]
    assert (retracted["status"], retracted["reasons"], retracted["records"]) == (
        "ineligible",
        ["retracted"],
        {"accepted": 1},
    )
    assert retracted["identifiers"] == ["doi:10.5555/demo.2025.002"]
    assert (len(found["sources"]), found["more"]) == (4, False)
    few = backedge("sources", "list", "--limit", "1", "--json", "--project", made).json
    assert (len(few["sources"]), few["more"]) == (1, True)
    assert "… more than 1; see --limit" in backedge("sources", "list", "--limit", "1", "--project", made).out
    usable = backedge("sources", "list", "--status", "eligible", "--json", "--project", made).json
    assert {line["status"] for line in usable["sources"]} == {"eligible"}
    assert backedge("sources", "list", "--status", "unjudged", "--project", made).out == "no source is unjudged\n"


def test_a_source_is_named_by_its_id_its_identifier_and_its_file(made: Path) -> None:
    by_doi = shown(made, "10.5555/demo.2025.002")
    for name in (by_doi["id"], by_doi["id"][:7], "papers/velorin-kidney.xml", "file:papers/velorin-kidney.xml"):
        assert shown(made, name) == by_doi


def test_show_tells_versions_sections_history_notices_and_records(made: Path, tmp_path: Path) -> None:
    found = shown(made, "10.5555/demo.2025.002")
    (version,) = found["versions"]
    assert [judgement["eligible"] for judgement in version["judgements"]] == [True, False]
    assert version["judgements"][1]["reasons"][0]["kind"] == "retracted"
    assert [notice["kind"] for notice in found["notices"]] == ["retraction_of"]
    assert {section["role"] for section in version["sections"]} == {"title", "abstract", "methods", "results"}
    assert (len(version["content"]), version["completeness"], len(version["records"])) == (64, 1.0, 1)
    text = backedge("sources", "show", found["id"], "--project", made).out
    assert f"because: retracted (source {found['notices'][0]['by']}: retraction_of)" in text
    assert "judgement 1: may be used" in text
    values = shown(made, "papers/weights.csv")["versions"][0]["measurements"]
    assert {measured["valid"] for measured in values} == {True, False}
    assert {measured["table"] for measured in values} == {STANDARD.version}
    shutil.copytree(made, tmp_path / "other")
    (tmp_path / "other" / "evidence.yml").write_text("units: [{spelling: bpm, unit: beats/min}]\n", encoding="utf-8")
    told = [backedge("sources", "show", "papers/weights.csv", "--project", at).out for at in (made, tmp_path / "other")]
    assert [f"measured by unit table {STANDARD.version}\n" in text for text in told] == [True, False]
    assert f"measured by unit table {STANDARD.version}, which is " in told[1]


def test_an_unknown_source_is_told_with_those_near_it(made: Path) -> None:
    right = shown(made, "10.5555/demo.2025.002")["id"]
    wrong = right[:-1] + ("0" if right[-1] != "0" else "1")
    ended = backedge("sources", "show", wrong, "--project", made)
    assert (ended.code, f"there is no source '{wrong}'; near it are {right}" in ended.err) == (5, True)
    several = backedge("sources", "show", "s_", "--project", made)
    assert "'s_' names 4 sources" in several.err


def test_a_mark_takes_records_away_and_its_lifting_gives_them_back(demo: Path) -> None:
    paper = "papers/velorin-mice.xml"
    assert backedge("sources", "restrict", paper, "--project", demo).code == 2
    ended = backedge("sources", "restrict", paper, "--because", "no licence", "--as", "rita", "--project", demo)
    assert "may not be used now: restricted (rita)" in ended.out
    assert "2 accepted records count no more" in ended.out
    assert shown(demo, paper)["reasons"] == ["restricted"]
    lifted = backedge("sources", "restrict", paper, "--lift", "--because", "renewed", "--json", "--project", demo).json
    assert list(lifted["accepted_records"].values()) == [2]
    history = shown(demo, paper)["versions"][0]["judgements"]
    assert [judgement["eligible"] for judgement in history] == [True, False, True]


def test_refresh_reads_the_file_of_retractions_and_says_what_changed(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from backedge.adapters.sources.opening import Network
    from backedge.assembling import opening_evidence

    monkeypatch.setattr(opening_evidence, "network", lambda *_: Network({}, {}, ()))
    header = (
        "Record ID,Title,Subject,Institution,Journal,Publisher,Country,Author,URLS,ArticleType,RetractionDate,"
        "RetractionDOI,RetractionPubMedID,OriginalPaperDate,OriginalPaperDOI,OriginalPaperPubMedID,RetractionNature,"
        "Reason,Paywalled,Notes"
    )
    of = "10.5555/demo.2025.001"
    row = f"1,T,,,J,P,,A,,Research Article;,11/2/2026 0:00,10.5555/n.1,0,1/1/2025 0:00,{of},0,Retraction,,No,"
    (demo / "retraction_watch.csv").write_text(f"{header}\n{row}\n", encoding="utf-8")
    ended = backedge("sources", "refresh", "--project", demo)
    named = sum(
        bool(line["identifiers"]) for line in backedge("sources", "list", "--json", "--project", demo).json["sources"]
    )
    assert 0 < named < 4
    assert f"{named} of 4 sources checked, 1 with news" in ended.out
    assert "may not be used now: retracted" in ended.out
    assert "2 accepted records count no more" in ended.out
    again = backedge("sources", "refresh", "--json", "--project", demo).json
    assert (again["checked"], again["judgements"], again["accepted_records"]) == (named, [], {})
    rest = backedge("sources", "refresh", "--older-than", "2", "--json", "--project", demo)
    assert (rest.code, rest.json["asked"], rest.json["checked"]) == (1, 4 - named, 0)
    assert shown(demo, of)["checked"] == [datetime.now(UTC).date().isoformat()]


def test_nothing_to_do_is_said(made: Path, tmp_path: Path) -> None:
    assert backedge("sources", "retry", "--project", made).out == "nothing has paused\n"
    nothing = backedge("sources", "retry", "papers/none.xml", "--project", made)
    assert (nothing.code, "nothing of papers/none.xml has paused" in nothing.err) == (5, True)
    assert backedge("sources", "list", "--project", tmp_path).out.startswith("no source: backedge ingest")
    assert backedge("sources", "refresh", "--project", tmp_path).out == "no source is to be asked for\n"


def test_another_policy_is_noticed_in_the_list_and_judged_anew_before_anything_else(demo: Path) -> None:
    settings = demo / "evidence.yml"
    paper = "10.5555/demo.2025.002"
    assert "other policy" not in backedge("sources", "list", "--project", demo).err
    before = shown(demo, paper)
    text = settings.read_text()
    assert "eligibility" not in text
    settings.write_text(f"{text}\neligibility: {{needs_open: true}}\n")
    listed = backedge("sources", "list", "--project", demo)
    assert "4 of them judged by another policy" in listed.err
    assert shown(demo, paper)["outdated"]
    ended = backedge("ingest", "papers/velorin-mice.xml", "--json", "--project", demo)
    assert [change["workflow"] for change in ended.json["changes"]] == ["refresh"]
    after = shown(demo, paper)
    assert (after["outdated"], len(after["versions"][0]["judgements"])) == (
        False,
        len(before["versions"][0]["judgements"]) + 1,
    )


def test_show_tells_the_runs_of_a_source_and_what_its_adapter_noted(made: Path) -> None:
    found = shown(made, "papers/velorin-mice.xml")
    assert [(run["workflow"], run["state"]) for run in found["runs"]] == [("ingest", "Ingested")]
    assert found["versions"][0]["notes"] == []
    (run,) = found["runs"]
    assert f"run {run['run']}  ended  Ingested" in backedge("sources", "show", found["id"], "--project", made).out
    told = backedge("runs", "show", run["run"], "--json", "--project", made).json
    assert (told["states"][-1], told["status"], [child["workflow"] for child in told["children"]]) == (
        "Ingested",
        "ended",
        ["extract"],
    )


@pytest.mark.parametrize("failure", [Transient("no answer"), Permanent("the key is refused", mend="set the key")])
def test_a_refresh_that_heard_nobody_says_so_and_fails(
    demo: Path, monkeypatch: pytest.MonkeyPatch, failure: Failure
) -> None:
    from backedge.adapters.sources.opening import Network
    from backedge.assembling import opening_evidence

    silent = Network({}, {}, (Registry("crossref", fails=failure),))
    monkeypatch.setattr(opening_evidence, "network", lambda *_: silent)
    monkeypatch.setattr("backedge.kernel.decide.back_off", lambda *_: timedelta(0))
    ended = backedge("sources", "refresh", "--project", demo)
    assert (ended.code, "0 checked: no registry was heard" in ended.err) == (1, True), ended.err
    assert failure.message in ended.err
    assert "it goes on with: backedge sources retry" in ended.err
    nobody = backedge("sources", "refresh", "papers/weights.csv", "--json", "--project", demo)
    assert (nobody.code, nobody.json["checked"], nobody.json["runs"][0]["status"]) == (1, 0, "done")
    told = backedge("sources", "retry", "--json", "--project", demo)
    assert (told.code, [(each["workflow"], each["status"]) for each in told.json["changes"]]) == (
        1,
        [("refresh", "paused")],
    )

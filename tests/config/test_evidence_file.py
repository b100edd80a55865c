"""`evidence.yml`: what it says, its defaults, and what is wrong with it, with the line and what to write."""

from __future__ import annotations

import re
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path

import pytest

from backedge.agent.thinking import Thinking
from backedge.config.embeddings import Embeddings
from backedge.config.evidence_bounds import MOST_RECORDS, Budgets
from backedge.config.evidence_file import ROLES, EvidenceProject, Reviewer, _Evidence, load_evidence
from backedge.config.evidence_tables import CriteriaKeys, FacetsKeys, SectionsKeys
from backedge.config.problem import ConfigError
from backedge.config.shape import Shape
from backedge.config.stage_models import ModelChoice
from backedge.config.validate import check_project
from backedge.evidence.designs import CRITERIA, SECTIONS, CriterionRow, SectionRow
from backedge.evidence.facets import FACETS, FacetRow
from backedge.evidence.facts import Policy
from backedge.evidence.inquire.ports import InquirePorts
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.prompted.inquiry_replies import MOST_ASSESSED
from backedge.evidence.tables import Tables
from backedge.evidence.units import STANDARD, Unit, UnitTable, units
from backedge.kernel.budget import Limits
from tests.config.projects import CONFIG, Write

NAMES = [*(row.name for row in CRITERIA), *(row.name for row in SECTIONS)]
STANDARD_OF = {canonical.canonical: canonical.quantity for canonical in units().values()}
DOCS = Path(__file__).parents[2] / "docs" / "evidence-file.md"
MODELS = f"{CONFIG}models:\n  - {{name: house, vendor: anthropic, model_ref: claude-sonnet-4-6, key_var: TEAM_KEY}}\n"
WHOLE = """\
reviewers:
  - {name: Ana, role: toxicologist}
  - {name: Ben}
  - {name: Cem}
approvers: [Ana]
models:
  evidence: {model: house, thinking: effort:low, instructions: Only mice., max_retries: 1}
  search: openai:gpt-5.2
eligibility: {concern: forbid, superseded: warn, notices: warn, licences_refused: [CC BY-NC], needs_open: true}
review: {double: true}
contact: team@lab.example
keys: {pubmed: NCBI_KEY, openalex: OPENALEX_KEY}
embeddings: {vendor: openai, model_ref: text-embedding-3-small, dimensions: 512}
concurrency: 8
budgets:
  run: {steps: 40, tokens: 900000, cost: 12.5, seconds: 1800}
  package_tokens: 6000
  records_per_question: 12
  ingested_per_round: 2
sources: {search: [europepmc], ingest: [file, doi, europepmc]}
units:
  - {spelling: bpm, unit: beats/min}
facets:
  timing: {asks: when it begins and ends, importance: mandatory}
criteria: {cost: what our core facility charges}
sections: {ethics: Ethics and permits}
"""


def read(write: Write, text: str) -> EvidenceProject:
    return load_evidence(write({"config.yml": MODELS, "evidence.yml": text}))


def test_a_folder_without_it_has_the_defaults(tmp_path: Path) -> None:
    told = load_evidence(tmp_path)
    assert told == EvidenceProject(tmp_path.resolve())
    assert (told.policy, told.concurrency, told.double) == (Policy(), 4, False)
    assert [told.model(role).choice for role in ROLES] == [None] * 4


def test_an_empty_mapping_has_the_defaults_too(write: Write) -> None:
    told = read(write, "{}\n")
    assert asdict(told) == {**asdict(EvidenceProject(told.root)), "databases": asdict(told)["databases"]}


def test_all_that_it_says_is_read(write: Write) -> None:
    told = read(write, WHOLE)
    assert told.reviewers == (Reviewer("Ana", "toxicologist"), Reviewer("Ben"), Reviewer("Cem"))
    assert (told.approvers, told.double, told.contact, told.concurrency) == (("Ana",), True, "team@lab.example", 8)
    assert told.policy == Policy(True, False, False, ("CC BY-NC",), True)
    assert told.keys == (("pubmed", "NCBI_KEY"), ("openalex", "OPENALEX_KEY"))
    assert told.embeddings == Embeddings("openai", "text-embedding-3-small", 512)
    assert [database.name for database in told.databases] == ["local"]
    evidence = told.model("evidence")
    assert evidence.choice == ModelChoice("anthropic", "claude-sonnet-4-6", "house", "TEAM_KEY")
    assert (evidence.thinking, evidence.instructions, evidence.max_retries) == (
        Thinking("effort", "low"),
        "Only mice.",
        1,
    )
    assert told.model("search").choice == ModelChoice("openai", "gpt-5.2", key_var="OPENAI_API_KEY")
    assert told.model("design").choice is None
    assert told.budgets == Budgets(Limits(40, 900_000, Decimal("12.5"), 1800.0), 6000, 12, 2)
    assert (told.searched, told.ingested) == (("europepmc",), ("file", "doi", "europepmc"))
    assert told.units == UnitTable((Unit("bpm", "beats/min", STANDARD_OF["beats/min"]),))
    timing = FacetRow("timing", "when it begins and ends", "mandatory")
    assert told.tables.facets == tuple(timing if row.name == "timing" else row for row in FACETS)
    assert told.tables.criterion("cost") == CriterionRow("cost", "what our core facility charges")
    assert told.tables.section("ethics") == SectionRow("ethics", "Ethics and permits")
    assert [*(row.name for row in told.tables.criteria), *(row.name for row in told.tables.sections)] == NAMES


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("reviewrs: []", 1, "did you mean `reviewers`"),
        ("contact: a@b.cd\nreviewers: [Ana]", 2, "item 1 of `reviewers`"),
        ("reviewers: [{role: x}]", 1, "needs `name`"),
        ("reviewers:\n  - {name: Ana}\n  - {name: Ana}", 3, "stands twice"),
        ("reviewers:\n  - {name: Anna}\napprovers:\n  - Ana", 4, "did you mean `Anna`"),
        ("reviewers: [{name: Ana}, {name: Ben}]\nreview:\n  double: true", 3, "at least three"),
        ("models:\n  evidence: hose", 2, "did you mean `house`"),
        ("models:\n  evidence:\n    model: hose", 3, "not declared under `models`"),
        ("models: {evidnce: house}", 1, "did you mean `evidence`"),
        ("models: {evidence: {model: house, thinking: much}}", 1, "adaptive"),
        ("models: {evidence: {thinking: adaptive}}", 1, "needs `model`"),
        ("models: {evidence: {model: house, max_retries: -1}}", 1, "max_retries"),
        ("eligibility:\n  concern: forbids", 2, "did you mean `forbid`"),
        ("eligibility: {retracted: warn}", 1, "never used"),
        ("eligibility: {licences_refused: CC BY-NC}", 1, "must be a list"),
        ("review: {double: twice}", 1, "`true` or `false`"),
        ("contact: nobody", 1, "e-mail"),
        ("keys:\n  pubmed: 3f9a-secret", 2, "name of an environment variable"),
        ("keys: {pubmd: NCBI_KEY}", 1, "did you mean `pubmed`"),
        ("embeddings: {vendor: openai}", 1, "`model_ref`"),
        ("concurrency: 0", 1, "`concurrency`"),
        ("concurrency: 1000", 1, "`concurrency`"),
        ("databases: []", 1, "config.yml"),
        ("budgets:\n  run: {stepps: 3}", 2, "did you mean `steps`"),
        ("budgets:\n  run:\n    cost: 0", 3, "`cost` of `run`"),
        ("budgets: {run: {minutes: 3}}", 1, "unknown key `minutes` in `run` of `budgets`"),
        ("budgets:\n  package_tokens: 3", 2, "`package_tokens`"),
        ("budgets:\n  records_per_question: 41", 2, "`records_per_question`"),
        ("budgets:\n  ingested_per_round: -1", 2, "`ingested_per_round`"),
        ("sources:\n  search: [pubmed, europe_pmc]", 2, "did you mean `europepmc`"),
        ("sources:\n  search:\n    - pubmed\n    - unpaywall", 4, "can name: arxiv, crossref"),
        ("sources:\n  ingest: [files]", 2, "did you mean `file`"),
        ("sources:\n  ingest: [file, doi, file]", 2, "`file` stands twice"),
        ("sources: {search: [pubmed, pubmed]}", 1, "`pubmed` stands twice"),
        ("sources:\n  ingest: []", 2, "`ingest` is empty"),
        ("sources:\n  search: [pubmed]\n  ingest: [file]", 2, "add it to `ingest`"),
        ("units: {bpm: beats/min}", 1, "must be a list"),
        ("units:\n  - {spelling: bpm}", 2, "needs `unit`"),
        ("units:\n  - {spelling: bpm, unit: beats/min, factor: 2}", 2, "nothing is converted"),
        ("units:\n  - {spelling: bpm, unit: beat/mins}", 2, "did you mean `beats/min`"),
        ("units:\n  - {spelling: ' ', unit: mg}", 2, "must not be empty"),
        ("units:\n  - spelling: mg\n    unit: kg", 2, "`mg` is `mg` in the unit table, and cannot be `kg`"),
        ("units:\n  - {spelling: u1, unit: mg}\n  - {spelling: u1, unit: kg}", 3, "`u1` stands twice"),
        ("units:\n  - {spelling: N.A., unit: mg}", 2, "no value"),
        ("units:\n  - {spelling: 2 mg, unit: mg}", 2, "begins with a digit"),
        ("units:\n  - {spelling: sd, unit: mg}", 2, "the head of a column (uncertainty)"),
        ("facets:\n  endpoints: {asks: x}", 2, "did you mean `endpoint`"),
        ("facets:\n  endpoint: {ask: x}", 2, "did you mean `asks`"),
        ("facets:\n  timing: {importance: mandatry}", 2, "did you mean `mandatory`"),
        ("facets:\n  endpoint:\n    asks: x\n    importance: important", 4, "which can only be raised"),
        ("facets:\n  timing:\n    importance: optional", 3, "it is `important`, which can only be raised"),
        ("facets: {timing: {asks: ' '}}", 1, "must not be empty"),
        ("criteria:\n  costs: x", 2, "did you mean `cost`"),
        (f"criteria:\n  cost: {'x' * 501}", 2, "at most 500 characters, not 501"),
        ("sections:\n  ethic: x", 2, "did you mean `ethics`"),
        ("sections:\n  ethics: analysis plan and decision rule", 2, "two sections would be titled"),
        ("- a", 1, "is a list"),
        ("", 0, "is empty"),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_what_to_write(write: Write, text: str, line: int, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(write, text)
    (problem,) = caught.value.problems
    assert (problem.file, problem.line) == ("evidence.yml", line), str(problem)
    assert said in str(problem)
    assert "3f9a-secret" not in str(caught.value)


def test_the_defaults_of_the_workflows_are_those_of_the_file(write: Write) -> None:
    told = read(write, "budgets: {}\nsources: {}\nunits: []\nfacets: {}\ncriteria: {}\nsections: {}\n")
    ports = (InvestigatePorts.package_tokens, InquirePorts.records_per_question, InquirePorts.ingested_at_most)
    assert told.budgets == Budgets(Limits(), *ports) == Budgets()
    assert (told.units, told.tables) == (STANDARD, Tables())
    assert (told.searched, "file" in told.ingested) == ((), True)
    assert MOST_RECORDS == MOST_ASSESSED


def test_a_spelling_that_the_table_has_in_that_meaning_adds_nothing(write: Write) -> None:
    told = read(write, "units: [{spelling: mcg, unit: µg}, {spelling: ' my  blobs ', unit: ug}]\n")
    assert told.units.additions == (Unit("my blobs", "µg", "mass"),)


@pytest.mark.parametrize(("keys", "rows"), [(FacetsKeys, FACETS), (CriteriaKeys, CRITERIA), (SectionsKeys, SECTIONS)])
def test_the_names_that_can_be_set_are_those_of_the_tables(keys: type[Shape], rows: tuple[FacetRow, ...]) -> None:
    assert list(keys.keys()) == [row.name for row in rows]


def test_errors_of_config_yml_are_told_too(write: Write) -> None:
    with pytest.raises(ConfigError) as caught:
        load_evidence(write({"config.yml": "models: [{name: x}]\n", "evidence.yml": "concurrency: 0\n"}))
    assert {problem.file for problem in caught.value.problems} == {"config.yml", "evidence.yml"}


def test_a_file_of_nearly_its_name_is_not_overlooked(write: Write) -> None:
    with pytest.raises(ConfigError, match=re.escape("evidence.yaml: is not read: call it evidence.yml")):
        load_evidence(write({"evidence.yaml": "concurrency: 2\n"}))


def test_what_is_no_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no folder"):
        load_evidence(tmp_path / "none")


def test_validate_reads_it_with_the_rest_of_the_project(write: Write) -> None:
    wrong = check_project(write({"config.yml": MODELS, "evidence.yml": "models: {evidence: hose}\n"}))
    assert [problem.file for problem in wrong.problems if problem.severity == "error"] == ["evidence.yml"]
    assert check_project(write({"config.yml": MODELS, "evidence.yml": WHOLE})).problems == ()


def test_a_folder_for_evidence_alone_needs_nothing_to_answer_from(tmp_path: Path) -> None:
    (tmp_path / "evidence.yml").write_text("concurrency: 2\n")
    assert check_project(tmp_path).problems == ()
    (tmp_path / "a.view.yml").write_text("name: a\n")
    assert not check_project(tmp_path).ok


def keys_of(shape: type[Shape], before: str = "") -> set[str]:
    found = set()
    for key, inner in shape.keys().items():
        found |= keys_of(inner, f"{before}{key}.") if inner else {f"{before}{key}"}
    return found


def test_every_key_has_its_row_in_the_docs() -> None:
    rows = set(re.findall(r"^\| `([^`]+)`", DOCS.read_text(encoding="utf-8"), re.MULTILINE))
    keys = keys_of(_Evidence)
    # The four roles are named by one row with each of their keys, as are the names of tables; `embeddings` as a whole.
    keys = {re.sub(r"^models\.\w+", "models.ROLE", key) for key in keys if not key.startswith("embeddings.")}
    keys = {re.sub(r"^(facets|criteria|sections)\.\w+", r"\1.NAME", key) for key in keys}
    assert (keys - rows, len(keys) > 12) == (set(), True)

"""`evidence.yml`: what it says, its defaults, and what is wrong with it, with the line and what to write."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path

import pytest

from backedge.agent.thinking import Thinking
from backedge.config.embeddings import Embeddings
from backedge.config.evidence_file import ROLES, EvidenceProject, Reviewer, _Evidence, load_evidence
from backedge.config.problem import ConfigError
from backedge.config.shape import Shape
from backedge.config.stage_models import ModelChoice
from backedge.config.validate import check_project
from backedge.evidence.facts import Policy
from tests.config.projects import CONFIG, Write

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
    # The four roles are named by one row with each of their keys, `embeddings` as a whole.
    keys = {re.sub(r"^models\.\w+", "models.ROLE", key) for key in keys if not key.startswith("embeddings.")}
    assert (keys - rows, len(keys) > 12) == (set(), True)

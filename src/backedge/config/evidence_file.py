"""`evidence.yml`: who reviews, which models the evidence workflows have, and what makes a source eligible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import AfterValidator, Discriminator, Field, Tag

from backedge.agent.thinking import Thinking
from backedge.config.agent_file import Llm, ThinkingField
from backedge.config.config_file import CONFIG_FILE, LanguageModel, ProjectConfig
from backedge.config.database import Database
from backedge.config.embeddings import Embeddings, EmbeddingsKeys
from backedge.config.evidence_bounds import Budgets, EvidenceBudgetKeys, SourceKeys, of_sources
from backedge.config.evidence_tables import (
    CriteriaKeys,
    FacetsKeys,
    SectionsKeys,
    UnitKeys,
    of_tables,
    of_units,
    tables,
    unit_table,
)
from backedge.config.folder import Folder, read_text
from backedge.config.problem import ConfigError, Problem, nearest
from backedge.config.project import content_of
from backedge.config.reading import FileRead, Reader
from backedge.config.secret import literal_secrets
from backedge.config.shape import Shape, Text, read_shape
from backedge.config.stage_models import ModelChoice, choose
from backedge.config.yaml_file import Block, parse_yaml
from backedge.evidence.facts import Policy
from backedge.evidence.source_names import EVERY
from backedge.evidence.tables import USUAL, Tables
from backedge.evidence.units import STANDARD, UnitTable

EVIDENCE_FILE = "evidence.yml"
CONCURRENCY = 4
EvidenceRole = Literal["evidence", "request", "search", "design"]
ROLES: tuple[EvidenceRole, ...] = get_args(EvidenceRole)
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
_ADDRESS = re.compile(r"[^@\s<>]+@[^@\s<>]+\.[^@\s<>]+")
_DECIDE = 3  # two who review, and a third where they differ


@dataclass(frozen=True)
class Reviewer:
    """Somebody who decides records, by name."""

    name: str
    role: str = ""


@dataclass(frozen=True)
class RoleModel:
    """What one of the four agents works with. `choice` is None where no model is named for it."""

    role: EvidenceRole
    choice: ModelChoice | None = None
    thinking: Thinking | None = None
    instructions: str = ""
    max_retries: int | None = None


@dataclass(frozen=True)
class EvidenceProject:
    """A folder as the evidence workflows see it: what `evidence.yml` says, and of `config.yml` models and databases.

    `keys` are (service, name of the variable with its key). `searched` are the registries that inquiries search beside
    the library, `ingested` the adapters that may bring sources. `problems` are warnings. No secret is in it.
    """

    root: Path
    reviewers: tuple[Reviewer, ...] = ()
    approvers: tuple[str, ...] = ()
    models: tuple[RoleModel, ...] = ()
    policy: Policy = field(default_factory=Policy)
    double: bool = False
    contact: str = ""
    keys: tuple[tuple[str, str], ...] = ()
    embeddings: Embeddings | None = None
    concurrency: int = CONCURRENCY
    budgets: Budgets = field(default_factory=Budgets)
    searched: tuple[str, ...] = ()
    ingested: tuple[str, ...] = EVERY
    units: UnitTable = STANDARD
    tables: Tables = USUAL
    databases: tuple[Database, ...] = ()
    timezone: str = ""
    problems: tuple[Problem, ...] = ()

    def model(self, role: EvidenceRole) -> RoleModel:
        """The model of a role; one without a choice where the file names none."""
        return next((known for known in self.models if known.role == role), RoleModel(role))


def _variable(text: str) -> str:
    if not _VARIABLE.fullmatch(text):
        # What does not look like a name may be the key itself: it is not repeated.
        raise ValueError("must be the name of an environment variable (capitals, digits, _), never the key itself")
    return text


def _address(text: str) -> str:
    if not _ADDRESS.fullmatch(text):
        raise ValueError(f"is `{text[:60]}`: write an e-mail address, which services ask for")
    return text


def _form(value: object) -> str:
    return "mapping" if isinstance(value, dict) else "text"


_Variable = Annotated[str, AfterValidator(_variable)]
_Speaks = Literal["forbid", "warn"]


class _Reviewer(Shape):
    what: ClassVar[str] = "a reviewer"
    name: Text
    role: str = ""


class _RoleKeys(Shape):
    what: ClassVar[str] = "a role's model"
    model: Text
    thinking: ThinkingField = None
    instructions: str = ""
    max_retries: Annotated[int | None, Field(ge=0, le=1000)] = None


_Named = Annotated[Annotated[Text, Tag("text")] | Annotated[_RoleKeys, Tag("mapping")], Discriminator(_form)]


class _Models(Shape):
    what: ClassVar[str] = "`models`"
    evidence: _Named | None = None
    request: _Named | None = None
    search: _Named | None = None
    design: _Named | None = None


class _Eligibility(Shape):
    what: ClassVar[str] = "`eligibility`"
    refused: ClassVar[dict[str, str]] = {
        "retracted": "`retracted` cannot be set: a retracted or withdrawn source is never used",
        "withdrawn": "`withdrawn` cannot be set: a retracted or withdrawn source is never used",
        "restricted": "`restricted` cannot be set: what an operator marked with `sources restrict` is never used",
    }
    concern: _Speaks = "warn"
    superseded: _Speaks = "forbid"
    notices: _Speaks = "forbid"
    licences_refused: tuple[Text, ...] = ()
    needs_open: bool = False

    def policy(self) -> Policy:
        """As eligibility is judged by it."""
        return Policy(
            concern_forbids=self.concern == "forbid",
            superseded_forbids=self.superseded == "forbid",
            notices_forbid=self.notices == "forbid",
            licences_refused=self.licences_refused,
            needs_open=self.needs_open,
        )


class _Review(Shape):
    what: ClassVar[str] = "`review`"
    double: bool = False


class _Keys(Shape):
    what: ClassVar[str] = "`keys`"
    pubmed: _Variable | None = None
    crossref: _Variable | None = None
    openalex: _Variable | None = None


class _Evidence(Shape):
    what: ClassVar[str] = EVIDENCE_FILE
    refused: ClassVar[dict[str, str]] = {
        "databases": f"`databases` stand in {CONFIG_FILE}: rows of measurements are read from those",
    }
    reviewers: tuple[_Reviewer, ...] = ()
    approvers: tuple[Text, ...] = ()
    models: _Models = _Models()
    eligibility: _Eligibility = _Eligibility()
    review: _Review = _Review()
    contact: Annotated[str, AfterValidator(_address)] | None = None
    keys_: _Keys = Field(_Keys(), alias="keys")
    embeddings: EmbeddingsKeys | None = None
    concurrency: Annotated[int, Field(ge=1, le=64)] = CONCURRENCY
    budgets: EvidenceBudgetKeys = EvidenceBudgetKeys()
    sources: SourceKeys = SourceKeys()
    units: tuple[UnitKeys, ...] = ()
    facets: FacetsKeys = FacetsKeys()
    criteria: CriteriaKeys = CriteriaKeys()
    sections: SectionsKeys = SectionsKeys()


def load_evidence(folder: Path) -> EvidenceProject:
    """What a folder says of its evidence; the defaults where it has no `evidence.yml`.

    Raises ConfigError with every error of it and of `config.yml`. Nothing but those two files is looked at.
    """
    root = folder.resolve()
    if not root.is_dir():
        raise ConfigError((Problem(str(folder), 0, "is no folder: name the folder that holds the project"),))
    here = tuple(name for name in (CONFIG_FILE, EVIDENCE_FILE) if (root / name).exists())
    found: list[Problem] = []
    config = Reader(Folder(root, here)).config()
    found.extend(config.problems if config else ())
    told = _project(root, content_of(config), found)
    errors = [problem for problem in found if problem.severity == "error"]
    if errors or told is None:
        raise ConfigError(errors)
    return told


def evidence_problems(root: Path, config: ProjectConfig | None) -> tuple[Problem, ...]:
    """All that is wrong with a folder's `evidence.yml`; nothing where there is none."""
    found: list[Problem] = []
    _project(root, config, found)
    return tuple(found)


def _project(root: Path, config: ProjectConfig | None, found: list[Problem]) -> EvidenceProject | None:
    config = config or ProjectConfig()
    read = _read(root, found)
    if read is None:
        return EvidenceProject(root, databases=config.databases, timezone=config.timezone)
    raw = read_shape(_Evidence, read.tree, EVIDENCE_FILE, found) if read.tree is not None else None
    if raw is None or read.tree is None:
        return None
    found.extend(literal_secrets(EVIDENCE_FILE, read.tree))
    made = tables(raw.facets, raw.criteria, raw.sections)
    found.extend((*_of_people(raw, read), *of_sources(raw.sources, read)))
    found.extend((*of_units(raw.units, read), *of_tables(raw.facets, made, read)))
    return EvidenceProject(
        root=root,
        reviewers=tuple(Reviewer(reviewer.name, reviewer.role) for reviewer in raw.reviewers),
        approvers=raw.approvers,
        models=tuple(_role_models(raw.models, read, config.models, found)),
        policy=raw.eligibility.policy(),
        double=raw.review.double,
        contact=raw.contact or "",
        keys=tuple((name, variable) for name, variable in raw.keys_ if variable),
        embeddings=raw.embeddings.embeddings() if raw.embeddings else None,
        concurrency=raw.concurrency,
        budgets=raw.budgets.budgets(),
        searched=raw.sources.search,
        ingested=raw.sources.ingested,
        units=unit_table(raw.units),
        tables=made,
        databases=config.databases,
        timezone=config.timezone,
        problems=tuple(problem for problem in found if problem.severity == "warning"),
    )


def _read(root: Path, found: list[Problem]) -> FileRead | None:
    """The file, with no tree where it is wrong; None where there is none."""
    other = EVIDENCE_FILE.replace(".yml", ".yaml")
    if (root / other).exists():
        found.append(Problem(other, 0, f"is not read: call it {EVIDENCE_FILE}"))
    if not (root / EVIDENCE_FILE).exists():
        return None
    text = read_text(root, EVIDENCE_FILE, found)
    body, decoded = text or (b"", "")
    tree: Block | None = parse_yaml(EVIDENCE_FILE, decoded, found) if text else None
    return FileRead(EVIDENCE_FILE, body, None, tree, ())


def _of_people(raw: _Evidence, read: FileRead) -> Iterator[Problem]:
    names = [reviewer.name for reviewer in raw.reviewers]
    for index, name in enumerate(names):
        if name in names[:index]:
            message = f"reviewer `{name}` stands twice: each needs a name of their own"
            yield Problem(EVIDENCE_FILE, read.line("reviewers", index), message)
    for index, name in enumerate(raw.approvers):
        if name not in names:
            message = f"approver `{name}` is not among `reviewers`"
            yield Problem(EVIDENCE_FILE, read.line("approvers", index), message, near=nearest(name, names))
    if raw.review.double and len(set(names)) < _DECIDE:
        message = "`double` needs at least three `reviewers`: two decide, and a third where they differ"
        yield Problem(EVIDENCE_FILE, read.line("review", "double"), message)


def _role_models(
    raw: _Models, read: FileRead, models: Sequence[LanguageModel], found: list[Problem]
) -> Iterator[RoleModel]:
    for role in ROLES:
        named: str | _RoleKeys | None = getattr(raw, role)
        if named is None:
            continue
        keys = named if isinstance(named, _RoleKeys) else _RoleKeys(model=named)
        choice = choose(keys.model, Llm(), models)
        if choice is None:
            message = f"model `{keys.model}` of `{role}` is not declared under `models` of {CONFIG_FILE}"
            hint = f"{message}, and no vendor is known by that id: declare it, or write `vendor:{keys.model}`"
            near = nearest(keys.model, [model.name for model in models])
            found.append(Problem(EVIDENCE_FILE, read.line("models", role, "model"), hint, near=near))
        yield RoleModel(role, choice, keys.thinking, keys.instructions.strip(), keys.max_retries)

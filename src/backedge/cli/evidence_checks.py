"""The checks of `backedge doctor` for evidence: its file, its models and keys, and where its runs are kept."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from backedge.assembling.evidence_models import lacking
from backedge.assembling.storing import open_store, runs_folder
from backedge.cli.checks import Check, machine_checks, run_checks
from backedge.config.evidence_file import EVIDENCE_FILE, ROLES, EvidenceProject, load_evidence
from backedge.config.folder import list_folder
from backedge.config.problem import ConfigError
from backedge.config.validate import only_evidence
from backedge.evidence.source_names import EVERY
from backedge.kernel.defect import Permanent


async def every_check(folder: Path, agent: str | None) -> list[Check]:
    """The checks of a project; one that is for evidence alone needs no views and no database."""
    if not (folder / EVIDENCE_FILE).exists():
        return await run_checks(folder, agent)
    try:
        alone = only_evidence(list_folder(folder)) and agent is None
    except ConfigError as error:
        return [*machine_checks(), Check("project", False, str(error), "`backedge validate` lists every problem")]
    first = [*machine_checks(), await _runs(folder)] if alone else await run_checks(folder, agent)
    return [*first, *evidence_checks(folder, os.environ)]


async def _runs(folder: Path) -> Check:
    try:
        store = open_store(folder)
    except Permanent as error:
        return Check("runs", False, error.message, error.mend)
    try:
        await store.heads(limit=1)
        return Check("runs", True, f"kept in {runs_folder(folder)}")
    finally:
        await store.close()


def evidence_checks(folder: Path, environment: Mapping[str, str]) -> list[Check]:
    """What `evidence.yml` says, and what is not there that it names. No model and no registry is called."""
    try:
        project = load_evidence(folder)
    except ConfigError as error:
        return [Check("evidence", False, str(error), "`backedge validate` lists every problem")]
    return [
        Check("evidence", True, "; ".join(_said(project))),
        *_models(project, environment),
        *_keys(project, environment),
    ]


def _said(project: EvidenceProject) -> Iterator[str]:
    names = ", ".join(reviewer.name for reviewer in project.reviewers)
    yield f"reviewed by {names}" if names else "no reviewers, so nobody can decide"
    yield f"inquiries search {', '.join(('the library', *project.searched))}"
    if set(project.ingested) != set(EVERY):
        yield f"only {', '.join(project.ingested)} may bring sources"
    added = ", ".join(unit.spelling for unit in project.units.additions)
    yield f"unit table {project.units.version}{f', to which {added} is added' if added else ''}"


def _models(project: EvidenceProject, environment: Mapping[str, str]) -> Iterator[Check]:
    """A role without a model is no fault: what needs it pauses, and says so."""
    for role in ROLES:
        named = project.model(role)
        todo, choice = lacking(named, environment), named.choice
        if choice is None:
            yield Check(f"model {role}", True, f"none; {todo}")
        else:
            yield Check(f"model {role}", not todo, f"{choice.vendor}:{choice.model}", todo)


def _keys(project: EvidenceProject, environment: Mapping[str, str]) -> Iterator[Check]:
    for service, variable in project.keys:
        there = bool(environment.get(variable, "").strip())
        said = f"in the variable {variable}" if there else f"the variable {variable} is not set"
        yield Check(f"key {service}", there, said, f"set {variable}, or take `{service}` out of `keys`")

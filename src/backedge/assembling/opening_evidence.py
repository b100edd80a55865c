"""Opens a project's evidence: store, contents, readers, search view, sources and models, and the workflows on them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from backedge.adapters.clock import SystemClock
from backedge.adapters.reading.opening import ContentReader
from backedge.adapters.search.view import SqliteSearchView
from backedge.adapters.sources.contents import FolderContents
from backedge.adapters.sources.database import DatabaseSource
from backedge.adapters.sources.files import FileSource
from backedge.adapters.sources.opening import Network, network
from backedge.adapters.sources.retraction_watch import FILE, RetractionWatch
from backedge.agent.ports import Embedder
from backedge.assembling.connecting import connect
from backedge.assembling.embedding import evidence_embedder, rooted
from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.evidence_models import EvidenceModels
from backedge.assembling.evidence_workflows import with_retries
from backedge.assembling.investigation_models import ROLES, all_models
from backedge.assembling.storing import open_store, runs_folder
from backedge.config.evidence_file import EvidenceProject, load_evidence
from backedge.evidence.extract.ports import ExtractPorts
from backedge.evidence.extract.workflow import EXTRACT
from backedge.evidence.ingest.ports import MENDS, IngestPorts
from backedge.evidence.ingest.workflow import INGEST
from backedge.evidence.inquire.ports import InquirePorts
from backedge.evidence.inquire.workflow import INQUIRE
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.investigate.workflow import INVESTIGATE
from backedge.evidence.library import Library
from backedge.evidence.ports import SourceAdapter, StatusSource
from backedge.evidence.refresh.ports import RefreshPorts
from backedge.evidence.refresh.workflow import REFRESH, RESTRICT
from backedge.evidence.verify.ports import VerifyPorts
from backedge.evidence.verify.workflow import VERIFY
from backedge.evidence.watch.ports import WatchPorts
from backedge.evidence.watch.workflow import WATCH
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.ports import Clock, Watch

VIEW_FILE = "search.db"
CONTENTS = "contents"


def open_evidence(
    folder: Path,
    *,
    watch: Watch | None = None,
    environment: Mapping[str, str] = os.environ,
    models: EvidenceModels | None = None,
    embedder: Embedder | None = None,
) -> EvidenceApp:
    """The evidence of a folder. `models` and `embedder` are what is used instead of what its files name.

    Raises `ConfigError`, or `Permanent` where its runs cannot be kept.
    """
    project = load_evidence(folder)
    store = open_store(project.root, watch=watch)
    kept = runs_folder(project.root)
    embedder = embedder or evidence_embedder(rooted(project.embeddings, project.root), kept / "cache", environment)
    view = SqliteSearchView(kept / VIEW_FILE, *((embedder.name, embedder.dimensions) if embedder else ()))
    library, contents, reader = Library(store), FolderContents(kept / CONTENTS), ContentReader()
    files = FileSource(project.root, reader.describe, reader.records)
    clock = SystemClock()
    net = network(environment, clock, project.contact, reader.describe, dict(project.keys))
    connectors = {db.name: found for db in project.databases if (found := connect(db, project.root)) is not None}
    rows = DatabaseSource(connectors)
    known: dict[str, SourceAdapter] = {files.name: files, rows.name: rows, **net.sources}
    sources = {name: source for name, source in known.items() if name in project.ingested}
    made = models or all_models(project, environment)
    mends = _ingest_mends(made)
    outside = (library, contents, sources, reader, view, embedder, made.extractor, project.policy, mends)
    ingest = IngestPorts(*outside, project.units)
    extract = ExtractPorts(library, contents, view, made.extractor, mends["extractor"])
    verify = VerifyPorts(library, contents, view, made.extractor, made.verifier, mends["extractor"])
    refresh = RefreshPorts(library, _registries(net, project.root), project.policy)
    bounds = {
        INGEST.name: Bound(INGEST, ingest),
        EXTRACT.name: Bound(with_retries(EXTRACT, project), extract),
        VERIFY.name: Bound(with_retries(VERIFY, project), verify),
        REFRESH.name: Bound(REFRESH, refresh),
        RESTRICT.name: Bound(RESTRICT, refresh),
        WATCH.name: Bound(WATCH, WatchPorts(library, view, embedder, net.searchable)),
        **_investigations(project, ingest, net, clock, made),
    }
    driver = Driver(store, bounds, clock, at_once=project.concurrency)
    opened = (files, reader, tuple(sources), tuple(connectors.values()))
    return EvidenceApp(project, store, driver, library, contents, view, embedder, *opened)


def _investigations(
    project: EvidenceProject, ingest: IngestPorts, net: Network, clock: Clock, made: EvidenceModels
) -> dict[str, Bound]:
    """An investigation and its inquiries, on the library, contents and view of what is ingested."""
    kept, mends, budgets = (ingest.library, ingest.contents), _mends(made), project.budgets
    tokens, tables = budgets.package_tokens, project.tables
    investigate = InvestigatePorts(*kept, made.requests, made.designs, tokens, tables, mends=mends)
    inquire = InquirePorts(
        *kept,
        ingest.view,
        ingest.embedder,
        {name: net.searchable[name] for name in project.searched},
        made.planner,
        made.assessor,
        _moment(clock),
        budgets.ingested_per_round,
        budgets.records_per_question,
        mends=mends,
    )
    return {
        INVESTIGATE.name: Bound(with_retries(INVESTIGATE, project), investigate),
        INQUIRE.name: Bound(with_retries(INQUIRE, project), inquire),
    }


def _moment(clock: Clock) -> Callable[[], str]:
    """What says the moment of a search, as ISO text."""
    return lambda: clock.now().isoformat()


def _ingest_mends(made: EvidenceModels) -> dict[str, str]:
    """What to do so that an ingest that paused for want of a model goes on."""
    mend = made.lacking.get("extractor", "")
    return {**MENDS, **({"extractor": f"{mend}, then `backedge sources retry`"} if mend else {})}


def _mends(made: EvidenceModels) -> dict[str, str]:
    """What to do, by role, so that an investigation that paused for want of a model goes on."""
    roles = {role: made.lacking.get(role, f"give the role `{role}` a model") for role in ROLES}
    return {role: f"{todo}, then `backedge investigate retry`" for role, todo in roles.items()}


def _registries(net: Network, root: Path) -> tuple[StatusSource, ...]:
    """Those that say how sources stand: of the network, and Retraction Watch where its file is in the project."""
    kept = root / FILE
    return (RetractionWatch(kept), *net.registries) if kept.is_file() else net.registries

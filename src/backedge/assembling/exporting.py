"""Gathers what is exported, and writes it: text formats whole, or a folder that is an RO-Crate with PROV."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from backedge.assembling.evidence import EvidenceApp
from backedge.evidence import kinds
from backedge.evidence.exporting.exported import Exported, ExportedRecord, ExportedVersion
from backedge.evidence.exporting.references import bibtex, ris
from backedge.evidence.exporting.tables import comma_separated, json_lines
from backedge.kernel.defect import Permanent
from backedge.kernel.provenance import Activity, activities

FORMATS: dict[str, Callable[[Exported], str]] = {
    "jsonl": json_lines,
    "csv": comma_separated,
    "ris": ris,
    "bibtex": bibtex,
}
CRATE = "ro-crate"
WORKFLOWS = ("ingest", "extract", "verify", "refresh", "restrict")


async def exported(app: EvidenceApp, *, accepted_only: bool) -> Exported:
    """What is stored, read with its types; with `accepted_only` accepted records whose sources may be used."""
    library = app.library
    versions: dict[str, ExportedVersion] = {}
    for version in await library.all(kinds.VERSION):
        text = await library.one(kinds.TEXT, version.content)
        metadata, judgement = await library.metadata(version), await library.judgement(version.content)
        versions[version.content] = ExportedVersion(version, metadata, judgement, text.text if text else "")
    records = []
    for record in await library.all(kinds.RECORD):
        judgement = versions[record.version].judgement
        standing = await library.standing(record.key)
        eligible = judgement is not None and judgement.eligible
        if accepted_only and not (eligible and standing is not None and standing.status == "accepted"):
            continue
        verified = await library.all(kinds.VERIFIED, f"{record.key}/")
        decided = await library.all(kinds.DECIDED, f"{record.key}/")
        found = verified[-1].verification if verified else None
        records.append(ExportedRecord(record, standing, found, decided, eligible))
    return Exported(tuple(versions.values()), tuple(records))


def write_whole(path: Path, text: str, *, force: bool) -> None:
    """Write a file at once or not at all. Raises `Permanent` where it exists and is not to be overwritten."""
    if path.exists() and not force:
        raise Permanent(f"{path} is there already", mend="name another file, or give --force")
    made = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    made.write_text(text, encoding="utf-8", newline="")
    os.replace(made, path)


async def write_crate(app: EvidenceApp, told: Exported, folder: Path) -> None:
    """Write an RO-Crate: records, references, contents and texts by hash, and how all of it came about as PROV-JSON."""
    try:
        from rocrate.model.contextentity import ContextEntity
        from rocrate.rocrate import ROCrate
    except ImportError as missing:
        said = f"an RO-Crate needs the extra `crate` ({missing.name} is not installed)"
        raise Permanent(said, mend="pip install 'backedge[crate]'") from missing
    _make(folder)
    hashes: dict[str, str] = {}
    for name, text in (
        ("records.jsonl", json_lines(told)),
        ("records.csv", comma_separated(told)),
        ("sources.ris", ris(told)),
        ("sources.bib", bibtex(told)),
        ("provenance.json", await provenance(app, told)),
    ):
        hashes[name] = _put(folder, name, text.encode("utf-8"))
    for each in told.versions:
        for content in dict.fromkeys((each.version.content, each.text)):
            if content:
                name = f"contents/{content}"
                hashes[name] = _put(folder, name, await app.contents.get(content))
    crate = ROCrate()
    crate.name = "Evidence records with their sources and provenance"
    crate.description = "Made by backedge export. Each content is named by its SHA-256."
    for name, digest in sorted(hashes.items()):
        crate.add_file(folder / name, name, properties={"sha256": digest})
    for each in told.versions:
        crate.add(ContextEntity(crate, f"#{each.version.source}-{each.version.number}", _source(each)))
    crate.metadata.write(folder)


def _make(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Permanent(f"{folder} holds other files", mend="name a folder that does not exist yet")
    folder.mkdir(parents=True, exist_ok=True)


def _source(each: ExportedVersion) -> dict[str, Any]:
    judgement = each.judgement
    return {
        "@type": "ScholarlyArticle",
        "name": each.metadata.title or each.version.fetched.identifier,
        "identifier": list(each.metadata.identifiers.named()) or [each.version.source],
        "license": each.metadata.licence or "not stated",
        "encoding": {"@id": f"contents/{each.version.content}"},
        "mayBeUsed": bool(judgement and judgement.eligible),
    }


def _put(folder: Path, name: str, content: bytes) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return hashlib.sha256(content).hexdigest()


async def provenance(app: EvidenceApp, told: Exported) -> str:
    """How versions and records came about, as PROV-JSON: every attempt of every run, and who or what did it."""
    try:
        from prov.model import ProvDocument
    except ImportError as missing:
        said = f"provenance needs the extra `crate` ({missing.name} is not installed)"
        raise Permanent(said, mend="pip install 'backedge[crate]'") from missing
    document = ProvDocument()
    document.set_default_namespace("urn:backedge:")
    for each in told.versions:
        document.entity(f"version-{each.version.content}", {"prov:label": each.metadata.title or each.version.source})
    for exported_record in told.records:
        record = exported_record.record
        entity = document.entity(f"record-{record.key}", {"prov:label": record.proposal.statement})
        document.wasDerivedFrom(entity, f"version-{record.version}")
    known = {f"record-{each.record.key}" for each in told.records}
    for workflow in WORKFLOWS:
        for head in sorted([head async for head in app.heads(workflow)], key=lambda head: head.id):
            for number, done in enumerate(activities(await app.store.read(head.id))):
                _attempt(document, head.id, number, done)
            verified = f"record-{head.labels.get('record', '')}"
            if verified in known:
                document.used(f"run-{head.id}-0", verified)
    return json.dumps(json.loads(str(document.serialize(format="json"))), indent=1, sort_keys=True) + "\n"


def _attempt(document: Any, run: str, number: int, done: Activity) -> None:
    details = {f"backedge-{name}": str(value) for name, value in done.details.items() if isinstance(value, str | int)}
    facts = {"prov:label": f"{done.stage}, attempt {done.attempt}: {done.outcome}", **details}
    activity = document.activity(f"run-{run}-{number}", done.at.isoformat(), None, facts)
    if done.by:
        agent = document.agent(f"agent-{done.by.replace(':', '-')}")
        document.wasAssociatedWith(activity, agent)

"""Writes a folder that is an RO-Crate: records, references, contents by hash, decisions, and their provenance."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.lineage import WORKFLOWS, lineage
from backedge.evidence.exporting.exported import Exported, ExportedVersion
from backedge.evidence.exporting.references import bibtex, ris
from backedge.evidence.exporting.tables import comma_separated, decision_lines, json_lines, version_lines
from backedge.kernel.defect import Permanent

METADATA = "ro-crate-metadata.json"
LINES = "application/jsonl"
TEXT = "text/plain; charset=utf-8"
LICENCES = "Each source has its own licence, which its entry states where it is known."


@dataclass(frozen=True)
class About:
    """What a crate says of itself, and the sources it mentions. `published` is when what it holds changed last."""

    name: str
    says: str
    published: datetime
    versions: tuple[ExportedVersion, ...]


@dataclass(frozen=True)
class Part:
    """A file of the crate."""

    name: str
    content: bytes
    form: str
    says: str


async def write_crate(app: EvidenceApp, told: Exported, folder: Path, *, force: bool) -> None:
    """Write the crate at once or not at all; the same store gives the same bytes.

    Raises `Permanent` where the folder holds anything (with `force`: anything but a crate), or a library is missing.
    """
    name = "Evidence records with their sources and provenance"
    says = "Made by backedge export. Each content is named by its SHA-256."
    about = About(name, says, await _last_change(app), told.versions)
    await written(folder, about, _parts(app, told), force=force)


async def written(folder: Path, about: About, parts: AsyncIterator[Part], *, force: bool) -> None:
    """Write a crate of these files at once or not at all.

    Raises `Permanent` where the folder holds anything (with `force`: anything but a crate), or a library is missing.
    """
    try:
        import rocrate.rocrate  # noqa: F401
    except ImportError as missing:
        said = f"an RO-Crate needs the extra `crate` ({missing.name} is not installed)"
        raise Permanent(said, mend="pip install 'backedge[crate]'") from missing
    _refuse_other(folder, force=force)
    made = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    try:
        made.mkdir(parents=True)
        await _fill(made, about, parts)
        _put(made, folder)
    except OSError as error:
        said = f"{folder} cannot be written: {error.strerror}"
        raise Permanent(said, mend="name a folder below one of yours") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _put(made: Path, folder: Path) -> None:
    """The new folder in the place of the old one, which is removed when the new one is there."""
    old = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    if folder.exists():
        os.replace(folder, old)
    os.replace(made, folder)
    shutil.rmtree(old, ignore_errors=True)


def _refuse_other(folder: Path, *, force: bool) -> None:
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not folder.is_dir() or not (folder / METADATA).is_file():
        raise Permanent(f"{folder} holds other files", mend="name a folder that does not exist yet")
    if not force:
        raise Permanent(f"{folder} holds a crate already", mend="name another folder, or give --force")


async def _fill(folder: Path, about: About, parts: AsyncIterator[Part]) -> None:
    from rocrate.model.contextentity import ContextEntity
    from rocrate.rocrate import ROCrate

    crate = ROCrate()
    crate.name, crate.description = about.name, about.says
    crate.license = LICENCES
    crate.datePublished = about.published
    (folder / "contents").mkdir()
    async for part in parts:
        path = folder / part.name
        path.write_bytes(part.content)
        digest, size = hashlib.sha256(part.content).hexdigest(), str(len(part.content))
        facts = {"name": part.says, "encodingFormat": part.form, "contentSize": size, "sha256": digest}
        crate.add_file(path, part.name, properties=facts)
    sources = [ContextEntity(crate, f"#{_name(each)}", _source(each)) for each in about.versions]
    crate.add(*sources)
    crate.root_dataset["mentions"] = sources
    crate.metadata.write(folder)


async def _parts(app: EvidenceApp, told: Exported) -> AsyncIterator[Part]:
    for part in record_parts(told, await lineage(app, told)):
        yield part
    async for part in content_parts(app, told):
        yield part


def record_parts(told: Exported, provenance: str) -> Iterator[Part]:
    """The files of records and sources, and their provenance."""
    for name, text, form, says in (
        ("decisions.jsonl", decision_lines(told), LINES, "Decisions of reviewers"),
        ("provenance.json", provenance, "application/json", "Provenance (PROV-JSON)"),
        ("records.csv", comma_separated(told), "text/csv", "Records, a line for each span"),
        ("records.jsonl", json_lines(told), LINES, "Records with Web Annotation selectors"),
        ("sources.bib", bibtex(told), "application/x-bibtex", "Sources (BibTeX)"),
        ("sources.ris", ris(told), "application/x-research-info-systems", "Sources (RIS)"),
        ("versions.jsonl", version_lines(told), LINES, "Versions by hash, with their judgements"),
    ):
        yield Part(name, text.encode("utf-8"), form, says)


async def content_parts(app: EvidenceApp, told: Exported) -> AsyncIterator[Part]:
    """Each content and text once, by its hash; what is restricted is not handed on."""
    put: set[str] = set()
    for each in told.versions:
        fetched = each.version.fetched
        for content, form, says in (
            (each.version.content, fetched.media_type, f"{each.title}: as fetched"),
            (each.text, TEXT, f"{each.title}: the text that spans point into"),
        ):
            if content and content not in put and not each.restricted:
                put.add(content)
                yield Part(f"contents/{content}", await app.contents.get(content), form, says)


def _name(each: ExportedVersion) -> str:
    return f"{each.version.source}-{each.version.number}"


def _source(each: ExportedVersion) -> dict[str, Any]:
    reasons = ", ".join(reason.kind for reason in each.judgement.reasons) if each.judgement else "not judged"
    found: dict[str, Any] = {
        "@type": "ScholarlyArticle",
        "name": each.title,
        "identifier": list(each.metadata.identifiers.named()) or [each.version.source],
        "version": str(each.version.number),
        "license": each.metadata.licence or "not stated",
        "sha256": each.version.content,
        "creativeWorkStatus": "may be used" if each.usable else f"may not be used: {reasons}",
    }
    if not each.restricted:
        found["encoding"] = {"@id": f"contents/{each.version.content}"}
    return found


async def _last_change(app: EvidenceApp) -> datetime:
    """When anything of the evidence was written last: the moment of an export would make every crate another."""
    moments = [head.updated for workflow in WORKFLOWS async for head in app.heads(workflow)]
    if not moments:
        raise Permanent("there is nothing to export", mend="bring sources in first: backedge ingest")
    return max(moments)

"""Gathers what is exported, and writes it whole: to a file in a text format. A crate is a folder (`crate.py`)."""

from __future__ import annotations

import os
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from backedge.assembling.evidence import EvidenceApp
from backedge.evidence import kinds
from backedge.evidence.agreeing import seen_by
from backedge.evidence.exporting.exported import Exported, ExportedRecord, ExportedVersion
from backedge.evidence.exporting.references import bibtex, ris
from backedge.evidence.exporting.tables import comma_separated, json_lines
from backedge.evidence.library import counting
from backedge.evidence.records import EvidenceRecord, Standing
from backedge.kernel.defect import Permanent

T = TypeVar("T")

FORMATS: dict[str, Callable[[Exported], str]] = {
    "jsonl": json_lines,
    "csv": comma_separated,
    "ris": ris,
    "bibtex": bibtex,
}
CRATE = "ro-crate"


async def exported(app: EvidenceApp, *, accepted_only: bool) -> Exported:
    """What is stored, read with its types.

    With `accepted_only` versions that may be used now, and accepted records of them; else everything.
    """
    versions = await _versions(app)
    library = app.library
    records = {record.key: record for record in await library.all(kinds.RECORD)}
    standings = _grouped(await library.all(kinds.STANDING), lambda standing: standing.record)
    verified = _grouped(await library.all(kinds.VERIFIED), lambda found: found.record)
    decided = _grouped(await library.all(kinds.DECIDED), lambda found: found.record)
    if app.project.double:  # what is not settled is hidden from the second reviewer here too
        decided = {key: seen_by(each, _number(standings.get(key, ())), "") for key, each in decided.items()}
    found = []
    for record in records.values():
        stands, usable = standings.get(record.key, ()), versions[record.version].usable
        if accepted_only and not (usable and stands and stands[-1].status == "accepted"):
            continue
        checked = verified.get(record.key, ())
        said = tuple(each for key in _mended_from(record, records) for each in decided.get(key, ()))
        found.append(ExportedRecord(record, stands, checked[-1].verification if checked else None, said, usable))
    kept = tuple(each for each in versions.values() if each.usable or not accepted_only)
    return Exported(kept, tuple(found))


async def _versions(app: EvidenceApp) -> dict[str, ExportedVersion]:
    library = app.library
    judged = _grouped(await library.all(kinds.JUDGEMENT), lambda judgement: judgement.version)
    texts = {text.version: text.text for text in await library.all(kinds.TEXT)}
    return {
        version.content: ExportedVersion(
            version,
            await library.metadata(version),
            counting(judged.get(version.content, ())),
            judged.get(version.content, ()),
            texts.get(version.content, ""),
        )
        for version in await library.all(kinds.VERSION)
    }


def _number(standings: tuple[Standing, ...]) -> int:
    return standings[-1].number if standings else 0


def _mended_from(record: EvidenceRecord, records: dict[str, EvidenceRecord]) -> tuple[str, ...]:
    """The keys of the records that a record replaces, the oldest first, and its own."""
    keys = [record.key]
    while (replaced := records.get(records[keys[-1]].replaces)) is not None:
        keys.append(replaced.key)
    return tuple(reversed(keys))


def _grouped(values: Iterable[T], key: Callable[[T], str]) -> dict[str, tuple[T, ...]]:
    found: dict[str, list[T]] = defaultdict(list)
    for value in values:
        found[key(value)].append(value)
    return {name: tuple(group) for name, group in found.items()}


def write_whole(path: Path, content: str | bytes, *, force: bool) -> None:
    """Write a file at once or not at all. Raises `Permanent` where it exists and is not to be overwritten."""
    if path.is_dir():
        raise Permanent(f"{path} is a folder", mend="name a file")
    if path.exists() and not force:
        raise Permanent(f"{path} is there already", mend="name another file, or give --force")
    made = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        made.write_bytes(content.encode() if isinstance(content, str) else content)
        os.replace(made, path)
    except OSError as error:
        raise Permanent(
            f"{path} cannot be written: {error.strerror}", mend="name a file in a folder of yours"
        ) from error
    finally:
        made.unlink(missing_ok=True)

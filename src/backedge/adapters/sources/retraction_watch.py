"""The Retraction Watch database as a downloaded CSV file: retractions, concerns, corrections, reinstatements."""

from __future__ import annotations

import asyncio
import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from backedge.evidence.identifiers import doi, pmid
from backedge.evidence.sources import Identifiers, Metadata, Relation, RelationKind, Signal, SignalKind
from backedge.kernel.defect import Permanent

FILE = "retraction_watch.csv"
"""What the file is called as it is downloaded, and in the folder of a project."""
MOST_BYTES = 1 << 30
_BY = "Retraction Watch"
_COLUMNS = (
    "Record ID",
    "RetractionDate",
    "RetractionDOI",
    "RetractionPubMedID",
    "OriginalPaperDOI",
    "OriginalPaperPubMedID",
    "RetractionNature",
    "Reason",
)
_KINDS: dict[str, tuple[SignalKind, RelationKind, RelationKind]] = {
    "retraction": ("retracted", "retracted_by", "retraction_of"),
    "expression of concern": ("concern", "concern_by", "concern_about"),
    "correction": ("corrected", "corrected_by", "correction_of"),
}
"""Natures of events by what they make of the article, of its link to the notice, and of the notice's link to it."""
_REINSTATED = "reinstatement"
_WORDS = (("reinstat", _REINSTATED), ("retract", "retraction"), ("concern", "expression of concern"))
_AMERICAN = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/((?:19|20)[0-9]{2})\b")
_ISO = re.compile(r"((?:19|20)[0-9]{2})-([0-9]{2})-([0-9]{2})\b")
_ADVICE = "download retraction_watch.csv again"


@dataclass(frozen=True)
class Event:
    """One row: what happened to `original`, and the notice of it, where that has a name of its own."""

    record: str
    nature: str
    when: date | None
    original: Identifiers
    notice: Identifiers
    reasons: str

    @property
    def kind(self) -> str:
        """One of the four natures; one that is none of them counts by the word in it, else as a correction."""
        said = self.nature.casefold()
        if said in _KINDS or said == _REINSTATED:
            return said
        return next((kind for word, kind in _WORDS if word in said), "correction")

    @property
    def at(self) -> str:
        """Its day in ISO, or empty."""
        return self.when.isoformat() if self.when else ""

    @property
    def detail(self) -> str:
        """The row in a few words."""
        when = f", {self.at}" if self.at else ""
        return f"{self.nature}{when}, record {self.record}" + (f": {self.reasons}" if self.reasons else "")


class RetractionWatch:
    """A registry of status. The file is read when it is first asked, and again where it was replaced."""

    name = "retraction_watch"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read: tuple[tuple[int, int], dict[str, list[Event]]] | None = None

    async def status(self, sources: Sequence[Identifiers]) -> tuple[Metadata | None, ...]:
        """See `evidence.ports.StatusSource`. Raises `Permanent` where the file is missing or no such file."""
        known = await asyncio.to_thread(self._events)
        return tuple(_said(source, known) for source in sources)

    def _events(self) -> dict[str, list[Event]]:
        """The rows by the names of originals and notices."""
        try:
            state = self._path.stat()
            stamp = (state.st_mtime_ns, state.st_size)
            if state.st_size > MOST_BYTES:
                raise Permanent(f"{self._path.name} has more than {MOST_BYTES:,} bytes", mend=_ADVICE)
            if self._read is None or self._read[0] != stamp:
                self._read = (stamp, _by_name(self._path))
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise Permanent(f"{self._path} cannot be read: {why}", mend=_ADVICE) from error
        return self._read[1]


def _by_name(path: Path) -> dict[str, list[Event]]:
    found: dict[str, list[Event]] = {}
    for event in _rows(path):
        for name in dict.fromkeys((*event.original.named(), *event.notice.named())):
            found.setdefault(name, []).append(event)
    return found


def _rows(path: Path) -> Iterator[Event]:
    # a few rows of the file are in another encoding than the rest; no identifier is
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        rows = csv.DictReader(file, strict=True)
        lacking = [column for column in _COLUMNS if column not in (rows.fieldnames or ())]
        if lacking:
            message = f"{path.name} is no file of Retraction Watch: it has no column {', '.join(lacking)}"
            raise Permanent(message, mend=_ADVICE)
        try:
            yield from (_event(row) for row in rows)
            if rows.line_num < 2:
                raise Permanent(f"{path.name} has no rows", mend=_ADVICE)
        except csv.Error as error:
            raise Permanent(f"line {rows.line_num} of {path.name} cannot be read: {error}", mend=_ADVICE) from error


def _event(row: dict[str, str | None]) -> Event:
    cells = {column: (row.get(column) or "").strip() for column in _COLUMNS}
    original = Identifiers(doi(cells["OriginalPaperDOI"]), _number(cells["OriginalPaperPubMedID"]))
    notice = Identifiers(doi(cells["RetractionDOI"]), _number(cells["RetractionPubMedID"]))
    if set(original.named()) & set(notice.named()):
        notice = Identifiers()  # the notice stands in the place of the article
    reasons = "; ".join(reason.strip().lstrip("+") for reason in cells["Reason"].split(";") if reason.strip())
    nature = cells["RetractionNature"]
    return Event(cells["Record ID"], nature, _date(cells["RetractionDate"]), original, notice, reasons)


def _number(cell: str) -> str:
    """A PMID; spreadsheets write `37476288.0`, and 0 stands for none."""
    return pmid(cell.removesuffix(".0"))


def _date(cell: str) -> date | None:
    """A date as `7/12/2023 0:00`, month first, or `2023-07-12`; None where it is none that can be."""
    if found := _AMERICAN.match(cell):
        month, day, year = map(int, found.groups())
    elif found := _ISO.match(cell):
        year, month, day = map(int, found.groups())
    else:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _said(source: Identifiers, known: dict[str, list[Event]]) -> Metadata | None:
    """What the rows say of a source, as an original and as a notice; None where no row names it."""
    events = list(dict.fromkeys(event for name in source.named() for event in known.get(name, ())))
    own = sorted((e for e in events if _is_of(source, e.original)), key=lambda event: event.when or date.max)
    others = [event for event in events if event not in own and _is_of(source, event.notice)]
    signals = [*_signals(own), *(Signal("notice", _BY, e.detail) for e in others if e.kind in _KINDS)]
    relations = [*_relations(own, to_original=False), *_relations(others, to_original=True)]
    if not own and not others:
        return None
    return Metadata(
        identifiers=source, relations=tuple(dict.fromkeys(relations)), signals=tuple(dict.fromkeys(signals))
    )


def _relations(events: Sequence[Event], *, to_original: bool) -> Iterator[Relation]:
    """To the notice of each event, or to the original; where that has no name, none."""
    for event in events:
        other = event.original if to_original else event.notice
        if other and event.kind in _KINDS:
            _, of_original, of_notice = _KINDS[event.kind]
            yield Relation(of_notice if to_original else of_original, other, f"{_BY}: {event.detail}", event.at)


def _signals(events: Sequence[Event]) -> Iterator[Signal]:
    """What happened to an article, oldest first. A reinstatement counts only where surely no retraction follows it."""
    retracted = max((event.when or date.max for event in events if event.kind == "retraction"), default=date.min)
    for event in events:
        if event.kind in _KINDS:
            yield Signal(_KINDS[event.kind][0], _BY, event.detail, event.at)
        elif (event.when or date.min) >= retracted:
            yield Signal("reinstated", _BY, event.detail, event.at)


def _is_of(source: Identifiers, named: Identifiers) -> bool:
    """Whether a row names the source, and by no DOI that is another's."""
    shared = bool(set(source.named()) & set(named.named()))
    return shared and not (source.doi and named.doi and source.doi != named.doi)

"""The Retraction Watch database as a downloaded CSV file: retractions, concerns, corrections, reinstatements."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from backedge.evidence.identifiers import doi, pmid
from backedge.evidence.sources import Identifiers, Metadata, Relation, RelationKind, Signal, SignalKind
from backedge.kernel.defect import Permanent

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
_REINSTATED = "reinstatement"
_ADVICE = "download retraction_watch.csv again"


@dataclass(frozen=True)
class Event:
    """One row: what happened to `original`, and the notice of it, where that has a name of its own."""

    record: str
    nature: str
    when: date
    original: Identifiers
    notice: Identifiers
    reasons: str

    @property
    def detail(self) -> str:
        """The row in a few words."""
        when = "" if self.when == date.min else f", {self.when.isoformat()}"
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
        rows = csv.DictReader(file)
        lacking = [column for column in _COLUMNS if column not in (rows.fieldnames or ())]
        if lacking:
            message = f"{path.name} is no file of Retraction Watch: it has no column {', '.join(lacking)}"
            raise Permanent(message, mend=_ADVICE)
        try:
            yield from (_event(row) for row in rows)
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


def _date(cell: str) -> date:
    """A date as `7/12/2023 0:00`, month first; the first of all days where it is none."""
    pieces = cell.partition(" ")[0].split("/")
    if len(pieces) != 3 or not all(piece.isascii() and piece.isdecimal() for piece in pieces):
        return date.min
    month, day, year = map(int, pieces)
    try:
        return date(year, month, day)
    except ValueError:
        return date.min


def _said(source: Identifiers, known: dict[str, list[Event]]) -> Metadata | None:
    """What the rows say of a source, as an original and as a notice; None where no row names it."""
    events = list(dict.fromkeys(event for name in source.named() for event in known.get(name, ())))
    own = sorted((e for e in events if _is_of(source, e.original)), key=lambda event: event.when)
    others = [event for event in events if event not in own and _is_of(source, event.notice)]
    signals = [*_signals(own), *(Signal("notice", _BY, e.detail) for e in others if e.nature.lower() in _KINDS)]
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
        if other and event.nature.lower() in _KINDS:
            _, of_original, of_notice = _KINDS[event.nature.lower()]
            yield Relation(of_notice if to_original else of_original, other, f"{_BY}: {event.detail}")


def _signals(events: Sequence[Event]) -> Iterator[Signal]:
    """What happened to an article, oldest first. A reinstatement counts only while no retraction follows it."""
    retracted = max((event.when for event in events if event.nature.lower() == "retraction"), default=date.min)
    for event in events:
        nature = event.nature.lower()
        if nature in _KINDS:
            yield Signal(_KINDS[nature][0], _BY, event.detail)
        elif nature == _REINSTATED and event.when >= retracted:
            yield Signal("reinstated", _BY, event.detail)


def _is_of(source: Identifiers, named: Identifiers) -> bool:
    """Whether a row names the source, and by no DOI that is another's."""
    shared = bool(set(source.named()) & set(named.named()))
    return shared and not (source.doi and named.doi and source.doi != named.doi)

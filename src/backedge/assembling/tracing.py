"""Walks from a sentence of a design, or from a record, to the characters of its sources; each link is checked."""

from __future__ import annotations

import re

from rapidfuzz import fuzz, process

from backedge.evidence import inquiry_kinds, kinds
from backedge.evidence.designs import SECTIONS
from backedge.evidence.exporting.cited import Citations, Cited
from backedge.evidence.exporting.design_sentences import CitedSentence, Place, cited_sentences, place_of
from backedge.evidence.exporting.trace_form import Attempt, Bears, Trace, TracedQuote, TracedRecord, TracedSentence
from backedge.evidence.library import Library
from backedge.evidence.ports import Contents
from backedge.evidence.quoted import quoted_strings
from backedge.evidence.quoting import quoted_elsewhere
from backedge.evidence.sentences import sentences
from backedge.evidence.spans import stands
from backedge.evidence.tables import USUAL, Tables
from backedge.evidence.views import packages_kept
from backedge.kernel.defect import Permanent

MOST = 12  # sentences that words may stand in
NEAREST = 3
_RECORD = re.compile(r"[0-9a-f]{12}\.[0-9a-f]{12}")


async def traced(
    words: str, investigation: str | None, library: Library, contents: Contents, tables: Tables = USUAL
) -> Trace:
    """What words lead to: `D2/endpoints/3`, words of a design, the key of a record, or what a record states.

    Without an investigation all are looked through, the newest version of each design; words that stand in several
    are traced in none. Raises `Permanent` where the words lead nowhere, with the nearest sentences.
    """
    asked = words.strip()
    if not asked:
        raise Permanent("there are no words to trace", mend="give a sentence, its place (D1/endpoints/2) or a record")
    walk = _Walk(asked, library, contents, tables)
    if _RECORD.fullmatch(asked):
        return await walk.record(asked, investigation)
    if (place := place_of(asked)) is not None:
        return await walk.sentences(*await _placed(place, investigation, library))
    found = await _standing_in(asked, investigation, library)
    if found is not None:
        return await walk.sentences(*found)
    key = await _stating(asked, library)
    if key:
        return await walk.record(key, investigation)
    raise await _nowhere(asked, investigation, library)


async def _designs(investigation: str | None, library: Library) -> dict[str, list[CitedSentence]]:
    """The sentences of the newest version of each design, by investigation."""
    under = f"{investigation}/" if investigation else ""
    kept = await library.all(inquiry_kinds.DESIGN, under)
    if investigation and not kept:
        mend = f"backedge investigate show {investigation}"
        raise Permanent(f"investigation {investigation} has no design yet", mend=mend)
    newest = {each.investigation: each.design for each in kept}
    return {key: list(cited_sentences(design)) for key, design in newest.items()}


async def _placed(place: Place, investigation: str | None, library: Library) -> tuple[str, list[CitedSentence]]:
    under = f"{investigation}/" if investigation else ""
    kept = await library.all(inquiry_kinds.DESIGN, under)
    named = [each for each in kept if each.design.version == place.version]
    investigations = list(dict.fromkeys(each.investigation for each in named))
    if not named:
        versions = ", ".join(f"{each.investigation} version {each.design.version}" for each in kept) or "no design"
        raise Permanent(f"there is no design of version {place.version}", mend=f"there is {versions}")
    if len(investigations) > 1:
        raise _several(f"version {place.version}", investigations)
    if place.section is None:
        names = ", ".join(row.name for row in SECTIONS)
        raise Permanent("a design has no such section", mend=f"name one of {names}, or its number from 1")
    in_section = [each for each in cited_sentences(named[0].design) if each.section == place.section]
    found = [each for each in in_section if each.number == place.number]
    if not found:
        said = f"section {place.section} of version {place.version} has {len(in_section)} sentences"
        raise Permanent(f"{said}, no sentence {place.number}", mend="count them from 1")
    return investigations[0], found


async def _standing_in(
    words: str, investigation: str | None, library: Library
) -> tuple[str, list[CitedSentence]] | None:
    """The sentences that the words stand in, of the one design that has them; None where none has."""
    found = {
        key: hits for key, listed in (await _designs(investigation, library)).items() if (hits := _hit(words, listed))
    }
    if len(found) > 1:
        raise _several("what you gave stands", list(found))
    for key, hits in found.items():
        if len(hits) > MOST:
            said = f"the words stand in {len(hits)} sentences of the design"
            raise Permanent(said, mend="give more of the sentence, or its place, such as D1/endpoints/2")
        return key, hits
    return None


def _hit(words: str, listed: list[CitedSentence]) -> list[CitedSentence]:
    """Sentences that hold the words; where the words are several sentences, all that they cover."""
    whole = [each for each in listed if _same(each.text, words)]
    if whole:
        return whole
    held = [each for each in listed if stands(words, each.text)]
    if held:
        return held
    parts = [words[start:end] for start, end in sentences(words)]
    if len(parts) < 2:
        return []
    covered = [[each for each in listed if stands(part, each.text)] for part in parts]
    return list(dict.fromkeys(each for found in covered for each in found)) if all(covered) else []


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()) == " ".join(other.split())


async def _stating(words: str, library: Library) -> str:
    """The key of the record that states the words; the newest attempt of several. Empty where none does."""
    said = [r for r in await library.all(kinds.RECORD) if _same(r.proposal.statement, words)]
    replaced = {record.replaces for record in said}
    last = [record.key for record in said if record.key not in replaced]
    if len(last) > 1:
        mend = f"give the key of one: {', '.join(last[:MOST])}"
        raise Permanent(f"{len(last)} records state that", mend=mend)
    return last[0] if last else ""


def _several(what: str, investigations: list[str]) -> Permanent:
    named = ", ".join(investigations)
    return Permanent(f"{what} in the designs of several investigations: {named}", mend="name one with --investigation")


async def _nowhere(words: str, investigation: str | None, library: Library) -> Permanent:
    listed = [each for found in (await _designs(investigation, library)).values() for each in found]
    if not listed:
        return Permanent("there is no design to look in", mend="backedge investigate list")
    texts = [each.text for each in listed]
    best = process.extract(words, texts, scorer=fuzz.token_set_ratio, limit=NEAREST)
    nearest = "; ".join(f"{listed[at].place} “{' '.join(texts[at].split())}”" for _, _, at in best)
    return Permanent("the words are in no design, and no record states them", mend=f"the nearest are {nearest}")


class _Walk:
    """One trace in the making; `checked` counts its links."""

    def __init__(self, asked: str, library: Library, contents: Contents, tables: Tables) -> None:
        self._asked = asked
        self._library = library
        self._contents = contents
        self._tables = tables

    async def sentences(self, investigation: str, found: list[CitedSentence]) -> Trace:
        """From sentences of one design."""
        packages = await packages_kept(investigation, self._library)
        held = {record.record for package in packages for record in package.records}
        reader = Citations(self._library, self._contents, packages)
        keys = dict.fromkeys(key for each in found for key in each.records)
        cited = {key: await reader.of(key) for key in keys}
        shown = tuple(_sentence(investigation, each, cited, held, self._tables) for each in found)
        records = tuple([await self._record(each, investigation) for each in cited.values()])
        links = sum(1 + len(each.records) + len(each.quotes) for each in shown)
        broken = tuple(problem for each in shown for problem in each.problems)
        return self._trace("sentence", shown, records, links, broken)

    def _trace(
        self,
        kind: str,
        shown: tuple[TracedSentence, ...],
        records: tuple[TracedRecord, ...],
        links: int,
        broken: tuple[str, ...],
    ) -> Trace:
        links += sum(1 + len(each.cited.spans) + 2 * (each.cited.source is not None) for each in records)
        broken = (*broken, *(problem for each in records for problem in each.cited.broken))
        stale = tuple(dict.fromkeys(why for each in records for why in each.cited.stale))
        is_sentence = kind == "sentence"
        return Trace(
            self._asked,
            "sentence" if is_sentence else "record",
            shown,
            records,
            links,
            tuple(dict.fromkeys(broken)),
            stale,
        )

    async def record(self, key: str, investigation: str | None) -> Trace:
        """From a record."""
        packages = await packages_kept(investigation, self._library) if investigation else ()
        cited = await Citations(self._library, self._contents, packages).of(key)
        if not cited.statement:
            raise Permanent(f"there is no record {key}", mend="backedge records list")
        return self._trace("record", (), (await self._record(cited, investigation),), 0, ())

    async def _record(self, cited: Cited, investigation: str | None) -> TracedRecord:
        verified = await self._library.all(kinds.VERIFIED, f"{cited.key}/")
        return TracedRecord(
            cited,
            verified[-1].verification if verified else None,
            await self._attempts(cited.key),
            await self._bears(cited.key, investigation),
        )

    async def _attempts(self, key: str) -> tuple[Attempt, ...]:
        found: list[Attempt] = []
        while key and key not in {attempt.key for attempt in found}:
            record = await self._library.one(kinds.RECORD, key)
            if record is None:
                break
            standings = await self._library.all(kinds.STANDING, f"{key}/")
            found.append(Attempt(key, record.attempt, standings))
            key = record.replaces
        return tuple(reversed(found))

    async def _bears(self, key: str, investigation: str | None) -> tuple[Bears, ...]:
        if not investigation:
            return ()
        asked = await self._library.one(inquiry_kinds.QUESTIONS, investigation)
        found = []
        for question in asked.questions if asked else ():
            kept = await self._library.one(inquiry_kinds.ASSESSMENT, f"{investigation}/{question.key}/{key}")
            if kept is not None:
                said = kept.assessment
                found.append(Bears(question.key, question.text, said.relationship, said.applicability, said.reason))
        return tuple(found)


def _sentence(
    investigation: str, sentence: CitedSentence, cited: dict[str, Cited], held: set[str], tables: Tables
) -> TracedSentence:
    problems = [f"{sentence.place}: record {key} is in no package" for key in sentence.records if key not in held]
    spans = {key: [span.exact for span in cited[key].spans] for key in sentence.records}
    everything = [exact for found in spans.values() for exact in found]
    loose = set(quoted_elsewhere(sentence.text, everything))
    quotes = []
    for quoted in quoted_strings(sentence.text):
        of = next((key for key, found in spans.items() if any(stands(quoted.text, exact) for exact in found)), "")
        if of or quoted.text in loose:
            quotes.append(TracedQuote(quoted.text, of))
        if quoted.text in loose:
            problems.append(f"{sentence.place}: “{quoted.text[:60]}” stands in no span of what the sentence cites")
    return TracedSentence(
        investigation,
        sentence.place,
        tables.section(sentence.section).title,
        sentence.text,
        sentence.records,
        tuple(quotes),
        tuple(problems),
    )

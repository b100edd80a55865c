"""Checks what a design cites and quotes: records of its packages, verified and eligible now, spans that resolve."""

from __future__ import annotations

import re
from collections.abc import Iterable

from backedge.evidence.designs import Citation, Design, DesignSection
from backedge.evidence.inquiry import Package, PackagedRecord
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.numerals import mismatches, numbers
from backedge.evidence.opposition import opposed
from backedge.evidence.quoting import quoted_elsewhere
from backedge.evidence.spans import resolve
from backedge.evidence.species import related, species_stated
from backedge.evidence.texts import reading_of

EVIDENCE = "evidence_basis"
# A count of the evidence ("one study", "two verified records") is a design's own, and in no record.
_OF_EVIDENCE = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"(?: (?:verified|independent|single|more|other|further))*"
    r" (?:stud(?:y|ies)|records?|sources?|papers?|reports?|trials?|experiments?|articles?|questions?|strains?"
    r"|doses?)\b",
    re.IGNORECASE,
)


async def problems_of(design: Design, packages: tuple[Package, ...], ports: InvestigatePorts) -> tuple[str, ...]:
    """What is wrong with the citations and the quoted strings of a design, one sentence each."""
    held = {record.record: record for package in packages for record in package.records}
    problems = [problem for section in design.sections for problem in section_problems(section, held)]
    problems += facet_problems(design, [span.exact for record in held.values() for span in record.spans])
    cited = dict.fromkeys(key for s in design.sections for c in s.citations for key in c.records if key in held)
    texts: dict[str, tuple[str, str]] = {}
    for key in cited:
        problems += await _of_record(held[key], texts, ports)
    return tuple(dict.fromkeys(problems))


def section_problems(section: DesignSection, held: dict[str, PackagedRecord]) -> Iterable[str]:
    """What is wrong with a section as it stands: what it cites is not held, or does not say what its sentence says."""
    for citation in section.citations:
        if not citation.sentence.strip():
            yield f"{section.name}: a citation has no sentence"
        elif citation.sentence.strip() not in section.text:
            yield f"{section.name}: the cited sentence {citation.sentence[:60]!r} is not in the section"
        if not citation.records:
            yield f"{section.name}: {citation.sentence[:60]!r} cites no record"
        for key in citation.records:
            if key not in held:
                yield f"{section.name}: record {key} is in no package"
        yield from _of_sentence(section, citation, [held[key] for key in citation.records if key in held])
    uncited = _uncited(section)
    for words in quoted_elsewhere(uncited, ()):
        yield f"{section.name}: {words[:60]!r} is quoted, and its sentence cites no record"
    spans = [span.exact for c in section.citations for key in c.records if key in held for span in held[key].spans]
    for words in quoted_elsewhere(section.text, spans):  # also what begins in one sentence and ends in another
        yield f"{section.name}: {words[:60]!r} is quoted, and stands in no span of what the section cites"
    for number in _counted(uncited) if section.name == EVIDENCE else ():
        yield f"{section.name}: {number} is told of the evidence, and its sentence cites no record"


def facet_problems(design: Design, spans: list[str]) -> Iterable[str]:
    """What is wrong with how facets are met: words that are quoted there and stand in no span of any record."""
    for name, how in design.facets:
        for words in quoted_elsewhere(how, spans):
            yield f"facet {name}: {words[:60]!r} is quoted, and stands in no span of a record"


def _of_sentence(section: DesignSection, citation: Citation, records: list[PackagedRecord]) -> Iterable[str]:
    """What a cited sentence quotes or counts, and the records that it cites do not."""
    spans = [span.exact for record in records for span in record.spans]
    for words in quoted_elsewhere(citation.sentence, spans):
        yield f"{section.name}: {words[:60]!r} is quoted, and stands in no span of what its sentence cites"
    said = "\n".join((*spans, *(record.statement for record in records)))
    told = citation.sentence[:60]
    for _, number in mismatches(_OF_EVIDENCE.sub(" ", citation.sentence), said):
        spelt = not any(sign.isdigit() for sign in number.written)
        if not (spelt and section.name != EVIDENCE and not number.unit):  # "two groups" are of the design itself
            yield f"{section.name}: {number.written} of {told!r} is in no record that the sentence cites"
    if (turned := opposed(citation.sentence, said)) is not None:
        yield f"{section.name}: {told!r} says {turned.said}, and what it cites says {turned.text}"
    if related(species_stated(citation.sentence), species_stated(said)) is False:
        yield f"{section.name}: {told!r} is of other species than what it cites"


def _counted(text: str) -> Iterable[str]:
    """The numbers of a text that count or measure something, but for those that count the evidence itself."""
    return (number.written for number in numbers(_OF_EVIDENCE.sub(" ", text)))


def _uncited(section: DesignSection) -> str:
    """The text of a section without its cited sentences."""
    text = section.text
    for citation in section.citations:
        if cited := citation.sentence.strip():
            text = text.replace(cited, " ")
    return text


async def _of_record(record: PackagedRecord, texts: dict[str, tuple[str, str]], ports: InvestigatePorts) -> list[str]:
    standing, judgement = await ports.library.standing(record.record), await ports.library.judgement(record.version)
    problems = []
    if standing is None or standing.status != "accepted":
        problems.append(f"record {record.record} is not accepted")
    if judgement is None or not judgement.eligible:
        problems.append(f"record {record.record}: its source may not be used")
    if record.version not in texts:
        kept = await ports.library.text(record.version)
        texts[record.version] = ((await reading_of(kept, ports.contents)).text, kept.text)
    problems += [
        f"record {record.record}: {defect.message}"
        for span in record.spans
        if (defect := resolve(span, *texts[record.version])) is not None
    ]
    return problems

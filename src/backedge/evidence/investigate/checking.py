"""Checks what a design cites and quotes: records of its packages, verified and eligible now, spans that resolve."""

from __future__ import annotations

from collections.abc import Iterable

from backedge.evidence.designs import Citation, Design, DesignSection
from backedge.evidence.inquiry import Package, PackagedRecord
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.numerals import mismatches
from backedge.evidence.quoting import quoted_elsewhere
from backedge.evidence.spans import resolve
from backedge.evidence.texts import reading_of


async def problems_of(design: Design, packages: tuple[Package, ...], ports: InvestigatePorts) -> tuple[str, ...]:
    """What is wrong with the citations and the quoted strings of a design, one sentence each."""
    held = {record.record: record for package in packages for record in package.records}
    problems = [problem for section in design.sections for problem in section_problems(section, held)]
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
    for words in quoted_elsewhere(_uncited(section), ()):
        yield f"{section.name}: {words[:60]!r} is quoted, and its sentence cites no record"


def _of_sentence(section: DesignSection, citation: Citation, records: list[PackagedRecord]) -> Iterable[str]:
    """What a cited sentence quotes or counts, and the records that it cites do not."""
    spans = [span.exact for record in records for span in record.spans]
    for words in quoted_elsewhere(citation.sentence, spans):
        yield f"{section.name}: {words[:60]!r} is quoted, and stands in no span of what its sentence cites"
    said = "\n".join((*spans, *(record.statement for record in records)))
    for _, number in mismatches(citation.sentence, said):
        if any(sign.isdigit() for sign in number.written):  # "one study" counts the evidence, and is in no record
            told = citation.sentence[:60]
            yield f"{section.name}: {number.written} of {told!r} is in no record that the sentence cites"


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

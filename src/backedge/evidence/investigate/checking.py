"""Checks what a design cites and quotes: records of its packages, verified and eligible now, spans that resolve."""

from __future__ import annotations

from collections.abc import Iterable

from backedge.evidence.designs import Design, DesignSection
from backedge.evidence.inquiry import Package, PackagedRecord
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.quoting import quoted_elsewhere
from backedge.evidence.spans import resolve
from backedge.evidence.texts import reading_of


async def problems_of(design: Design, packages: tuple[Package, ...], ports: InvestigatePorts) -> tuple[str, ...]:
    """What is wrong with the citations and the quoted strings of a design, one sentence each."""
    held = {record.record: record for package in packages for record in package.records}
    problems = [problem for section in design.sections for problem in _of_section(section, held)]
    cited = dict.fromkeys(key for s in design.sections for c in s.citations for key in c.records if key in held)
    texts: dict[str, tuple[str, str]] = {}
    for key in cited:
        problems += await _of_record(held[key], texts, ports)
    return tuple(dict.fromkeys(problems))


def _of_section(section: DesignSection, held: dict[str, PackagedRecord]) -> Iterable[str]:
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
    quoted = [
        span.exact
        for citation in section.citations
        for key in citation.records
        if key in held
        for span in held[key].spans
    ]
    for words in quoted_elsewhere(section.text, quoted):
        yield f"{section.name}: {words[:60]!r} is quoted, and stands in no span of what the section cites"


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

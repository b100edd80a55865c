"""Makes packages of what inquiries recorded, and reads them back."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import inquiry_kinds, kinds
from backedge.evidence.inquiry import Assessment, CoverageGap, InvestigationQuestion, Package, Sufficiency
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.library import Library
from backedge.evidence.packages import Packable, package, without_invalid
from backedge.evidence.spans import resolve
from backedge.evidence.staleness import no_longer_stands
from backedge.evidence.texts import reading_of
from backedge.kernel.defect import Permanent

UNKNOWN = Sufficiency("insufficient", (), ("its inquiry failed",), "nothing was found out")


async def packed(investigation: str, question: InvestigationQuestion, ports: InvestigatePorts) -> Package:
    """The package of one question, as its inquiry left it and as its records and sources stand now."""
    library, key = ports.library, f"{investigation}/{question.key}"
    weighed = await library.one(inquiry_kinds.SUFFICIENCY, key)
    kept = await library.all(inquiry_kinds.ASSESSMENT, f"{key}/")
    gaps = [gap.gap for gap in await library.all(inquiry_kinds.GAP, f"{key}/")]
    texts: dict[str, tuple[str, str]] = {}
    packable = [await _packable(each.assessment, texts, ports) for each in kept]
    sufficiency = weighed.sufficiency if weighed else UNKNOWN
    return package(question, tuple(packable), sufficiency, last_of(gaps), ports.package_tokens)


async def _packable(assessment: Assessment, texts: dict[str, tuple[str, str]], ports: InvestigatePorts) -> Packable:
    """A record as it stands now; `texts` are those of versions that were read for the same question."""
    library, key = ports.library, assessment.record
    record = await library.one(kinds.RECORD, key)
    if record is None:
        raise Permanent(f"the record {key} is not in the store")
    standing, judgement = await library.standing(key), await library.judgement(record.version)
    if record.version not in texts:
        kept = await library.text(record.version)
        texts[record.version] = ((await reading_of(kept, ports.contents)).text, kept.text)
    text, text_hash = texts[record.version]
    broken = tuple(
        defect.message
        for spans in record.spans
        for span in spans
        if (defect := resolve(span, text, text_hash)) is not None
    )
    verified = standing is not None and standing.status == "accepted"
    eligible = judgement is not None and judgement.eligible
    return Packable(record, assessment, verified, eligible, broken)


def last_of(gaps: list[CoverageGap]) -> tuple[CoverageGap, ...]:
    """Each gap as it was recorded last: closed by a later round, or with why no further round is run."""
    found: dict[str, CoverageGap] = {}
    for gap in gaps:
        if gap.key not in found or gap.closed_by or gap.refused:
            found[gap.key] = gap
    return tuple(found.values())


async def packages_of(investigation: str, names: tuple[str, ...], library: Library) -> tuple[Package, ...]:
    """The packages of these names (`QUESTION/KEY`), in their order."""
    found = []
    for name in names:
        kept = await library.one(inquiry_kinds.PACKAGE, f"{investigation}/{name}")
        if kept is None:
            raise Permanent(f"the package {name} is not in the store")
        found.append(kept.package)
    return tuple(found)


async def told_of(investigation: str, names: tuple[str, ...], library: Library) -> tuple[Package, ...]:
    """The packages as a model is told of them: of invalid ones no record, and none that no longer stands."""
    found = []
    for made in await packages_of(investigation, names, library):
        kept, gaps = [], list(made.gaps)
        for record in made.records:
            if why := await no_longer_stands(record.record, record.source, record.version, library):
                gaps.append(CoverageGap(f"{made.question.key}/{record.record}", record.statement, "; ".join(why)))
            else:
                kept.append(record)
        found.append(without_invalid(replace(made, records=tuple(kept), gaps=tuple(gaps))))
    return tuple(found)

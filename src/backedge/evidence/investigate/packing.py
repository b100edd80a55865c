"""Makes packages of what inquiries recorded, and reads them back."""

from __future__ import annotations

from backedge.evidence import inquiry_kinds, kinds
from backedge.evidence.inquiry import CoverageGap, InvestigationQuestion, Package, Sufficiency
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.investigate.states import Packaging
from backedge.evidence.library import Library
from backedge.evidence.packages import Packable, package
from backedge.evidence.spans import resolve
from backedge.evidence.texts import reading_of
from backedge.kernel.defect import Permanent

UNKNOWN = Sufficiency("insufficient", (), ("its inquiry failed",), "nothing was found out")


async def packed(state: Packaging, question: InvestigationQuestion, ports: InvestigatePorts) -> Package:
    """The package of one question, as its inquiry left it and as its records and sources stand now."""
    library, key = ports.library, f"{state.request.key}/{question.key}"
    weighed = await library.one(inquiry_kinds.SUFFICIENCY, key)
    kept = await library.all(inquiry_kinds.ASSESSMENT, f"{key}/")
    gaps = [gap.gap for gap in await library.all(inquiry_kinds.GAP, f"{key}/")]
    packable = [await _packable(each.assessment.record, each, ports) for each in kept]
    sufficiency = weighed.sufficiency if weighed else UNKNOWN
    return package(question, tuple(packable), sufficiency, last_of(gaps), ports.package_tokens)


async def _packable(key: str, kept: inquiry_kinds.Assessing, ports: InvestigatePorts) -> Packable:
    library = ports.library
    record = await library.one(kinds.RECORD, key)
    if record is None:
        raise Permanent(f"the record {key} is not in the store")
    standing, judgement = await library.standing(key), await library.judgement(record.version)
    text = await library.text(record.version)
    reading = await reading_of(text, ports.contents)
    broken = tuple(
        defect.message
        for spans in record.spans
        for span in spans
        if (defect := resolve(span, reading.text, text.text)) is not None
    )
    verified = standing is not None and standing.status == "accepted"
    eligible = judgement is not None and judgement.eligible
    return Packable(record, kept.assessment, verified, eligible, broken)


def last_of(gaps: list[CoverageGap]) -> tuple[CoverageGap, ...]:
    """Each gap as it was recorded last: closed, where a later round closed it."""
    found: dict[str, CoverageGap] = {}
    for gap in gaps:
        if gap.key not in found or gap.closed_by:
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

"""Ten real articles through the evidence agent with any model: records, true quotations, what each gate refused."""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel

from backedge.adapters.models import local
from backedge.adapters.models.recorded import RecordedAgent
from backedge.adapters.reading import jats
from backedge.agent.ports import ROUNDS, Agent, ModelSettings, Prompt, Tool
from backedge.assembling.models import LazyAgent, connection_to
from backedge.config.stage_models import ModelChoice
from backedge.evidence.flags import flags_of
from backedge.evidence.ingest.parts import parts_of
from backedge.evidence.passages import around_of, passages_of
from backedge.evidence.places import LocatedText
from backedge.evidence.ports import Shown
from backedge.evidence.prompted.extractor import PromptedExtractor
from backedge.evidence.prompted.verifier import PromptedVerifier
from backedge.evidence.reading import Reading
from backedge.evidence.records import EvidenceRecord, Span, Verification
from backedge.evidence.spans import located
from backedge.evidence.texts import shown
from backedge.evidence.validation import validate
from backedge.evidence.verdicts import lowered, verdict
from backedge.kernel.defect import Defect, Failure, Permanent
from backedge.kernel.stage import Lesson, Reply, Unreadable

ARTICLES = Path(__file__).parents[2] / "shared" / "data" / "evidence_inference" / "xml"
ROLES = ("abstract", "results", "discussion")
T = TypeVar("T", bound=BaseModel)


@dataclass
class Counts:
    """What came of it. Every record is in exactly one of `unfound`, `unsound`, `unverified` and `ends`."""

    calls: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    unreadable: Counter[str] = field(default_factory=Counter)
    nothing: int = 0
    records: Counter[str] = field(default_factory=Counter)
    quotations: Counter[str] = field(default_factory=Counter)
    unfound: int = 0
    unsound: Counter[str] = field(default_factory=Counter)
    unverified: int = 0
    said: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Article:
    """An article as it was read."""

    name: str
    version: str
    reading: Reading

    @property
    def text(self) -> str:
        """The hash of its text."""
        return hashlib.sha256(self.reading.text.encode()).hexdigest()


def articles(folder: Path, count: int) -> Iterator[Article]:
    """The first articles of the folder."""
    for path in sorted(folder.glob("*.nxml"))[:count]:
        content = path.read_bytes()
        reading = jats.read(content, path.name)
        assert isinstance(reading, Reading), f"{path.name} cannot be read"
        yield Article(path.stem, hashlib.sha256(content).hexdigest(), reading)


def parts(article: Article, room: int, most: int) -> Iterator[tuple[Shown, ...]]:
    """The parts that an ingest would show, of sections that hold results, at most so many of an article."""
    told = 0
    for part in parts_of(article.reading, room):
        sections = tuple(shown(article.reading, s.section, s.start, s.end) for s in part)
        kept = tuple(section for section in sections if section.role in ROLES)
        if kept and told < most:
            told += 1
            yield kept


class Keeping:
    """A model whose replies are kept in a folder, and not asked for again: a long measurement can be gone on with."""

    def __init__(self, agent: Agent, folder: Path) -> None:
        self._kept = RecordedAgent(agent.settings, folder)
        self._asked = RecordedAgent(agent.settings, folder, agent)

    @property
    def settings(self) -> ModelSettings:
        """The model's."""
        return self._asked.settings

    async def ask(
        self, prompt: Prompt, reply: type[T], tools: Sequence[Tool] = (), rounds: int = ROUNDS
    ) -> Reply[T] | Unreadable:
        """What was kept, else what the model says."""
        try:
            return await self._kept.ask(prompt, reply)
        except Permanent:
            return await self._asked.ask(prompt, reply)


async def timed(counts: Counts, what: str, call: Any) -> Any:
    """What a call gives; it is counted and its time taken. None where it failed or was no reply."""
    began = time.perf_counter()
    try:
        said = await call
    except Failure as failure:
        said = Unreadable(failure.message, Defect(type(failure).__name__, failure.message))
    counts.calls[what] += 1
    took = time.perf_counter() - began
    counts.seconds[what] += round(took)
    print(f"  {what}: {took:.1f} s", flush=True)
    if isinstance(said, Reply):
        return said.proposal
    counts.unreadable[f"{what}: {said.defect.kind}"] += 1
    print(f"  {what}: {said.defect.kind}: {said.defect.message[:200]}", flush=True)
    return None


async def extracted(article: Article, extractor: PromptedExtractor, most: int, counts: Counts) -> list[EvidenceRecord]:
    """The records of an article whose quotations are all true; the others are counted."""
    text = LocatedText(article.reading)
    kept: list[EvidenceRecord] = []
    for part in parts(article, extractor.room, most):
        call = extractor.extract(article.reading.metadata, part, Lesson())
        extraction = await timed(counts, "extract", call)
        if extraction is None:
            continue
        counts.nothing += not extraction.records
        for proposal in extraction.records:
            counts.records[proposal.kind] += 1
            places: list[tuple[Span, ...]] = []
            for quotation in proposal.quotations:
                found = located(text, quotation, version=article.version, text_hash=article.text)
                counts.quotations[found.kind if isinstance(found, Defect) else "true"] += 1
                places.append(() if isinstance(found, Defect) else found)
                if isinstance(found, Defect):
                    print(f"  {article.name} {found.kind}: {quotation.text[:160]!r}", flush=True)
            key = f"{article.version[:12]}.{len(kept)}"
            record = EvidenceRecord(key, article.version, article.name, proposal, tuple(places))
            kept += [record] if all(places) else []
            counts.unfound += not all(places)
    return kept


async def verified(article: Article, record: EvidenceRecord, verifier: PromptedVerifier, counts: Counts) -> None:
    """Where the record would go."""
    passages, around = passages_of(record, article.reading), around_of(record, article.reading)
    said = await timed(counts, "verify", verifier.verify(record.proposal, passages, around, Lesson()))
    if said is None:
        counts.unverified += 1
        return
    flags = flags_of(record.proposal, passages, around)
    label = lowered(said.label, said.checks, flags)
    action, _, kind = verdict(Verification(label, said.checks, said.reason, said.label, flags))
    counts.said[said.label] += 1
    counts.labels[label] += 1
    counts.flags.update(flag.kind for flag in flags)
    counts.ends[f"{action} ({kind})" if kind else action] += 1
    print(f"  {article.name} {action} {kind}: {record.proposal.statement}", flush=True)


async def measured(model: dict[str, Any], found: list[Article], most: int, keep: Path | None) -> Counts:
    """All of it. Extractions come first: one kind of prompt after the other is what a server's cache is good at."""
    choice = ModelChoice(model["vendor"], model["model_ref"], model_file=model.get("model_file", ""))
    agent: Agent = LazyAgent(connection_to(choice, None, Path()), {})
    if keep:
        agent = Keeping(agent, keep)
    counts = Counts()
    records: list[tuple[Article, EvidenceRecord]] = []
    for article in found:
        print(article.name, flush=True)
        kept = await extracted(article, PromptedExtractor(agent), most, counts)
        for number, record in enumerate(kept):
            earlier = tuple(kept[:number])
            defects = validate(record, article.reading.text, article.text, article.reading.sections, earlier)
            counts.unsound.update(defect.kind for defect in defects[:1])
            records += [] if defects else [(article, record)]
    for article, record in records:
        await verified(article, record, PromptedVerifier(agent), counts)
    return counts


def table(counts: Counts) -> Iterator[str]:
    """A line for each thing that was counted."""
    for name, value in vars(counts).items():
        told = value if isinstance(value, int) else ", ".join(f"{key} {n}" for key, n in value.most_common()) or 0
        yield f"{name:12} {told}"


def main() -> None:
    """Read, ask, count and print. The first replies are judged; nothing is retried."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=yaml.safe_load, help="as under `models` of config.yml: {vendor: …, model_ref: …}")
    parser.add_argument("--articles", type=int, default=10)
    parser.add_argument("--parts", type=int, default=1_000, help="at most so many parts of an article")
    parser.add_argument("--keep", type=Path, help="a folder of replies: looked up there before a model is asked")
    told = parser.parse_args()
    if not ARTICLES.is_dir():
        raise SystemExit(f"{ARTICLES} is not here, so nothing is measured")
    try:
        counts = asyncio.run(measured(told.model, list(articles(ARTICLES, told.articles)), told.parts, told.keep))
    finally:
        local.close_all()
    print("\n".join(table(counts)))
    if not sum(counts.records.values()):
        raise SystemExit("no record was proposed: nothing was measured")


if __name__ == "__main__":
    main()

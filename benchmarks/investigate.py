"""A whole investigation of 200 questions over 20,000 chunks, by how many records there are: cost, memory, journal."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from backedge.adapters.clock import SystemClock
from backedge.adapters.search.view import SqliteSearchView
from backedge.adapters.sources.contents import FolderContents
from backedge.adapters.stores.sqlite import open_sqlite
from backedge.evidence import kinds
from backedge.evidence.chunks import Chunk
from backedge.evidence.designs import (
    CRITERIA,
    SECTIONS,
    Approach,
    ApproachDecision,
    Assumption,
    Candidates,
    Citation,
    Design,
    DesignSection,
    Rated,
)
from backedge.evidence.facets import FACET_NAMES, FACETS, FacetCommand, RoundTrip
from backedge.evidence.inquire.ports import AssessedByModel, InquirePorts
from backedge.evidence.inquire.workflow import INQUIRE
from backedge.evidence.inquiry import (
    VIEW,
    Assessment,
    DerivedQuestions,
    InvestigationQuestion,
    SearchPlan,
    SearchQuery,
    Sufficiency,
)
from backedge.evidence.inquiry_kinds import ASSESSMENT
from backedge.evidence.investigate.ports import InvestigatePorts, SaidFacet, SaidFacets, SaidValue
from backedge.evidence.investigate.states import Decide, Request
from backedge.evidence.investigate.workflow import INVESTIGATE
from backedge.evidence.library import Library
from backedge.evidence.reading import Completeness, Section
from backedge.evidence.records import EvidenceRecord, Judgement, Proposal, Quotation, Span, Standing
from backedge.evidence.sources import Fetched, Identifiers, Metadata
from backedge.evidence.spans import AROUND
from backedge.evidence.versions import Text, Version
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Context
from backedge.kernel.stage import Lesson, Record, Reply, Settled, Stage
from backedge.kernel.workflow import Workflow

QUESTIONS, SOURCES, CHUNKS = 200, 1_250, 16  # chunks of each source
RECORDS = (1_250, 2_500, 5_000)
WHO = ("ann",)
TODAY = Context(date(2026, 12, 1), by="ann")
WORDS = [f"word{number}" for number in range(4_000)]


class Letters:
    """An embedder without a model: counts of a text's hashed words."""

    name, dimensions = "bench:letters", 64

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text."""
        made = []
        for text in texts:
            vector = [0.01] * self.dimensions
            for word in text.split():
                vector[hash(word) % self.dimensions] += 1.0
            made.append(vector)
        return made


@dataclass(frozen=True)
class Filing:
    """Records that are to be written."""

    records: tuple[Record, ...]


@dataclass(frozen=True)
class Filed:
    """They are."""


@dataclass(frozen=True)
class Nothing:
    """What filing proposes."""


async def _file(state: Filing, ports: Any, lesson: Lesson) -> Nothing:
    return Nothing()


def _filed(state: Filing, said: Nothing) -> Settled[Filed]:
    return Settled(Filed(), records=state.records)


def _begin(filing: Filing, context: Context) -> Filing:
    return filing


FILE = Workflow(
    name="file",
    start=Filing,
    edges={Filing: (Filed,)},
    stages=(Stage(state=Filing, proposal=Nothing, propose=_file, settle=_filed, outside=False),),
    begin=_begin,
)


@dataclass
class Made:
    """One source: its text, chunks and records."""

    text: bytes
    chunks: list[Chunk]
    texts: list[str]
    records: list[Record]


def source(number: int, each: int) -> Made:
    """A source of 16 chunks on one topic of 200, with so many verified records."""
    drawn = random.Random(number)
    topic = f"topic{number % QUESTIONS}"
    texts = [" ".join([topic, *drawn.choices(WORDS, k=70)]) + ". " for _ in range(CHUNKS)]
    whole = "".join(texts)
    content = hashlib.sha256(f"{number}".encode()).hexdigest()
    name = hashlib.sha256(whole.encode()).hexdigest()
    fetched = Fetched(
        "bench",
        str(number),
        content,
        len(whole),
        "text/plain",
        "a.txt",
        Metadata(identifiers=Identifiers(doi=f"10.1/{number}")),
    )
    version = Version(content, f"s{number}", 1, fetched)
    section = Section("s1", "results", "", 0, len(whole))
    read = Text(content, name, "bench", (section,), (), (), (), Completeness())
    made = [kinds.VERSION.record(version), kinds.VERSION_OF.record(version), kinds.TEXT.record(read)]
    made += [kinds.JUDGEMENT.record(Judgement(content, 1, True, (), (), "p"))]
    chunks, at = [], 0
    for place, text in enumerate(texts):
        chunks.append(Chunk(f"{content}:{place}", content, "s1", "results", at, at + len(text)))
        at += len(text)
    for place in range(each):
        made += record_of(content, f"s{number}", name, whole, chunks[place], place)
    return Made(whole.encode(), chunks, texts, made)


def record_of(version: str, source_: str, text: str, whole: str, chunk: Chunk, place: int) -> list[Record]:
    """An accepted record that quotes a chunk, with its standings."""
    exact = whole[chunk.start : chunk.end - 2]
    said = f"Finding {place}."
    proposal = Proposal("finding", said, "rat", "", "", "", "", "increase", "", "", "", (Quotation("s1", exact),))
    end = chunk.end - 2
    before, behind = whole[max(0, chunk.start - AROUND) : chunk.start], whole[end : end + AROUND]
    span = Span(version, text, "s1", "results", chunk.start, end, exact, before, behind)
    key = f"{version[:12]}.{place:012}"
    made = EvidenceRecord(key, version, source_, proposal, ((span,),))
    standings = [Standing(key, 1, "proposed", "run"), Standing(key, 2, "accepted", "verifier")]
    return [kinds.RECORD.record(made), *(kinds.STANDING.record(standing) for standing in standings)]


class Models:
    """Fulfils all agents at once, at no cost: what is measured is everything else."""

    settings = "bench"

    async def facets(self, request: str, lesson: Lesson) -> Reply[SaidFacets]:
        """Eight that are inferred."""
        value = (SaidValue("any", "inferred", reason="the bench"),)
        return Reply(SaidFacets(tuple(SaidFacet(row.name, row.importance, value) for row in FACETS)))

    async def round_trip(self, request: str, facets: Any, lesson: Lesson) -> Reply[RoundTrip]:
        """Nothing differs."""
        return Reply(RoundTrip(request, (), (), ()))

    async def questions(self, facets: Any, lesson: Lesson) -> Reply[DerivedQuestions]:
        """One for each topic."""
        made = (InvestigationQuestion(f"q{n}", f"topic{n}", FACET_NAMES, ("size",), "go on") for n in range(QUESTIONS))
        return Reply(DerivedQuestions(tuple(made), ()))

    async def plan(self, question: InvestigationQuestion, targets: Any, lesson: Lesson) -> Reply[SearchPlan]:
        """Both arms on the library."""
        queries = (SearchQuery(question.text, "lexical"), SearchQuery(question.text, "semantic"))
        return Reply(SearchPlan(queries, (VIEW,), (), "both"))

    async def assess(self, question: Any, held: Any, lesson: Lesson) -> Reply[AssessedByModel]:
        """All supports."""
        said = (
            Assessment(h.record.key, h.record.source, "supports", "unknown", "indirect", "unknown", "so") for h in held
        )
        return Reply(AssessedByModel(tuple(said)))

    async def weigh(self, question: Any, assessments: Any, held: Any, gaps: Any, lesson: Lesson) -> Reply[Sufficiency]:
        """Partial."""
        return Reply(Sufficiency("partial", (), ("doses",), "some"))

    async def candidates(self, facets: Any, packages: Any, lesson: Lesson) -> Reply[Candidates]:
        """Two."""
        keys = tuple(record.record for package in packages for record in package.records)[:1]
        rated = tuple(Rated(row.name, "weak", "few", keys) for row in CRITERIA)
        two = (Approach(k, k, "It is done.", (Assumption("rats", "use"),), rated, keys) for k in ("a", "b"))
        return Reply(Candidates(tuple(two), "They differ in cost."))

    async def design(
        self, facets: Any, packages: Any, candidates: Any, decision: Any, version: int, lesson: Lesson
    ) -> Reply[Design]:
        """One sentence that cites a record of each question."""
        keys = tuple(package.records[0].record for package in packages if package.records)
        sections = [DesignSection(row.name, "It is done.", ()) for row in SECTIONS]
        sections[1] = replace(sections[1], citations=(Citation("It is done.", keys),))
        return Reply(Design(version, tuple(sections), tuple((name, "met") for name in FACET_NAMES)))


def sources(each: int) -> Iterator[Made]:
    """All of them, one at a time."""
    return (source(number, each) for number in range(SOURCES))


async def investigated(folder: Path, records: int) -> dict[str, float]:
    """Fill a project, then run an investigation until its design waits: seconds, megabytes, size of the journal."""
    contents, embedder, said = FolderContents(folder / "contents"), Letters(), Models()
    view = SqliteSearchView(folder / "view.db", embedder.name, embedder.dimensions)
    store = open_sqlite(folder / "runs.db")
    library = Library(store)
    inquire = InquirePorts(library, contents, view, embedder, {}, said, said, lambda: "2026-12-01")
    bounds = {
        "file": Bound(FILE, None),
        "investigate": Bound(INVESTIGATE, InvestigatePorts(library, contents, said, said)),
        "inquire": Bound(INQUIRE, inquire),
    }
    driver = Driver(store, bounds, SystemClock())
    for made in sources(records // SOURCES):
        await contents.put(made.text)
        await view.add(made.chunks, made.texts, await embedder.embed(made.texts))
        await driver.drive(await driver.start("file", Filing(tuple(made.records)), TODAY))
    filled, before = (folder / "runs.db").stat().st_size, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run = await driver.start("investigate", Request("bench", "request", "ann"), TODAY, run_id="bench")
    await driver.drive(run)
    for number, name in enumerate(row.name for row in FACETS if row.importance == "mandatory"):
        await driver.offer(run, FacetCommand("confirm_facet", "ann", number, facet=name, reviewers=WHO), by="ann")
    await driver.offer(run, FacetCommand("confirm", "ann", 5, reviewers=WHO), by="ann")
    began = time.process_time()
    at = await driver.drive(run)
    seconds = time.process_time() - began
    await driver.offer(run, Decide(ApproachDecision("a", "ann", (("b", "cost"),)), WHO), by="ann")
    done = await driver.drive(run)
    assert (at.trail[-1], done.trail[-1]) == ("AwaitingDecision", "AwaitingApproval"), (at.stopped, done.stopped)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assessed = len(await library.all(ASSESSMENT, "bench/"))
    journal = (folder / "runs.db").stat().st_size - filled
    view.close()
    await store.close()
    return {"seconds": seconds, "filled": before / 1024, "peak": after / 1024, "journal": journal, "assessed": assessed}


def child(records: int) -> dict[str, float]:
    """The figures of one size, in a process of its own so that its memory is its own."""
    argv = [sys.executable, "-m", "benchmarks.investigate", str(records)]
    return dict(json.loads(subprocess.run(argv, capture_output=True, text=True, check=True).stdout))


def main() -> None:
    """Without an argument all sizes, each against the first; with one that size, as JSON."""
    if len(sys.argv) > 1:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(asyncio.run(investigated(Path(folder), int(sys.argv[1])))))
        return
    first: dict[str, float] = {}
    for records in RECORDS:
        found = child(records)
        first = first or found
        print(
            f"{records:5} records: {found['seconds'] / QUESTIONS * 1000:6.1f} ms of CPU a question "
            f"({found['seconds'] / first['seconds']:.2f} of the first), "
            f"{found['assessed'] / QUESTIONS:.1f} assessed each, "
            f"memory {found['filled']:.0f} MB before and {found['peak']:.0f} MB at most, "
            f"{found['journal'] / QUESTIONS / 1024:.0f} KB stored a question"
        )


if __name__ == "__main__":
    main()

"""What `evidence.yml` says of bounds: what an investigation may spend and show, where it searches, what is ingested."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from pydantic import Field

from backedge.config.agent_bounds import BudgetKeys
from backedge.config.problem import Problem, nearest
from backedge.config.reading import FileRead
from backedge.config.shape import Shape, Text
from backedge.evidence.inquire.ports import InquirePorts
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.source_names import EVERY, SEARCHABLE
from backedge.kernel.budget import Limits

MOST_RECORDS = 40  # as many as one reply about records may have
MOST_INGESTED = 50


@dataclass(frozen=True)
class Budgets:
    """What an investigation may use. `limits` are those of its run, and of each run that it begins.

    `package_tokens` bounds what one package tells a model; `records_per_question` and `ingested_per_round` are counts.
    """

    limits: Limits = field(default_factory=Limits)
    package_tokens: int = InvestigatePorts.package_tokens
    records_per_question: int = InquirePorts.records_per_question
    ingested_per_round: int = InquirePorts.ingested_at_most


class _RunKeys(BudgetKeys):
    what: ClassVar[str] = "`run` of `budgets`"


class EvidenceBudgetKeys(Shape):
    """`budgets` of `evidence.yml`."""

    what: ClassVar[str] = "`budgets`"
    run: _RunKeys = _RunKeys()
    package_tokens: Annotated[int, Field(ge=100, le=100_000)] = Budgets.package_tokens
    records_per_question: Annotated[int, Field(ge=1, le=MOST_RECORDS)] = Budgets.records_per_question
    ingested_per_round: Annotated[int, Field(ge=0, le=MOST_INGESTED)] = Budgets.ingested_per_round

    def budgets(self) -> Budgets:
        """As the workflows take them."""
        return Budgets(self.run.limits(), self.package_tokens, self.records_per_question, self.ingested_per_round)


class SourceKeys(Shape):
    """`sources` of `evidence.yml`: the registries that inquiries search, and the adapters that may bring sources."""

    what: ClassVar[str] = "`sources`"
    search: tuple[Text, ...] = ()
    ingest: tuple[Text, ...] | None = None

    @property
    def ingested(self) -> tuple[str, ...]:
        """The adapters that may be used, all where nothing is said."""
        return EVERY if self.ingest is None else self.ingest


def of_sources(raw: SourceKeys, read: FileRead) -> Iterator[Problem]:
    """Names that are none, or stand twice; and what is searched though nothing may be ingested from it."""
    for key, names, known in (("search", raw.search, SEARCHABLE), ("ingest", raw.ingest or (), EVERY)):
        for index, name in enumerate(names):
            line = read.line("sources", key, index)
            if name not in known:
                message = f"`{name}` is none of those that `{key}` can name: {', '.join(known)}"
                yield Problem(read.path, line, message, near=nearest(name, known))
            elif name in names[:index]:
                yield Problem(read.path, line, f"`{name}` stands twice in `{key}`")
    if raw.ingest is not None and not raw.ingest:
        yield Problem(
            read.path, read.line("sources", "ingest"), "`ingest` is empty: leave it out, or name one at least"
        )
    for index, name in enumerate(raw.search):
        if name in SEARCHABLE and name not in raw.ingested and raw.ingest:
            message = f"`{name}` is searched, and what is found there is ingested: add it to `ingest`"
            yield Problem(read.path, read.line("sources", "search", index), message)

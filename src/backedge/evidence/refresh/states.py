"""The states of a refresh: sources are asked after, or marked by an operator, and what changes by it is judged anew."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.records import Judgement
from backedge.evidence.sources import Metadata


@dataclass(frozen=True)
class Refresh:
    """Sources whose status the registries are asked for, by id, or which are only judged anew (`judge_only`)."""

    sources: tuple[str, ...]
    by: str
    judge_only: bool = False


@dataclass(frozen=True)
class Marking:
    """A source that an operator forbids for a reason, or allows again (`lifted`)."""

    source: str
    by: str
    reason: str
    lifted: bool = False


# ---------------------------------------------------------------- proposals


@dataclass(frozen=True)
class Status:
    """What one registry says of one source now; `number` is that of the record it becomes."""

    source: str
    registry: str
    number: int
    metadata: Metadata


@dataclass(frozen=True)
class Statuses:
    """What registries say that was not known, of the sources asked for together.

    `unknown` are sources that no registry knows, or that have no identifier; `silent` registries that did not answer.
    `checked` are sources that a registry told of, or that none knows of all, where all answered.
    """

    news: tuple[Status, ...]
    unknown: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    checked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rejudged:
    """The judgements that have changed, and those that say the same (`renewed`) by another policy."""

    judgements: tuple[Judgement, ...]
    renewed: tuple[Judgement, ...] = ()


# ------------------------------------------------------------------- states


@dataclass(frozen=True)
class Checking:
    """Registries are to be asked, from the source at `at` on. What follows it is what was told so far."""

    asked: Refresh
    day: str
    at: int = 0
    checked: int = 0
    news: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()


@dataclass(frozen=True)
class Restricting:
    """An operator's mark is to be recorded."""

    asked: Marking


@dataclass(frozen=True)
class Rejudging:
    """These sources, and those that they name, are to be judged anew."""

    sources: tuple[str, ...]
    checked: int
    unknown: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    news: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refreshed:
    """The end: how many sources were checked, what is new of them, and the judgements that changed."""

    checked: int
    news: tuple[str, ...]
    unknown: tuple[str, ...]
    silent: tuple[str, ...]
    judgements: tuple[Judgement, ...]

"""What the eligibility of a version is judged by: what is known about it, from several sides, and the policy."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.reading import Unfit
from backedge.evidence.sources import Identifiers, Metadata, RelationKind


@dataclass(frozen=True)
class Notice:
    """What another stored source says about this one: that `kind` (as `retraction_of`) holds between it and this.

    `by` is the id of the source that says so, `title` its title, `other` what it names this one by, `at` the day, month
    or year of that, where it is known.
    """

    kind: RelationKind
    by: str
    title: str
    other: Identifiers
    at: str = ""


@dataclass(frozen=True)
class Mark:
    """An operator's mark on a source: it may not be used, or may again (`lifted`). The last one of a source counts."""

    source: str
    number: int
    by: str
    reason: str
    lifted: bool = False


@dataclass(frozen=True)
class Facts:
    """All that is known about a version. `metadata` holds what it and the registries say, refreshed or not.

    `unfit` is why its content could not be read, `superseded_by` the content hash of a newer version of its source.
    """

    metadata: Metadata
    notices: tuple[Notice, ...] = ()
    mark: Mark | None = None
    unfit: Unfit | None = None
    superseded_by: str = ""


@dataclass(frozen=True)
class Policy:
    """Which signals forbid the use of a source, and which only warn. What is not forbidden and seen is a warning.

    `licences_refused` are beginnings of licence statements; `needs_open` refuses what a registry says is not open.
    """

    concern_forbids: bool = False
    superseded_forbids: bool = True
    notices_forbid: bool = True
    licences_refused: tuple[str, ...] = ()
    needs_open: bool = False

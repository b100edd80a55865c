"""Which stored sources are one study: a preprint and its article, two reports of one trial or cohort."""

from __future__ import annotations

from collections.abc import Sequence

from backedge.evidence import kinds
from backedge.evidence.library import Library
from backedge.evidence.sources import Relation
from backedge.evidence.works import independent_groups


async def independent_of(library: Library, sources: Sequence[str]) -> dict[str, str]:
    """The study of each source: the same name for sources that are not independent."""
    raise NotImplementedError

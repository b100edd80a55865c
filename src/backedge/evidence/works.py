"""Which source a new content belongs to, how sources stand to each other, and which of them are one study."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from backedge.evidence.sources import Identifiers


@dataclass(frozen=True)
class Chosen:
    """The source that a content belongs to: its id, what the id is made of, and why, in one sentence."""

    id: str
    named: str
    why: str


def source_id(named: str) -> str:
    """The id of a source by what names it, such as `doi:10.1000/x` or `file:papers/a.pdf`."""
    return "s_" + hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def source_of(
    adapter: str, identifier: str, identifiers: Identifiers, known: Mapping[str, Identifiers]
) -> Chosen:
    """The source of a content: a known one that it shares an identifier with, or a new one.

    `known` are stored sources by id that share an identifier with it. A source with another DOI is never taken: parts,
    chapters and preprints share numbers with what they are not.
    """
    raise NotImplementedError

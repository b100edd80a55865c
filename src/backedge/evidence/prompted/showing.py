"""What of a source a prompt shows: sections with their keys, records, and passages with what stands around them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace

from pydantic import JsonValue

from backedge.agent.blocks import as_json
from backedge.evidence.ports import Passage, Shown
from backedge.evidence.records import Proposal
from backedge.evidence.sources import Metadata

CUT = "(only a part of it is shown)"
LEAST_AROUND = 120  # characters on each side of a passage, however little room there is
MOST_HEADINGS = 30
LONGEST_NAME = 500  # characters of a title


def source_text(metadata: Metadata) -> str:
    """What is known of a source, a line each."""
    headings = "; ".join(metadata.headings[:MOST_HEADINGS])
    told = (
        ("title", metadata.title[:LONGEST_NAME]),
        ("type", metadata.kind[:LONGEST_NAME]),
        ("journal", metadata.journal[:LONGEST_NAME]),
        ("year", str(metadata.year or "")),
        ("headings", headings[: 2 * LONGEST_NAME]),
    )
    return "\n".join(f"{name}: {text}" for name, text in told if text)


def section_text(section: Shown) -> str:
    """A section as a block's text: its key, role and title, an empty line, and its text as it is stored."""
    title = f"title: {section.title}\n" if section.title else ""
    return f"key: {section.key}\nrole: {section.role}\n{title}\n{section.text}"


def section_blocks(sections: Iterable[Shown]) -> tuple[tuple[str, str], ...]:
    """A block for each section, named by its key."""
    return tuple((f"section {section.key}", section_text(section)) for section in sections)


def fitted(sections: Sequence[Shown], room: int, keep: Sequence[str] = ()) -> tuple[tuple[Shown, ...], tuple[str, ...]]:
    """The sections within `room` characters in all, and the keys of those of which only a part is shown.

    A section that is cut is shown around the first of `keep` that stands in it, else from its beginning.
    """
    shown: list[Shown] = []
    cut: list[str] = []
    left = room
    for number, section in enumerate(sections):
        share = max(left // (len(sections) - number), 0)
        text = section.text
        if len(text) > share:
            text = _window(text, share, keep)
            cut.append(section.key)
            section = replace(section, title=f"{section.title} {CUT}".strip(), text=text)
        left -= len(text)
        shown.append(section)
    return tuple(shown), tuple(cut)


def _window(text: str, size: int, keep: Sequence[str]) -> str:
    found = next(((text.index(words), len(words)) for words in keep if words and words in text), (0, 0))
    middle = found[0] + found[1] // 2
    start = max(0, min(middle - size // 2, len(text) - size))
    return text[start : start + size]


def record_text(proposal: Proposal) -> str:
    """A record as a verifier sees it: without its quotations, whose places are shown instead, and without a status."""
    told = {name: value for name, value in asdict(proposal).items() if name not in ("quotations", "status")}
    return "\n".join(f"{name}: {value}" for name, value in told.items())


def quoted_text(proposal: Proposal) -> str:
    """A record with its quotations, as it was replied."""
    return as_json({name: value for name, value in asdict(proposal).items() if name != "status"})


def passage_blocks(passages: Sequence[Passage], room: int) -> tuple[tuple[str, str], ...]:
    """A block for each passage: where it stands, what is before it, itself, what is behind it.

    What is quoted is always shown whole; what stands around it shares the `room` that is left.
    """
    quoted = sum(len(passage.span.exact) for passage in passages)
    margin = max(LEAST_AROUND, (room - quoted) // (2 * max(len(passages), 1)))
    return tuple((f"passage {number}", _passage(passage, margin)) for number, passage in enumerate(passages, 1))


def _passage(passage: Passage, margin: int) -> str:
    title = f" ({passage.title})" if passage.title else ""
    return "\n".join(
        (
            f"section: {passage.span.role}{title}",
            f"before: {_one_line(passage.before[-margin:])}",
            f"QUOTED: {_one_line(passage.span.exact)}",
            f"after: {_one_line(passage.after[:margin])}",
        )
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())


def hashed(*texts: str) -> JsonValue:
    """A short name for texts, by which a kept reply is found."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]

"""Reads plain text and Markdown: headings make sections; a text without headings is one section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from backedge.adapters.reading.building import Builder, Draft
from backedge.adapters.reading.decoding import decoded
from backedge.adapters.reading.roles import role_of, role_within
from backedge.evidence.identifiers import identified
from backedge.evidence.reading import Reading, Unparsed
from backedge.evidence.sources import Metadata, Signal
from backedge.evidence.title_marks import marked

READER = "text/1"

_HASHES = re.compile(r"^ {0,3}(#{1,6})[ \t]+(\S.*?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_CAPITALS = re.compile(r"^[A-Z0-9][A-Z0-9 ,.&/():–—-]{3,79}$")
_BINARY = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_IDENTIFIER = re.compile(
    r"^[ \t]*(?:(?:doi|pmid|pmcid|arxiv)[ \t]*:[^\r\n]*|https?://(?:dx\.)?doi\.org/\S+)", re.IGNORECASE | re.MULTILINE
)
_HEADLINES = 3  # lines that may say how the text stands
_HEAD = 2_000  # characters at the beginning that may name the text itself
_MOST_BINARY = 0.02  # share of control characters


@dataclass(frozen=True)
class _Heading:
    level: int
    title: str
    lines: int  # lines that it takes: two where it is underlined


def read(content: bytes, name: str) -> Reading | Unparsed:
    """The text as it is, its line ends and Markdown's signs included. `name` tells whether it is Markdown: only there
    `#` makes a heading.

    A line alone in capitals, and one that is a known heading such as "Methods", is a heading in any text.
    """
    found = decoded(content)
    if len(_BINARY.findall(found.text)) > max(4, _MOST_BINARY * len(found.text)):
        return Unparsed("unknown_format", "It is no text: it is full of control characters.", READER)
    builder = Builder(READER, verbatim=True)
    if found.issue:
        builder.issue(found.issue.kind, found.issue.message, 0, found.issue.count)
    title = _written(
        found.text.splitlines(keepends=True), builder, markdown=name.lower().endswith((".md", ".markdown"))
    )
    signals = tuple(_headlines(found.text[:_HEAD], title))
    return builder.finish(Metadata(title=title, identifiers=identified(_named(found.text)), signals=signals))


def _headlines(head: str, title: str) -> Iterator[Signal]:
    """What the first lines say of the standing, such as `RETRACTED: …`, or `WITHDRAWN` above the title."""
    lines = [line.strip() for line in head.splitlines() if line.strip()]
    for line in lines[:_HEADLINES]:
        signal = marked(line, "first line")
        if signal and line.lstrip("# ") != title:
            yield signal


def _named(text: str) -> str:
    """What the beginning of the text names it by, such as a line `DOI: 10.1/x`."""
    named = _IDENTIFIER.search(text[:_HEAD])
    return named[0].strip() if named else ""


def _written(lines: list[str], builder: Builder, *, markdown: bool) -> str:
    """Write the lines, each heading beginning a section; gives the title, where there is one."""
    opened: list[tuple[int, Draft]] = []
    title, at, fence = "", 0, ""
    while at < len(lines):
        mark = _FENCE.match(lines[at]) if markdown else None
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        heading = None if fence or mark else _heading(lines, at, markdown=markdown)
        if heading is None:
            builder.add(lines[at])
            at += 1
            continue
        while opened and opened[-1][0] >= heading.level:
            builder.closed(opened.pop()[1])
        is_title = not title and not builder.length and heading.level == 1 and role_of(heading.title) is None
        _begin(heading, lines[at : at + heading.lines], builder, opened, is_title=is_title)
        title = heading.title if is_title else title
        at += heading.lines
    return title


def _begin(
    heading: _Heading, lines: list[str], builder: Builder, opened: list[tuple[int, Draft]], *, is_title: bool
) -> None:
    """Open the section of a heading and write the heading; that of the title ends with it."""
    outer = opened[-1][1].role if opened else None
    role = "title" if is_title else role_within(heading.title, "", outer) or "other"
    draft = builder.opened(role, heading.title)
    with builder.headed():
        builder.add("".join(lines))
    if is_title:
        builder.closed(draft)
    else:
        opened.append((heading.level, draft))


def _heading(lines: list[str], at: int, *, markdown: bool) -> _Heading | None:
    line = lines[at].strip()
    hashes = _HASHES.match(lines[at].rstrip("\r\n")) if markdown else None
    if hashes:
        return _Heading(len(hashes[1]), hashes[2], 1)
    alone = at == 0 or not lines[at - 1].strip()
    after = lines[at + 1] if at + 1 < len(lines) else ""
    under = _UNDERLINE.match(after.rstrip("\r\n"))
    if under and alone and line and len(under[1]) >= 3 and (markdown or len(line) <= 100):
        return _Heading(1 if under[1][0] == "=" else 2, line, 2)
    known = (
        (alone or line.isupper()) and len(line) <= 60 and not line.endswith((",", ";")) and role_of(line) is not None
    )
    capitals = alone and _CAPITALS.match(line) and sum(char.isalpha() for char in line) >= 4 and not after.strip()
    return _Heading(2, line.rstrip(":"), 1) if known or capitals else None

"""Reads web pages: what a reader sees of them, headings as sections, tables, and the metadata of citation tags."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

from backedge.adapters.reading.building import Builder
from backedge.adapters.reading.decoding import decoded
from backedge.adapters.reading.html_metadata import charset_of, metadata_of
from backedge.adapters.reading.html_page import Page
from backedge.evidence.reading import Reading, Unparsed

READER = "html/1"

_DEEPEST = 500  # elements within each other; a parser takes minutes for a hundred thousand
_TAG = re.compile(rb"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")
_CLOSED_BY_OTHERS = frozenset(
    [
        b"p",
        b"li",
        b"dt",
        b"dd",
        b"tr",
        b"td",
        b"th",
        b"thead",
        b"tbody",
        b"tfoot",
        b"option",
        b"optgroup",
        b"rp",
        b"rt",
        b"colgroup",
        b"area",
        b"base",
        b"br",
        b"col",
        b"embed",
        b"hr",
        b"img",
        b"input",
        b"link",
        b"meta",
        b"param",
        b"source",
        b"track",
        b"wbr",
        b"html",
        b"head",
        b"body",
    ]
)
_ASKS_FOR_SCRIPTS = re.compile(r"java\s?script|loading|please wait", re.IGNORECASE)
_LITTLE = 300  # characters: a page with scripts and no more than this, which asks for them, shows its text by them
_BY_SCRIPT = "Its text is put there by scripts, which are never run. Save the page as PDF, or fetch the article as XML."
_NO_SCRIPTS = "Scripts of the page were not run and are not read."
_HIDDEN = "Text that the page hides was not read."


def read(content: bytes, name: str) -> Reading | Unparsed:
    """What is seen of a page without running it; `name` tells nothing here, the content tells all.

    A page nested deeper than any honest one is `hostile`; one whose text scripts would put there is `no_text`.
    """
    if _depth(content) > _DEEPEST:
        message = f"Its elements are nested more than {_DEEPEST} deep: no honest page is."
        return Unparsed("hostile", message, READER)
    found = decoded(content, charset_of(content))
    tree = LexborHTMLParser(found.text)
    metadata = metadata_of(tree)
    builder = Builder(READER)
    if found.issue:
        builder.issue(found.issue.kind, found.issue.message, 0, found.issue.count)
    page = Page(builder)
    if tree.body is not None:
        page.write(tree.body)
    scripts = len(tree.css("script"))
    if scripts and builder.length < _LITTLE and (not builder.length or _ASKS_FOR_SCRIPTS.search(builder.since(0))):
        return Unparsed("no_text", _BY_SCRIPT, READER, metadata)
    if scripts:
        builder.issue("hidden_text", _NO_SCRIPTS, 0, scripts)
    if page.hidden:
        builder.issue("hidden_text", _HIDDEN, page.first_hidden, page.hidden)
    return builder.finish(metadata)


def _depth(content: bytes) -> int:
    """How deep elements stand within each other at most; those that end by themselves are not counted."""
    depth = deepest = 0
    for closing, name in _TAG.findall(content):
        if name.lower() not in _CLOSED_BY_OTHERS:
            depth = max(0, depth - 1) if closing else depth + 1
            deepest = max(deepest, depth)
    return deepest

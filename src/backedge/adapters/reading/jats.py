"""Reads articles in JATS and NLM XML: title, abstracts, sections with their roles, captions, tables, references."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml import etree

from backedge.adapters.reading.building import Builder
from backedge.adapters.reading.jats_body import Body
from backedge.adapters.reading.jats_metadata import metadata_of
from backedge.adapters.reading.markup import LANGUAGE, child, children, local, opened, plain
from backedge.adapters.reading.prose import Prose
from backedge.adapters.reading.roles import role_of
from backedge.evidence.reading import Part, Reading, Role, Unparsed

READER = "jats/1"

_SAVE = "Save the article as PDF, HTML or plain text."
_RUN_IN = re.compile(r"[A-Z][\w /&-]{2,40}[:.]?")


def read(content: bytes, name: str) -> Reading | Unparsed:
    """The article in a JATS or NLM document; `name` tells nothing here, the content tells all.

    The same content gives the same reading. What is no well-formed XML is `corrupt`, with the place of the damage;
    what is built to exhaust its reader is `hostile`; XML of another kind is an `unknown_format`.
    """
    root = opened(content, READER)
    if isinstance(root, Unparsed):
        return root
    articles = [root] if local(root) == "article" else [part for part in root.iter() if local(part) == "article"]
    if not articles:
        message = f"It is XML, but no article in JATS or NLM: its root element is {local(root)!r}. {_SAVE}"
        return Unparsed("unknown_format", message, READER)
    if len(articles) > 1:
        message = f"It holds {len(articles)} articles: save each in a file of its own, so that each is one source."
        return Unparsed("unknown_format", message, READER)
    return _Article(Body(Prose(Builder(READER)))).read(articles[0])


@dataclass
class _Article:
    body: Body

    def read(self, article: etree._Element) -> Reading | Unparsed:
        self._written(article)
        self.body.floats(None)
        builder, prose = self.body.builder, self.body.prose
        parts = []
        if prose.characters:
            parts.append(Part("named characters known", round(1 - prose.unknown / prose.characters, 3)))
        if prose.unknown:
            message = "Named characters that stand for nothing known were kept as they are written."
            builder.issue("damaged", message, 0, prose.unknown)
        return builder.finish(metadata_of(article), parts)

    def _written(self, article: etree._Element) -> None:
        """The texts of an article or of one within it."""
        front = child(article, "front")
        self._front(child(front, "article-meta") if front is not None else child(article, "front-stub"))
        for part in article:
            if local(part) in ("sub-article", "response"):
                self._sub_article(part)
            elif local(part) in ("body", "back", "floats-group"):
                self.body.blocks(part, None, lead=_lead(part))
        for notes in children(front, "notes"):
            with self.body.builder.section("other", plain(child(notes, "title"))):
                self.body.headed(notes)
                self.body.blocks(notes, "other", ("title", "label"))

    def _sub_article(self, part: etree._Element) -> None:
        """An article within: a review, a reply, a translation. Nothing in it counts as a result of this article."""
        body, outside = self.body, self.body.apart
        front = child(part, "front-stub")
        meta = front if front is not None else child(part, "front", "article-meta")
        title = plain(child(meta, "title-group", "article-title"))
        with body.builder.section("other", title, part.get("article-type") or local(part)):
            body.apart = True
            self._written(part)
            body.apart = outside

    def _front(self, meta: etree._Element | None) -> None:
        self._titles(child(meta, "title-group"))
        for abstract in children(meta, "abstract", "trans-abstract"):
            self._abstract(abstract)
        for keywords in children(meta, "kwd-group"):
            self._keywords(keywords)

    def _titles(self, group: etree._Element | None) -> None:
        """The title with its subtitle; titles in other languages in sections of their own, labelled by the language."""
        builder, role = self.body.builder, self.body.role("title")
        with builder.section(role):
            for part in children(group, "article-title", "subtitle"):
                self.body.prose.part(part)
                builder.line()
            self.body.floats(role)
        for translated in children(group, "trans-title-group", "trans-title"):
            with builder.section(role, label=translated.get(LANGUAGE) or ""):
                self.body.prose.part(translated)

    def _keywords(self, keywords: etree._Element) -> None:
        with self.body.builder.section("other", plain(child(keywords, "title")) or "Keywords"):
            for word in keywords:
                self.body.builder.line()
                self.body.prose.part(word)

    def _abstract(self, abstract: etree._Element) -> None:
        """A section for the abstract, and within it one for each of its labels."""
        body, role = self.body, self.body.role("abstract")
        label = (abstract.get(LANGUAGE) if local(abstract) == "trans-abstract" else None) or ""
        label = abstract.get("abstract-type") or label
        with body.builder.section(role, plain(child(abstract, "title")) or "Abstract", label):
            body.headed(abstract)
            for part in abstract:
                labelled = _label_of(part)
                if labelled:
                    with body.builder.section(role, labelled, labelled.rstrip(" :.").upper()):
                        self._labelled(part, role)
                elif local(part) not in ("title", "label"):
                    body.part(part, role)
                body.prose.text(part.tail)
            body.floats(role)

    def _labelled(self, part: etree._Element, role: Role) -> None:
        if local(part) == "sec":
            self.body.headed(part)
            self.body.blocks(part, role, ("title", "label"))
        else:
            self.body.part(part, role)
            self.body.floats(role)


def _lead(body: etree._Element) -> Role | None:
    """The role of what a body says before its first heading: an introduction, where methods or results follow."""
    roles = {role_of(plain(child(part, "title")), part.get("sec-type") or "") for part in children(body, "sec")}
    return "introduction" if roles & {"methods", "results"} and "introduction" not in roles else None


def _label_of(part: etree._Element) -> str:
    """The label of a part of an abstract: the title of a section, or a run-in heading that is known."""
    if local(part) == "sec":
        return plain(child(part, "title"))
    if local(part) != "p" or len(part) == 0 or (part.text or "").strip():
        return ""
    first = plain(part[0]) if local(part[0]) in ("bold", "italic", "underline") else ""
    return first.rstrip(" :.") if _RUN_IN.fullmatch(first) and role_of(first) else ""

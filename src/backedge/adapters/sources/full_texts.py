"""Brings the best text of a source that registries know: a full text as JATS, PDF or page, else its abstract."""

from __future__ import annotations

import html
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from backedge.adapters.sources.polite import Answer, Polite
from backedge.evidence.sources import Delivery, Identifiers, Metadata
from backedge.kernel.defect import Failure, Permanent, RateLimited, Transient

Form = Literal["jats", "pdf", "page"]
_ORDER: tuple[Form, ...] = ("jats", "pdf", "page")
_LETTERS = 10_000  # of a page that is an article; abstracts have some 1,500
_UNSEEN = re.compile(r"<(script|style|head)\b.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True)
class Copy:
    """A full text that may be had: in what form, where, and how. `bring` gives None where it is not there after all.

    One that is `kept` by a registry itself is waited for; any other server may be gone for good, and is passed over.
    """

    form: Form
    where: str
    bring: Callable[[], Awaitable[Delivery | None]]
    kept: bool = True


@dataclass(frozen=True)
class Looked:
    """What a registry has of a source: what it says of it, full texts, and a record with the abstract if it has one."""

    metadata: Metadata
    copies: tuple[Copy, ...] = ()
    record: Delivery | None = None


class Registry(Protocol):
    """A registry that can be looked into by identifiers."""

    @property
    def name(self) -> str:
        """What its adapter is called."""
        ...

    def takes(self, identifiers: Identifiers) -> bool:
        """Whether it can be asked by any of them."""
        ...

    async def look(self, identifiers: Identifiers) -> Looked | None:
        """What it has of the source; None where it does not know it. Raises one of the three failures."""
        ...


async def best(looked: Sequence[Looked], metadata: Metadata, identifier: str) -> Delivery:
    """The best text of what registries have, with the given metadata; `notes` say which better copy did not come.

    A copy that a registry keeps is not given up for an abstract where it may come later: that raises `Transient` or
    `RateLimited`, as it does where there is no abstract. Raises `Permanent` where there is no text at all.
    """
    copies: dict[str, Copy] = {}
    for copy in (copy for each in looked for copy in each.copies):
        copies.setdefault(copy.where, copy)
    notes: list[str] = []
    later: Transient | RateLimited | None = None
    passed: Transient | RateLimited | None = None
    for copy in sorted(copies.values(), key=lambda copy: _ORDER.index(copy.form)):
        try:
            brought = await copy.bring()
        except Failure as failure:
            notes.append(f"the full text of {copy.where}: {failure.message}")
            if copy.kept and isinstance(failure, Transient | RateLimited):
                later = later or failure
            elif isinstance(failure, Transient | RateLimited):
                passed = passed or failure
            continue
        if brought is not None:
            return _with(brought, metadata, notes)
        notes.append(f"the full text of {copy.where} is not there")
    if later is not None:
        raise later
    record = next((each.record for each in looked if each.record is not None), None)
    if record is None and passed is not None:
        raise passed
    if record is None:
        mend = "download the article where you may, and add the file"
        raise Permanent(f"no service has a text of {identifier} that may be had{_listed(notes)}", mend=mend)
    return _with(record, metadata, notes)


def _with(brought: Delivery, metadata: Metadata, notes: list[str]) -> Delivery:
    return replace(brought, metadata=metadata.joined(brought.metadata), notes=(*brought.notes, *notes))


def _listed(notes: list[str]) -> str:
    return f" ({'; '.join(notes)})" if notes else ""


def open_copy(client: Polite, url: str, form: Form, title: str) -> Copy:
    """A copy at a public address: a PDF, or else a page that is the article, as its title and its length tell."""

    async def bring() -> Delivery | None:
        answer = await client.download(url)
        if answer is None:
            return None
        if b"%PDF-" in answer.content[:1024]:
            return Delivery(answer.content, "application/pdf", name_in(answer, "article.pdf"))
        if form == "pdf" or not _is_article(answer.content, title):
            mend = "download the article where you may, and add the file"
            raise Permanent(f"{host_of(url)} has a page there that is not the article", mend=mend)
        return Delivery(answer.content, answer.media_type or "text/html", name_in(answer, "article.html"))

    return Copy(form, url.partition("?")[0], bring, kept=False)


def _is_article(page: bytes, title: str) -> bool:
    """Whether a page holds the title, and more words than an abstract or a page that asks for a click has."""
    text = _UNSEEN.sub(" ", page.decode("utf-8", "replace"))
    seen = "".join(sign for sign in html.unescape(_TAG.sub(" ", text)).casefold() if sign.isalpha())
    named = "".join(sign for sign in title.casefold() if sign.isalpha())
    return bool(named) and named in seen and len(seen) >= _LETTERS


def host_of(url: str) -> str:
    """The host in an address, for a message."""
    return url.partition("://")[2].partition("/")[0].rpartition("@")[2][:100]


def name_in(answer: Answer, otherwise: str) -> str:
    """The last part of the address of an answer."""
    last = answer.url.partition("?")[0].partition("#")[0].partition("://")[2].rstrip("/").partition("/")[2]
    return "".join(sign for sign in last.rpartition("/")[2] if sign.isprintable())[:100] or otherwise


def either(wanted: Identifiers, found: Identifiers) -> bool:
    """Whether what was found may be what is wanted: they share an identifier, and differ in none."""
    pairs = [
        (one, getattr(found, name)) for name in ("doi", "pmid", "pmcid", "arxiv") if (one := getattr(wanted, name))
    ]
    return any(one == other for one, other in pairs) and all(not other or one == other for one, other in pairs)

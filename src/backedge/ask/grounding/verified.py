"""Finds the verified query that a question asks for in the query's own words."""

from __future__ import annotations

from functools import lru_cache

from backedge.ask.catalog import Catalog, Verified
from backedge.ask.grounding.options import match_option
from backedge.ask.grounding.vocabulary import KEYWORDS
from backedge.ask.grounding.words import Phrase, Word, tokenise
from backedge.ask.intent import Ambiguous, Given, Intent, Option, Token

MOST = 4
_PAUSES = (",", ";")


def verified_reading(
    question: str, words: tuple[Word, ...], catalog: Catalog, answers: tuple[Given, ...]
) -> Intent | Ambiguous | None:
    """The verified query whose own question, or description, says the same words; which one, where several do."""
    asked = said(words)
    found = [
        query
        for query in catalog.verified
        if asked and any(_said_text(text) == asked for text in (*query.embed, query.description))
    ]
    if len(found) > 1:
        options = tuple(Option(query.name, query.description or query.name) for query in found[:MOST])
        open_slot = Ambiguous("verified", question, "Which verified query is meant?", options, "verified")
        given = (match_option(open_slot, answer.value) for answer in answers if answer.slot == "verified")
        chosen = next((option.value for option in given if option), "")
        if not chosen:
            return open_slot
        found = [query for query in found if query.name == chosen]
    return _intent(question, found[0]) if found else None


@lru_cache(maxsize=4_096)
def _said_text(text: str) -> Phrase:
    return said(tokenise(text))


def said(words: tuple[Word, ...]) -> Phrase:
    """The words without fillers ("show me the") and commas. Other marks stay: over 5 is not under 5."""
    return tuple(word.stem for word in words if not _is_filler(word))


def _is_filler(word: Word) -> bool:
    if word.kind == "mark":
        return word.folded in _PAUSES
    keyword = KEYWORDS.get((word.folded,))
    return word.kind == "word" and keyword is not None and keyword.symbol == "stop"


def _intent(question: str, query: Verified) -> Intent:
    token = Token(question.strip(), "verified", query.name)
    return Intent(question, f"verified query {query.name}", (token,), verified=query.name)

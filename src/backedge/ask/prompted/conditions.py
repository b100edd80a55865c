"""What a question asks for that a fixed query, or an automation, does not have: choosing it would lose that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from backedge.ask.catalog import Verified
from backedge.ask.grounding.chunks import Chunk, Sources, cut
from backedge.ask.grounding.words import fold, in_words, phrase, stem, tokenise
from backedge.kernel.defect import Defect

Stems = frozenset[str]
_WORD = re.compile(r"[^\W_]+")
_NEGATIVE = frozenset(phrase("not no without except excluding exclude null none never lacking missing"))
_RANKED = frozenset(phrase("top bottom highest lowest largest smallest most least best worst limit"))


def lost_in_query(question: str, query: Verified, sources: Sources) -> Defect | None:
    """The defect of answering a question by a verified query that does not have all its conditions and members.

    Conditions must stand in the query's own words: that its SQL has a value does not say what it does with it.
    """
    words = _stems(" ".join((query.name, query.description, *query.embed)))
    lost = tuple(_lost(question, sources, words, words | _stems(query.sql)))
    if not lost:
        return None
    message = f"the verified query {query.name} is fixed and does not have what the question asks for: {_quoted(lost)}"
    return Defect("condition_lost", message, where="verified", hint="leave `verified` empty and name members instead")


def lost_in_automation(question: str, name: str, texts: Iterable[str], sources: Sources) -> Defect | None:
    """The defect of handing a question to an automation which neither has its conditions nor is given them."""
    lost = tuple(_lost(question, sources, _stems(" ".join((name, *texts))), None))
    if not lost:
        return None
    message = f"the automation {name} neither has nor is given what the question asks for: {_quoted(lost)}"
    return Defect("condition_lost", message, where="automation", hint="give it by a variable, or choose another kind")


def _quoted(lost: tuple[str, ...]) -> str:
    return ", ".join(map(repr, lost))


def _lost(question: str, sources: Sources, words: Stems, members: Stems | None) -> Iterator[str]:
    """Parts of the question that `words` do not have; its members must be among `members`, where that is given."""
    for chunk in cut(tokenise(question), sources):
        if chunk.symbol == "not":
            kept = bool(words & _NEGATIVE)
        elif chunk.symbol == "rank":
            kept = members is None or bool(members & _RANKED)
        elif _is_condition(chunk):
            kept = _is_held(chunk, words)
        else:
            kept = members is None or not chunk.is_term or _is_held(chunk, members)
        if not kept:
            yield chunk.text


def _is_condition(chunk: Chunk) -> bool:
    """Whether the words narrow what is asked: a value, a period, a number, or what speaks of a time or a number."""
    known = chunk.held or chunk.period or chunk.number is not None
    return bool(known or chunk.trouble or any(c.isdigit() for c in chunk.text))


def _is_held(chunk: Chunk, stems: Stems) -> bool:
    names = [in_words(entry.path.partition(".")[2]) for entry in chunk.entries]
    values = [value for holder in chunk.held for value in holder.values]
    return any(words and stems.issuperset(words) for words in map(phrase, (chunk.text, *names, *values)))


def _stems(text: str) -> Stems:
    return frozenset(stem(word) for word in _WORD.findall(fold(in_words(text))))

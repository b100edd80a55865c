"""Reads a question with the words of the model alone: an intent whose every word is understood, or what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from backedge.ask.catalog import Catalog
from backedge.ask.grounding.choices import Chooser
from backedge.ask.grounding.chunks import Chunk, Sources, cut, unknown_chunks
from backedge.ask.grounding.descriptions import NONE_OF_THESE, suggestions, taken_as
from backedge.ask.grounding.followup import FollowUp, followed_dates, groupings_after, held_by, kept_tokens
from backedge.ask.grounding.grammar import parse
from backedge.ask.grounding.inquiry import inquire
from backedge.ask.grounding.lexicon import is_id, lexicon_of
from backedge.ask.grounding.options import match_option
from backedge.ask.grounding.periods import MONTHS
from backedge.ask.grounding.readings import Reading, Resolver
from backedge.ask.grounding.recuts import APART, recuts
from backedge.ask.grounding.referring import Referring, asks_why, refer, restricts, why
from backedge.ask.grounding.slots import RANKED_BY, Parse, Unread
from backedge.ask.grounding.spelling import correct, nearest
from backedge.ask.grounding.values import Values
from backedge.ask.grounding.verified import verified_reading
from backedge.ask.grounding.vocabulary import KEYWORDS
from backedge.ask.grounding.wording import assumptions, dates, reading_text, tokens
from backedge.ask.grounding.words import Word, in_words, tokenise
from backedge.ask.intent import (
    Ambiguous,
    Before,
    Clarified,
    Given,
    Intent,
    NotUnderstood,
    Unknown,
)

MAX_CHARACTERS = 2_000
_INSTEAD = 3
Reader = Callable[[Sequence[Chunk]], Parse]
_ANY_DAY = date(2000, 1, 1)  # stands in where no value and no date is looked at


def ground(
    question: str,
    catalog: Catalog,
    values: Values,
    *,
    today: date,
    answers: tuple[Given, ...] = (),
    dialect: str = "",
    before: Before | None = None,
) -> Clarified:
    """Read a question in full or say what was not understood; `answers` decide slots that were asked about before.

    Pure. `today` resolves relative dates; an answer that matches no option leaves its slot open (`match_option`).
    A question that is not complete by itself keeps what it leaves out of the question `before` it.
    """
    try:
        if before:
            sources = Sources(lexicon_of(catalog.model), values, today)
            return _follow(question, catalog, sources, answers, dialect, before)
        return _read(question, catalog, values, today, answers, dialect)
    except Unread as unread:
        asked = _instead_after(catalog, dialect, before) if before else ()
        return NotUnderstood(unread.reason, unread.unknown, asked or _instead(catalog, dialect), unread.kind)


def _read(
    question: str,
    catalog: Catalog,
    values: Values,
    today: date,
    answers: tuple[Given, ...],
    dialect: str,
) -> Clarified:
    words = _words(question)
    verified = verified_reading(question, words, catalog, answers)
    if verified:
        return verified
    lexicon = lexicon_of(catalog.model)
    if asks_why(words):
        raise why()
    inquiry = inquire(words, catalog, lexicon)
    if inquiry:
        return inquiry
    if all((word.folded,) in KEYWORDS for word in words):
        raise Unread("the question has no word that names something here", kind="nothing_asked")
    sources = Sources(lexicon, values, today)
    corrected, corrections = correct(words, sources)
    meant = _by_description(corrected, sources, answers)
    if isinstance(meant, Ambiguous):
        return meant
    corrected, corrections = meant[0], (*corrections, *meant[1])

    def alone(chunks: Sequence[Chunk]) -> Parse:
        return parse(chunks, Chooser(sources))

    parsed, found = _in_one_cut(_chunks(corrected, sources), alone, sources, answers, dialect)
    return found if isinstance(found, Ambiguous) else _intent(question, parsed, found, corrections)


def _in_one_cut(
    chunks: tuple[Chunk, ...], read: Reader, sources: Sources, answers: tuple[Given, ...], dialect: str
) -> tuple[Parse, Reading | Ambiguous]:
    """What the chunks say; where the name of a measure is also a question of its own, a person says which is meant."""
    parsed = read(chunks)
    found = _resolved(Resolver(sources.lexicon.model, parsed, dialect), answers)
    for recut in recuts(chunks, sources):
        said = next((a.value for a in answers if a.slot == recut.asked.slot), "")
        option = match_option(recut.asked, said)
        try:
            apart = read(recut.chunks)
            other = _resolved(Resolver(sources.lexicon.model, apart, dialect), answers)
        except Unread:
            if option and option.value == APART:
                raise
            if recut.doubtful and option is None:
                return parsed, recut.asked
            continue
        if option is None:
            return parsed, recut.asked
        if option.value == APART:
            return apart, other
    return parsed, found


def _follow(
    question: str, catalog: Catalog, sources: Sources, answers: tuple[Given, ...], dialect: str, before: Before
) -> Clarified:
    """What is complete by itself, and does not say that it follows, keeps nothing of the question before."""
    words = _words(question)
    if verified := verified_reading(question, words, catalog, answers):
        return verified
    referring = refer(words, sources, held_by(before))
    alone: Clarified | Unread | None = None
    if not referring.marked:
        alone = _alone(question, catalog, sources, answers, dialect)
        open_ended = isinstance(alone, Unread) or _ranks_only(alone)
        if not isinstance(alone, Unread) and not (open_ended or _restricts(referring, sources, before)):
            return alone
    if inquiry := inquire(referring.words, catalog, sources.lexicon):
        return inquiry
    if asks_why(referring.words):
        raise why()
    corrected, corrections = correct(tuple(referring.words), sources)
    meant = _by_description(corrected, sources, answers)
    if isinstance(meant, Ambiguous):
        return meant
    corrected, corrections = meant[0], (*corrections, *meant[1])

    def following(chunks: Sequence[Chunk]) -> Parse:
        fragment = FollowUp(chunks, Chooser(sources), before, referring)
        if isinstance(alone, Unread) and fragment.names_measure:
            raise alone
        return fragment.parse()

    parsed, found = _in_one_cut(_chunks(corrected, sources), following, sources, answers, dialect)
    if isinstance(found, Ambiguous):
        return found
    intent = _intent(question, parsed, found, corrections)
    return replace(intent, dates=followed_dates(intent.dates, before, found.spec, parsed))


def _restricts(referring: Referring, sources: Sources, before: Before) -> bool:
    """ "For enterprise customers" counts customers, and may only restrict the question before."""
    if not restricts(referring.words):
        return False
    try:
        chunks = _chunks(correct(tuple(referring.words), sources)[0], sources)
        cuts = (chunks, *(recut.chunks for recut in recuts(chunks, sources)))
        return any(FollowUp(cut_so, Chooser(sources), before, referring).restricts for cut_so in cuts)
    except Unread:
        return False


def _alone(
    question: str, catalog: Catalog, sources: Sources, answers: tuple[Given, ...], dialect: str
) -> Clarified | Unread:
    try:
        return _read(question, catalog, sources.values, sources.today, answers, dialect)
    except Unread as unread:
        return unread


def _ranks_only(alone: Clarified) -> bool:
    """ "Top 3" by itself does not say by what: the question before does."""
    if isinstance(alone, Ambiguous):
        return alone.slot == RANKED_BY
    ranked = isinstance(alone, Intent) and alone.draft is not None and bool(alone.draft.order)
    return isinstance(alone, Intent) and ranked and not any(token.role == "measure" for token in alone.tokens)


def _words(question: str) -> tuple[Word, ...]:
    if len(question) > MAX_CHARACTERS:
        raise Unread(
            f"the question has {len(question):,} characters; ask in at most {MAX_CHARACTERS:,}", kind="nothing_asked"
        )
    words = tokenise(question)
    if not words:
        raise Unread("the question has no words" if question.strip() else "the question is empty", kind="nothing_asked")
    return words


def _by_description(
    words: tuple[Word, ...], sources: Sources, answers: tuple[Given, ...]
) -> tuple[tuple[Word, ...], tuple[str, ...]] | Ambiguous:
    """The words with those that only a description has read as a person said, and what was said; or what to ask."""
    notes: list[str] = []
    for suggestion in reversed(suggestions(words, sources)):
        given = next((a for a in answers if a.slot == suggestion.asks.slot), None)
        option = match_option(suggestion.asks, given.value) if given else None
        if option is None:
            return suggestion.asks
        if option.value != NONE_OF_THESE:
            words = taken_as(words, suggestion, option.value)
            notes.append(f"read {suggestion.asks.words!r} as {option.value.partition('.')[2]}, as you said")
    return words, tuple(notes)


def _chunks(words: tuple[Word, ...], sources: Sources) -> tuple[Chunk, ...]:
    chunks = cut(words, sources)
    unknown = [c for c in unknown_chunks(chunks) if not (sources.values.partial and c.words[0].kind == "quoted")]
    troubled = next((c for c in unknown if c.trouble), None)
    if troubled:
        raise Unread(troubled.trouble, (Unknown(troubled.text, nearest(troubled.text, sources)),), kind="unknown_word")
    if unknown:
        found = {c.text: Unknown(" ".join(w.text for w in c.words), nearest(c.text, sources)) for c in unknown}
        named = ", ".join(repr(u.word) for u in found.values())
        hint = "; add the year to the month" if any(c.text in MONTHS for c in unknown) else _of_many(found, sources)
        raise Unread(f"nothing here is called {named}{hint}", tuple(found.values()), kind="unknown_word")
    return chunks


def _of_many(found: dict[str, Unknown], sources: Sources) -> str:
    """What a reader must know where not all values were looked at."""
    values = sources.values
    if values.partial:
        return f"; not all values of {_listed(values.partial)} are indexed, so write them as in 'NAME is \"value\"'"
    if values.sampled and values.names and any(unknown.near for unknown in found.values()):
        return f"; what is near was sought among a sample of the values of {_listed(values.sampled)}"
    return ""


def _listed(paths: frozenset[str]) -> str:
    return ", ".join(in_words(path.partition(".")[2]) for path in sorted(paths)[:3])


def _resolved(resolver: Resolver, answers: tuple[Given, ...]) -> Reading | Ambiguous:
    """Decide slot by slot with the answers given, until one reading is left or an open slot has no answer."""
    fixed: dict[str, str] = {}
    while isinstance(found := resolver.resolve(fixed), Ambiguous):
        given = next(
            (a for a in answers if a.slot == found.slot and a.slot not in fixed),
            None,
        )
        option = match_option(found, given.value) if given else None
        if option is None:
            return found
        fixed[found.slot] = option.value
    return found


def _intent(question: str, parsed: Parse, reading: Reading, corrections: tuple[str, ...]) -> Intent:
    return Intent(
        question,
        reading_text(parsed, reading),
        (*kept_tokens(parsed, reading.choices), *tokens(question, parsed, reading.choices)),
        draft=reading.spec,
        assumptions=assumptions(parsed, reading, corrections),
        dates=dates(parsed, reading),
    )


def needs_values(question: str, catalog: Catalog) -> bool:
    """Whether the question is read word by word: any word may be, or be part of, a value that the data holds."""
    try:
        words = _words(question)
    except Unread:
        return False
    return not verified_reading(question, words, catalog, ()) and not inquire(words, catalog, lexicon_of(catalog.model))


def _instead(catalog: Catalog, dialect: str) -> tuple[str, ...]:
    """Up to three questions that do work here, worked out once for each model."""
    found = catalog.model.memo.setdefault(("instead", catalog.verified[:1], dialect), None)
    if not isinstance(found, tuple):
        found = catalog.model.memo["instead", catalog.verified[:1], dialect] = tuple(_working(catalog, dialect))
    return found


def _working(catalog: Catalog, dialect: str) -> list[str]:
    """Names alone, so that they depend on no value and no date."""
    found: list[str] = []
    for question in _examples(catalog):
        try:
            read = _read(question, catalog, Values(), _ANY_DAY, (), dialect)
        except Unread:
            continue
        if isinstance(read, Intent):
            found.append(question)
        if len(found) == _INSTEAD:
            break
    return found


def _instead_after(catalog: Catalog, dialect: str, before: Before) -> tuple[str, ...]:
    """Up to three follow-ups that do work after `before`: other groupings of the same."""
    found: list[str] = []
    sources = Sources(lexicon_of(catalog.model), Values(), _ANY_DAY)
    for question in (*groupings_after(before, catalog.model), "per month"):
        try:
            read = _follow(question, catalog, sources, (), dialect, before)
        except Unread:
            continue
        if isinstance(read, Intent) and read.draft != before.spec:
            found.append(question)
        if len(found) == _INSTEAD:
            break
    return tuple(found)


def _examples(catalog: Catalog) -> Iterator[str]:
    yield from (question for query in catalog.verified[:1] for question in query.embed[:1])
    for view in catalog.model.views[:6]:
        for measure in view.measures[:2]:
            for dimension in [d for d in view.dimensions if d.type in ("string", "boolean") and not is_id(view, d)][:1]:
                yield f"{in_words(measure.name)} by {in_words(dimension.name)}"
            yield in_words(measure.name)

"""Questions to a person and their answers: each answer is read exactly by its kind, or refused with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Literal

from backedge.ask.grounding.dates import read_time
from backedge.ask.grounding.options import match_option
from backedge.ask.grounding.periods import Period, Reckoning
from backedge.ask.grounding.words import fold, tokenise
from backedge.ask.intent import Ambiguous, Given, Questions
from backedge.ask.proposals import Saying
from backedge.ask.states import AwaitingAnswer, Clarifying, Specifying
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Settled
from backedge.semantic.refusal import nearest

MOST_QUESTIONS, MOST_OPTIONS, LONGEST_TEXT = 4, 4, 1_000
SUNDAY = 6
_NUMBER = re.compile(r"[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?", re.ASCII)
_PLAINLY = "write it plainly, as in 1250, 1,250 or 12.5"
_DAYS = "write the days, as in 2024-03-05 or 2024-03-05 to 2024-03-09"


def awaiting(state: Clarifying | Specifying, asks: Ambiguous | Questions) -> Settled[AwaitingAnswer]:
    """The pause for a person; with a time where the agent sets one for this stage and every question has a default."""
    paused = AwaitingAnswer(state, asks)
    waits = dict(paused.question.default_after).get(type(state).__name__.lower())
    return Settled(paused, wake=timedelta(seconds=waits) if waits and defaults(paused) else None)


def defaults(state: AwaitingAnswer) -> Saying | None:
    """What is answered if nobody does; None where a question has no default."""
    values = tuple(asks.default for asks in state.questions)
    return Saying(values, by_default=True) if all(values) else None


def refuse_questions(state: AwaitingAnswer) -> tuple[Defect, ...]:
    """What is wrong with what a person is to be asked."""
    asked = state.questions
    if not 1 <= len(asked) <= MOST_QUESTIONS:
        said = f"one to {MOST_QUESTIONS} questions can be asked at once, not {len(asked)}"
        return (Defect("not_a_choice", said, where="questions", hint="ask what matters most"),)
    slots = [fold(asks.slot) for asks in asked]
    found = [
        Defect("not_a_choice", f"two questions are about {asks.slot!r}", where=asks.slot, hint="give each its own slot")
        for n, asks in enumerate(asked)
        if slots.index(slots[n]) < n
    ]
    named = isinstance(state.asks, Questions)
    return (*found, *(defect for asks in asked for defect in _unaskable(asks, state.question.today, named)))


def _unaskable(asks: Ambiguous, today: date, named: bool) -> Iterator[Defect]:
    count, least = len(asks.options), 2 if asks.answers == "choice" else 0
    if not least <= count <= MOST_OPTIONS:
        said = f"a question needs two to four options, not {count}" if least else f"{count} suggestions are too many"
        yield Defect("not_a_choice", said, where=asks.slot)
    if named and (not asks.slot.strip() or "=" in asks.slot or not asks.prompt.strip()):
        said = f"the slot {asks.slot!r} needs a name without `=`, and a prompt"
        yield Defect("not_a_choice", said, where=asks.slot)
    values = [option.value for option in asks.options]
    for names in (values, [option.label for option in asks.options]):
        different = len({fold(name.strip()) for name in names} - {""})
        if different < count:
            said = f"{asks.slot!r} needs different options: of {count} only {different} differ"
            yield Defect("not_a_choice", said, where=asks.slot)
            break
    if asks.default and asks.default not in values:
        said = f"the default {asks.default!r} of {asks.slot!r} is none of its suggestions"
        yield Defect("not_a_choice", said, where=asks.slot, near=nearest(asks.default, values))
    if asks.answers != "choice":
        read = (read_answer(asks, value, today) for value in values)
        yield from (defect for defect in read if isinstance(defect, Defect))


def given_by(state: AwaitingAnswer, said: Saying) -> tuple[tuple[Given, ...], tuple[Defect, ...]]:
    """What each open slot is given, and what is wrong with the answers."""
    asked = state.questions
    by: Literal["words", "model"] = "model" if isinstance(state.asks, Questions) else "words"
    texts, defects = _by_slot(asked, said)
    given: list[Given] = []
    for asks in asked:
        if asks.slot not in texts:
            defects.append(_missing(asks))
            continue
        read = read_answer(asks, texts[asks.slot], state.question.today)
        if isinstance(read, Defect):
            defects.append(read)
        else:
            given.append(Given(asks.slot, read, said.by_default, by))
    return tuple(given), tuple(defects)


def _by_slot(asked: tuple[Ambiguous, ...], said: Saying) -> tuple[dict[str, str], list[Defect]]:
    slots = said.slots or tuple(asks.slot for asks in asked)
    names, texts, defects = [asks.slot for asks in asked], dict[str, str](), list[Defect]()
    if len(said.values) > len(slots):
        count = f"{len(said.values)} answers to {_counted(len(asked))}"
        defects.append(
            Defect("too_many_answers", count, where=slots[-1], hint="put an answer of several words in quotes")
        )
    for slot, value in zip(slots, said.values, strict=False):
        if slot not in names:
            unasked = f"nothing is asked about {slot!r}; it asks about: {', '.join(names)}"
            defects.append(Defect("unknown_slot", unasked, where=slot, near=nearest(slot, names)))
        elif slot in texts:
            defects.append(Defect("answered_twice", f"{slot} has two answers", where=slot))
        else:
            texts[slot] = value
    return texts, defects


def _counted(count: int) -> str:
    return "one question" if count == 1 else f"{count} questions"


def read_answer(asks: Ambiguous, text: str, today: date) -> str | Defect:
    """The value that an answer gives its slot. A number chooses an option only where the question is a choice."""
    said = " ".join(text.split())
    if not said:
        return _missing(asks)
    if asks.answers == "choice":
        return _chosen(asks, said)
    suggested = [o.value for o in asks.options if fold(said) in (fold(o.value), fold(o.label))]
    said = suggested[0] if suggested else said
    match asks.answers:
        case "number":
            return _number(asks, said)
        case "date":
            return _days(asks, said, today)
        case "text":
            return said if len(said) <= LONGEST_TEXT else _too_long(asks, said)


def _missing(asks: Ambiguous) -> Defect:
    return Defect("unanswered", f"{asks.slot} has no answer: {told_of((asks,))}", where=asks.slot, hint=_how(asks))


def _chosen(asks: Ambiguous, said: str) -> str | Defect:
    option = match_option(asks, said)
    if option is not None:
        return option.value
    options = "; ".join(f"{n}) {option.label}" for n, option in enumerate(asks.options, 1))
    return Defect("not_an_option", f"{said!r} is none of the options: {options}", where=asks.slot, hint=_how(asks))


def _too_long(asks: Ambiguous, said: str) -> Defect:
    message = f"the answer to {asks.slot} has {len(said)} characters, at most {LONGEST_TEXT} are taken"
    return Defect("too_long", message, where=asks.slot)


def _number(asks: Ambiguous, said: str) -> str | Defect:
    if not _NUMBER.fullmatch(said):
        return Defect(
            "not_a_number", f"{asks.slot} asks for a number, and {said!r} is none", where=asks.slot, hint=_PLAINLY
        )
    return f"{Decimal(said.replace(',', '')):f}"


def _days(asks: Ambiguous, said: str, today: date) -> str | Defect:
    read = days_of(said, today)
    if isinstance(read, str):
        return Defect("not_a_date", f"{asks.slot} asks for a date: {read}", where=asks.slot, hint=_DAYS)
    return read.days


def _calendars(today: date) -> tuple[Reckoning, Reckoning]:
    """Two that agree in nothing: what is the same by both is the same by the model's."""
    return Reckoning(today, 0, 1), Reckoning(today, SUNDAY, 2)


def days_of(said: str, today: date) -> Period | str:
    """The days that a text is, or why it is none: what depends on the model's calendar is not told here."""
    words = tokenise(said)
    found = [read_time(words, 0, by) for by in _calendars(today)] if words else []
    periods = [r.period[0] for r in found if r.period is not None and r.period[1] == len(words)]
    if len(periods) < len(found) or not found:
        reason = next((r.trouble[0] for r in found if r.trouble is not None), "")
        return reason or f"{said!r} is none"
    first, other = periods
    if first.others:
        return f"{said!r} may be {' or '.join(p.days for p in first.others)}"
    if (first.start, first.end) != (other.start, other.end):
        return f"which days {said!r} are depends on how weeks and fiscal years begin"
    if isinstance(first.start, datetime) or isinstance(first.end, datetime):
        return f"{said!r} is a time of day"
    return first


def _how(asks: Ambiguous) -> str:
    match asks.answers:
        case "choice":
            return "answer with a number or a label"
        case "number":
            return _PLAINLY
        case "date":
            return _DAYS
        case "text":
            return "answer in your own words"


def typed(state: AwaitingAnswer, texts: tuple[str, ...], today: date) -> Saying:
    """What somebody typed as an answer, on a day: `SLOT=VALUE` for each question, or values in their order.

    Words of days are kept as the days that they are on that day: "yesterday" must not change while a run waits.
    """
    asked = state.questions
    pairs = _pairs(asked, texts)
    if pairs is None:
        values = (" ".join(texts),) if len(asked) == 1 else texts
        pairs = [(asks.slot, value) for asks, value in zip(asked, values, strict=False)]
        if len(values) > len(asked):
            return Saying(values)
    slots = [asks.slot for asks in asked]
    pairs = [(slot, _fixed(asked, slot, value, today)) for slot, value in pairs]
    pairs.sort(key=lambda pair: slots.index(pair[0]) if pair[0] in slots else len(slots))
    named, values = tuple(slot for slot, _ in pairs), tuple(value for _, value in pairs)
    return Saying(values) if list(named) == slots else Saying(values, named)


def _pairs(asked: tuple[Ambiguous, ...], texts: tuple[str, ...]) -> list[tuple[str, str]] | None:
    """Each text that begins with the name of an open slot opens its answer; None where none does."""
    slots = {fold(asks.slot): asks.slot for asks in asked}
    if len(asked) == 1 and match_option(asked[0], " ".join(texts)):
        return None
    pairs: list[tuple[str, str]] = []
    for text in texts:
        name, equals, value = text.partition("=")
        slot = slots.get(fold(name.strip())) if equals else None
        if slot is not None:
            pairs.append((slot, value))
        elif pairs:
            pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]} {text}")
        elif equals and len(asked) > 1:
            pairs.append((name.strip(), value))
        else:
            return None
    return pairs


def _fixed(asked: tuple[Ambiguous, ...], slot: str, value: str, today: date) -> str:
    asks = next((asks for asks in asked if asks.slot == slot), None)
    if asks is None or asks.answers != "date":
        return value
    read = read_answer(asks, value, today)
    return value if isinstance(read, Defect) else read


def told_of(questions: tuple[Ambiguous, ...]) -> str:
    """Open questions in one line, for whoever answered another."""
    said = []
    for asks in questions:
        numbers = asks.answers == "choice"
        options = "; ".join(f"{n}) {o.label}" if numbers else o.label for n, o in enumerate(asks.options, 1))
        said.append(f"{asks.prompt} ({options})" if options else asks.prompt)
    return " ".join(said)

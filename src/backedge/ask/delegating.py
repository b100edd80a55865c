"""Finds the automation that a question asks for in the automation's own words, and asks for what it must be given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from backedge.ask.catalog import Catalog
from backedge.ask.delegable import Delegable, Taken
from backedge.ask.grounding.options import match_option
from backedge.ask.grounding.verified import said, verified_reading
from backedge.ask.grounding.words import Phrase, in_words, phrase, tokenise
from backedge.ask.intent import Ambiguous, Given, Intent, NotUnderstood, Option
from backedge.ask.proposals import Automation
from backedge.ask.states import Clarifying

SLOT = "automation"
QUERY = "the verified query"
_COMMANDS = frozenset(phrase("run start execute automation workflow procedure"))
_MOST = 4

Delegated = Automation | Ambiguous | NotUnderstood


def asked_for(state: Clarifying, catalog: Catalog, known: Sequence[Delegable]) -> Delegated | None:
    """The automation whose own question, or description, says the same words, or that is told to run by its name."""
    words = said(tokenise(state.question.text))
    meant = [d for d in known if words and _says(d, words) and not is_excluded(d, state.question.text)]
    verified = verified_reading(state.question.text, tokenise(state.question.text), catalog, state.given)
    return _chosen(meant, verified, state) if meant else None


def named(state: Clarifying, known: Sequence[Delegable]) -> Delegated | None:
    """The automation that the question names, and nothing else."""
    words = said(tokenise(state.question.text))
    meant = [d for d in known if words and phrase(d.name) == words and not is_excluded(d, state.question.text)]
    return _chosen(meant, None, state) if meant else None


def is_excluded(automation: Delegable, question: str) -> bool:
    """Whether the question holds words that the automation is not meant for."""
    words = said(tokenise(question))
    return any(_holds(words, said(tokenise(text))) for text in automation.exclude)


def _holds(words: Phrase, part: Phrase) -> bool:
    return bool(part) and any(words[at : at + len(part)] == part for at in range(len(words) - len(part) + 1))


def _says(automation: Delegable, words: Phrase) -> bool:
    if any(said(tokenise(text)) == words for text in (*automation.include, automation.description) if text):
        return True
    told = tuple(word for word in words if word not in _COMMANDS)
    return told != words and told == tuple(word for word in phrase(automation.name) if word not in _COMMANDS)


def _chosen(meant: list[Delegable], verified: Intent | Ambiguous | None, state: Clarifying) -> Delegated | None:
    options = [Option(d.file, d.description.strip() or in_words(d.name)) for d in meant[:_MOST]]
    if verified is not None:
        name = f"{QUERY} {verified.verified}" if isinstance(verified, Intent) else "a verified query"
        options = [*options[: _MOST - 1], Option(QUERY, name)]
    if len(options) == 1:
        return _called(meant[0], state.given)
    asks = Ambiguous(SLOT, state.question.text, "Which one is meant?", tuple(options), "automation")
    value = _given(asks, state.given)
    if value == QUERY:
        return None
    return next((_called(d, state.given) for d in meant if d.file == value), asks)


def _called(automation: Delegable, given: Iterable[Given]) -> Delegated:
    """The call, with what a person gave for its inputs; what is still lacking is asked for, or said."""
    variables: dict[str, JsonValue] = {}
    for taken in automation.takes:
        if not taken.required:
            continue
        asks = _asks(automation, taken)
        if asks is None:
            return _lacking(automation, taken)
        value = _given(asks, given)
        if not value:
            return asks
        variables[taken.name] = value
    return Automation(automation.name, automation.filled(variables), automation.file)


def _asks(automation: Delegable, taken: Taken) -> Ambiguous | None:
    if not 2 <= len(taken.choices) <= _MOST:
        return None
    about = f" ({taken.about})" if taken.about else ""
    options = tuple(Option(choice, choice) for choice in taken.choices)
    prompt = f"Which {in_words(taken.name)} for the automation {automation.name}{about}?"
    return Ambiguous(f"{SLOT}:{taken.name}", taken.name, prompt, options, "automation")


def _lacking(automation: Delegable, taken: Taken) -> NotUnderstood:
    about = f": {taken.about}" if taken.about else ""
    typed = f"backedge automation run {automation.name} --param {taken.name}=VALUE"
    return NotUnderstood(
        f"the automation {automation.name} needs a value for {taken.name}{about}; give it with: {typed}", kind="unclear"
    )


def _given(asks: Ambiguous, given: Iterable[Given]) -> str:
    said_of = (match_option(asks, answer.value) for answer in given if answer.slot == asks.slot)
    return next((option.value for option in said_of if option), "")

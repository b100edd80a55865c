"""Clarifying with a model: rules read the question first; what they cannot read in full, the model is asked about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pydantic import JsonValue

from backedge.agent.blocks import as_json
from backedge.ask.grounded import GroundingClarifier
from backedge.ask.grounding.chunks import Sources
from backedge.ask.grounding.lexicon import lexicon_of
from backedge.ask.inquiries import vouched
from backedge.ask.intent import Ambiguous, AskKind, Clarified, Inquiry, Intent, NotUnderstood
from backedge.ask.prompted.asking import asked
from backedge.ask.prompted.conditions import lost_in_automation, lost_in_query
from backedge.ask.prompted.earlier import told_before
from backedge.ask.prompted.mind import Mind
from backedge.ask.prompted.replies import Triage
from backedge.ask.prompted.search import Entry
from backedge.ask.prompted.shown import automations_text, excerpt, tables_text
from backedge.ask.prompted.surroundings import Surroundings
from backedge.ask.proposals import Automation
from backedge.ask.states import Clarifying
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Reply, Unreadable
from backedge.semantic.refusal import nearest

Reading = Clarified | Automation
# What the rules would ask of words that they know, though the question has others that they do not.
_DOUBTS: frozenset[AskKind] = frozenset({"measure", "date", "value", "name", "count"})
_TRIED = 3


@dataclass(frozen=True)
class _Shown:
    """What one call shows, and what its reply is held to: `plain` is the rules' reading, whatever was tried before."""

    catalog: str
    tables: str
    automations: str
    notes: str
    paths: frozenset[str]
    plain: Clarified
    sources: Sources

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join((self.catalog, self.tables, self.automations, self.notes))


class PromptedClarifier:
    """Reads by rules; the model is asked where the rules do not understand a word, or have no other reading left."""

    def __init__(self, mind: Mind, rules: GroundingClarifier, around: Surroundings) -> None:
        self._mind = mind
        self._rules = rules
        self._around = around

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What a reading depends on beside the question."""
        automations = automations_text(self._around.automations)
        return {**self._mind.settings, "catalog": self._around.catalog.hash, "automations": automations}

    async def clarify(self, state: Clarifying, lesson: Lesson) -> Reply[Reading] | Unreadable:
        """The rules' reading where it is whole, else the model's, held to the catalog."""
        ruled = await self._rules.clarify(state, lesson)
        asked_by_model = any(given.by == "model" for given in state.given)
        if isinstance(ruled, Unreadable) or not (asked_by_model or isinstance(ruled.proposal, NotUnderstood)):
            return ruled
        shown = await self._shown(state)
        prompt = self._mind.prompt(self._parts(state, lesson, shown), _inputs(state))
        reply = await self._mind.agent.ask(prompt, Triage)
        if isinstance(reply, Unreadable):
            return reply
        reading = await self._reading(state, reply.proposal, shown)
        return Reply(reading, reply.usage, reply.details)

    async def _shown(self, state: Clarifying) -> _Shown:
        question, sharing = state.question, self._mind.sharing
        before = (question.before.question, question.before.reading) if question.before else ()
        words = " ".join((question.text, *before, *(given.value for given in state.given)))
        tables = await self._around.tables()
        found: tuple[Entry, ...] = await self._around.found(question, words)
        model = self._around.catalog.model
        return _Shown(
            excerpt(found, sharing.samples),
            tables_text(tables, words),
            automations_text(self._around.offered(question.text)),
            "\n".join(text for _, text in self._mind.notes) if sharing.notes else "",
            self._around.paths(tables),
            await self._rules.reading(question, state.given),
            Sources(lexicon_of(model), await self._rules.values_of(question, question.text), question.today),
        )

    def _parts(self, state: Clarifying, lesson: Lesson, shown: _Shown) -> tuple[tuple[str, str], ...]:
        question = state.question
        return (
            ("question", question.text),
            ("question before", told_before(question, self._mind.hiding)),
            ("today", f"{question.today} ({question.timezone})"),
            ("answers of the person", "\n".join(f"{given.slot}: {given.value}" for given in state.given)),
            ("what the rules miss", self._missed(shown.plain)),
            ("words to be read", "\n".join(_unread(shown.plain))),
            ("catalog", shown.catalog),
            ("tables", shown.tables),
            ("automations", shown.automations),
            ("lesson", self._mind.lesson(lesson, _previous(lesson.previous))),
        )

    def _missed(self, plain: Clarified) -> str:
        """Why the rules do not read the question. Their reasons may quote the data."""
        return plain.reason if isinstance(plain, NotUnderstood) and not self._mind.hiding else ""

    async def _reading(self, state: Clarifying, said: Triage, shown: _Shown) -> Reading:
        if said.questions:
            return asked(said.questions)
        match said.kind:
            case "inquiry":
                return Inquiry(said.answer, vouched(said.answer, shown.text))
            case "automation":
                return self._automation(state, said, shown)
            case "unanswerable":
                return _unanswerable(state, said, shown)
            case "data":
                intent = self._intent(state, said, shown)
                doubt = None if intent.defects else await self._doubt(state, shown.plain)
                return doubt or intent

    def _intent(self, state: Clarifying, said: Triage, shown: _Shown) -> Intent:
        return Intent(
            question=state.question.text,
            reading=said.intent or state.question.text,
            tokens=(),
            verified=said.verified,
            assumptions=(*_told(said), *said.assumptions),
            members=said.members,
            by="model",
            defects=tuple(self._wrong(state, said, shown)),
        )

    def _wrong(self, state: Clarifying, said: Triage, shown: _Shown) -> Iterator[Defect]:
        """Everything that a reading as data has wrong."""
        wrong = [path for path in said.members if path not in shown.paths]
        yield from (_unknown(path, shown.paths, "use paths of the excerpt") for path in wrong)
        query = self._around.catalog.query(said.verified) if said.verified else None
        if query is not None:
            yield from filter(None, (lost_in_query(state.question.text, query, shown.sources),))
        elif said.verified:
            names = [known.name for known in self._around.catalog.verified]
            yield _unknown(said.verified, names, "name a listed verified query, or leave `verified` empty")
        elif not said.members:
            yield Defect("no_members", "a question about data needs members", "members", "name those that it needs")
        else:
            yield from _ignored(state, said, shown)
            yield from _skipped(said, shown.plain)
        plain = shown.plain
        if isinstance(plain, NotUnderstood) and plain.kind == "unclear" and not state.given:
            yield Defect("two_meanings", plain.reason, "questions", "only the person can decide this: ask")

    def _automation(self, state: Clarifying, said: Triage, shown: _Shown) -> Automation:
        given: dict[str, JsonValue] = {variable.name: variable.value for variable in said.variables}
        known = self._around.offered(state.question.text)
        found = next((a for a in known if said.automation in (a.name, a.file)), None)
        if found is None:
            wrong = _unknown(said.automation, [a.name for a in known], "name a listed automation, or none")
            return Automation(said.automation, given, defects=(wrong,))
        filled = found.filled(given)
        texts = (found.description, *found.include, *(t.name for t in found.takes), *map(str, filled.values()))
        lost = lost_in_automation(state.question.text, found.name, texts, shown.sources)
        return Automation(found.name, filled, found.file, (*found.problems(filled), *((lost,) if lost else ())))

    async def _doubt(self, state: Clarifying, plain: Clarified) -> Ambiguous | None:
        """What the rules would ask a person of the words that they know: a model never decides it."""
        question = state.question
        for _ in range(_TRIED):
            if isinstance(plain, Ambiguous):
                return plain if question == state.question or plain.kind in _DOUBTS else None
            if not isinstance(plain, NotUnderstood) or not plain.unknown:
                return None
            question = replace(question, text=_without(question.text, [unknown.word for unknown in plain.unknown]))
            plain = await self._rules.reading(question, state.given)
        return None


def _without(text: str, words: Iterable[str]) -> str:
    for word in words:
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())


def _unanswerable(state: Clarifying, said: Triage, shown: _Shown) -> NotUnderstood:
    """The model's reason beside what the rules know: the words that nothing means, and what can be asked instead."""
    known = shown.plain if isinstance(shown.plain, NotUnderstood) else NotUnderstood("")
    if not said.reason.strip():
        return replace(known, reason=known.reason or "nothing in the catalog could answer it")
    facts = vouched(said.reason, f"{shown.text}\n{state.question.text}")
    return replace(known, reason=said.reason.strip(), facts=facts)


def _ignored(state: Clarifying, said: Triage, shown: _Shown) -> Iterator[Defect]:
    for given in state.given:
        if given.value in shown.paths and given.value not in said.members:
            message = f"the person chose {given.value} for {given.slot!r}, and it is not among the members"
            yield Defect("answer_ignored", message, "members", "take the answers of the person as they are")


def _unread(plain: Clarified) -> tuple[str, ...]:
    """The words of the question that mean nothing to the rules."""
    return tuple(unknown.word for unknown in plain.unknown) if isinstance(plain, NotUnderstood) else ()


def _skipped(said: Triage, plain: Clarified) -> Iterator[Defect]:
    """A word that the rules do not know is taken for a member of the reading, or the reading may be of anything."""
    read = {part for meaning in said.words for part in meaning.word.casefold().split()}
    left = [word for word in _unread(plain) if not set(word.casefold().split()) <= read]
    if left:
        message = f"the reading does not say what is meant by {', '.join(left)}"
        yield Defect("word_ignored", message, "words", "name for each word the member that it means, or ask")
    strange = dict.fromkeys(meaning.member for meaning in said.words if meaning.member not in said.members)
    yield from (Defect("word_ignored", f"{path} is not among the members", "words") for path in strange)


def _told(said: Triage) -> Iterator[str]:
    """What words were taken for, so that a reader sees a reading that is not theirs."""
    for path in dict.fromkeys(meaning.member for meaning in said.words):
        words = " ".join(dict.fromkeys(meaning.word for meaning in said.words if meaning.member == path))
        yield f"{words!r} was read as {path}"


def _previous(before: object) -> str:
    match before:
        case Intent():
            members, verified = before.members, before.verified
            return as_json({"kind": "data", "intent": before.reading, "members": members, "verified": verified})
        case Automation():
            return as_json({"kind": "automation", "automation": before.name, "variables": before.variables})
        case Inquiry():
            return as_json({"kind": "inquiry", "answer": before.text})
        case NotUnderstood():
            return as_json({"kind": "unanswerable", "reason": before.reason})
        case _:
            return ""


def _inputs(state: Clarifying) -> dict[str, JsonValue]:
    before = {"before": state.question.before.question} if state.question.before else {}
    return {"question": state.question.text, "given": as_json([[g.slot, g.value] for g in state.given]), **before}


def _unknown(path: str, paths: Iterable[str], hint: str) -> Defect:
    return Defect("unknown_member", f"there is no {path}", where=path, hint=hint, near=nearest(path, paths))

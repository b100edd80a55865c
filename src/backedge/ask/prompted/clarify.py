"""Clarifying with a model: rules read the question first; what they cannot read in full, the model is asked about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pydantic import JsonValue

from backedge.ask.catalog import Catalog
from backedge.ask.grounded import GroundingClarifier
from backedge.ask.intent import Clarified, Inquiry, Intent, NotUnderstood
from backedge.ask.prompted.asking import asked
from backedge.ask.prompted.blocks import as_json, lesson_text
from backedge.ask.prompted.mind import Mind
from backedge.ask.prompted.replies import Triage
from backedge.ask.prompted.search import CatalogSearch, Entry
from backedge.ask.prompted.shown import MOST, excerpt, tables_text
from backedge.ask.proposals import Automation
from backedge.ask.states import Clarifying
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Reply, Unreadable
from backedge.query.ports import Connector, TableInfo
from backedge.semantic.refusal import nearest

Reading = Clarified | Automation


@dataclass(frozen=True)
class Surroundings:
    """What a question may be about, for one agent: found by search, never shown whole."""

    catalog: Catalog
    search: CatalogSearch
    connectors: Mapping[str, Connector]
    automations: tuple[Entry, ...] = ()

    async def tables(self) -> tuple[TableInfo, ...]:
        """The introspected tables, where no view says what they mean."""
        if self.catalog.model.views:
            return ()
        found = [await connector.catalog() for connector in self.connectors.values()]
        return tuple(table for tables in found for table in tables)

    def paths(self, tables: Iterable[TableInfo]) -> frozenset[str]:
        """Every path that a reply may name."""
        members = {f"{view.name}.{member.name}" for view, member in self.catalog.model.members()}
        return frozenset(members | {f"{t.name}.{name}" for t in tables for name, _ in t.columns})


class PromptedClarifier:
    """Reads by rules; the model is asked where the rules do not understand a word, or were sent back."""

    def __init__(self, mind: Mind, rules: GroundingClarifier, around: Surroundings) -> None:
        self._mind = mind
        self._rules = rules
        self._around = around

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What a reading depends on beside the question."""
        return {**self._mind.settings, "catalog": self._around.catalog.hash}

    async def clarify(self, state: Clarifying, lesson: Lesson) -> Reply[Reading] | Unreadable:
        """The rules' reading where it is whole, else the model's, held to the catalog."""
        ruled = await self._rules.clarify(state, lesson)
        asked_by_model = any(given.by == "model" for given in state.given)
        sent_on = lesson.defects or asked_by_model
        if isinstance(ruled, Unreadable) or (not sent_on and not isinstance(ruled.proposal, NotUnderstood)):
            return ruled
        tables = await self._around.tables()
        found = self._around.search.find(_words(state), MOST)
        prompt = self._mind.prompt(self._parts(state, lesson, found, tables), _inputs(state))
        reply = await self._mind.agent.ask(prompt, Triage)
        if isinstance(reply, Unreadable):
            return reply
        reading = self._reading(state, reply.proposal, ruled.proposal, self._around.paths(tables))
        return Reply(reading, reply.usage, {**reply.details, "prompt_text": prompt.user})

    def _parts(
        self, state: Clarifying, lesson: Lesson, found: tuple[Entry, ...], tables: tuple[TableInfo, ...]
    ) -> tuple[tuple[str, str], ...]:
        question = state.question
        answers = "\n".join(f"{given.slot}: {given.value}" for given in state.given)
        return (
            ("question", question.text),
            ("today", f"{question.today} ({question.timezone})"),
            ("answers of the person", answers),
            ("catalog", excerpt(found, self._mind.sharing.samples)),
            ("tables", tables_text(tables)),
            ("automations", excerpt(self._around.automations, 0)),
            ("lesson", lesson_text(lesson)),
        )

    def _reading(self, state: Clarifying, said: Triage, ruled: object, paths: frozenset[str]) -> Reading:
        if said.questions:
            return asked(said.questions)
        match said.kind:
            case "inquiry":
                return Inquiry(said.answer)
            case "automation":
                return Automation(said.automation, {given.name: given.value for given in said.variables})
            case "unanswerable":
                known = ruled if isinstance(ruled, NotUnderstood) else NotUnderstood("")
                return replace(known, reason=said.reason or known.reason)
            case "data":
                return self._intent(state, said, paths)

    def _intent(self, state: Clarifying, said: Triage, paths: frozenset[str]) -> Intent:
        unknown = tuple(_unknown(path, paths) for path in said.members if path not in paths)
        if said.verified and self._around.catalog.query(said.verified) is None:
            names = [query.name for query in self._around.catalog.verified]
            unknown += (_unknown(said.verified, names),)
        return Intent(
            question=state.question.text,
            reading=said.intent or state.question.text,
            tokens=(),
            verified=said.verified,
            assumptions=said.assumptions,
            members=said.members,
            by="model",
            defects=unknown,
        )


def _words(state: Clarifying) -> str:
    return " ".join((state.question.text, *(given.value for given in state.given)))


def _inputs(state: Clarifying) -> dict[str, JsonValue]:
    return {"question": state.question.text, "given": as_json([[g.slot, g.value] for g in state.given])}


def _unknown(path: str, paths: Iterable[str]) -> Defect:
    near = nearest(path, paths)
    return Defect("unknown_member", f"there is no {path}", where=path, hint="use paths of the excerpt", near=near)

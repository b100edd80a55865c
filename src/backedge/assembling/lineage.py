"""How exported versions and records came about, as PROV-JSON: a fold of the journals of all evidence runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from backedge.assembling.evidence import EvidenceApp
from backedge.evidence import kinds
from backedge.evidence.exporting.exported import Exported, ExportedRecord, ExportedVersion
from backedge.kernel.defect import Permanent
from backedge.kernel.journal import Started, Stored
from backedge.kernel.ports import Head
from backedge.kernel.provenance import Activity, activities
from backedge.kernel.run import CLOCK

WORKFLOWS = ("ingest", "extract", "verify", "refresh", "restrict")
RUN = "run:"
REVIEWER = "reviewer:"
SETTINGS = ("vendor", "model", "thinking", "max_tokens")
MADE = (kinds.VERSION, kinds.TEXT, kinds.JUDGEMENT, kinds.RECORD, kinds.STANDING)


async def lineage(app: EvidenceApp, told: Exported) -> str:
    """PROV-JSON. Entities are versions, texts, judgements, records and standings, activities runs and their attempts.

    Agents are models with their settings, and people. What models were sent and replied is not in it.
    """
    made = Lineage()
    for version in told.versions:
        made.version(version)
    for record in told.records:
        made.record(record)
    for workflow in WORKFLOWS:
        for head in sorted([head async for head in app.heads(workflow)], key=lambda head: head.id):
            made.run(head, await app.store.read(head.id))
            for kind in MADE:
                for row in await app.store.records(kind.name, run_id=head.id):
                    made.generated(head.id, kind.name, row.key)
    return made.text()


class Lineage:
    """A PROV document in the making; what is not exported is no entity of it.

    Raises `Permanent` where the library is missing.
    """

    def __init__(self) -> None:
        try:
            from prov.model import ProvDocument
        except ImportError as missing:
            said = f"provenance needs the extra `crate` ({missing.name} is not installed)"
            raise Permanent(said, mend="pip install 'backedge[crate]'") from missing
        self._document: Any = ProvDocument()
        self._document.add_namespace("be", "urn:backedge:")
        self._known: set[str] = set()
        self._agents: set[str] = set()

    def text(self) -> str:
        """PROV-JSON."""
        return json.dumps(json.loads(self._document.serialize(format="json") or "{}"), indent=1, sort_keys=True) + "\n"

    def thing(self, kind: str, key: str, facts: dict[str, str], by: str) -> None:
        """An entity; `by` is the person whose it is, or empty."""
        entity = self._entity(_id(kind, key), facts)
        if by:
            self._document.wasAttributedTo(entity, self._person(by))

    def led_to(self, used: Iterable[tuple[str, str]], kind: str, key: str) -> None:
        """That others of these entities (kind, key), those that are exported, led to one."""
        for each in dict.fromkeys(_id(*each) for each in used):
            if each in self._known:
                self._document.wasDerivedFrom(_id(kind, key), each)

    def revision(self, kind: str, new: str, old: str) -> None:
        """That an entity is a later version of another."""
        self._document.wasRevisionOf(_id(kind, new), _id(kind, old))

    def version(self, each: ExportedVersion) -> None:
        """A version with its text and the judgements on it."""
        content = each.version.content
        facts = {"prov:label": each.title, "be:sha256": content, "be:source": each.version.source}
        version = self._entity(_id(kinds.VERSION.name, content), facts)
        if each.version.supersedes:
            self._document.wasRevisionOf(version, _id(kinds.VERSION.name, each.version.supersedes))
        if each.text:
            text = self._entity(_id(kinds.TEXT.name, content), {"be:sha256": each.text})
            self._document.wasDerivedFrom(text, version)
        for judgement in each.judgements:
            reasons = "; ".join(f"{reason.kind} ({reason.by})" for reason in judgement.reasons)
            facts = {"be:eligible": str(judgement.eligible).lower(), "be:reasons": reasons}
            judged = self._entity(_id(kinds.JUDGEMENT.name, kinds.JUDGEMENT.record(judgement).key), facts)
            self._document.wasDerivedFrom(judged, version)

    def record(self, each: ExportedRecord) -> None:
        """A record with its standings."""
        record = each.record
        entity = self._entity(_id(kinds.RECORD.name, record.key), {"prov:label": record.proposal.statement})
        self._document.wasDerivedFrom(entity, _id(kinds.VERSION.name, record.version))
        if record.replaces:
            self._document.wasRevisionOf(entity, _id(kinds.RECORD.name, record.replaces))
        for standing in each.standings:
            facts = {"be:status": standing.status, "be:by": standing.by, "be:reason": standing.reason}
            stands = self._entity(_id(kinds.STANDING.name, kinds.STANDING.record(standing).key), facts)
            self._document.wasDerivedFrom(stands, entity)
            if standing.by.startswith(REVIEWER):
                self._document.wasAttributedTo(stands, self._person(standing.by.removeprefix(REVIEWER)))

    def run(self, head: Head, entries: tuple[Stored, ...]) -> None:
        """A run with each of its attempts."""
        run = _id("run", head.id)
        facts = {"prov:label": head.labels.get("asked", head.workflow), "be:workflow": head.workflow}
        self._activity(run, head.created, head.updated, {**facts, "be:status": head.status})
        if head.parent is not None:
            self._document.wasInformedBy(run, _id("run", head.parent.run_id))
        first = entries[0].entry
        if isinstance(first, Started) and first.by:
            self._document.wasAssociatedWith(run, self._person(first.by))
        for number, done in enumerate(activities(entries)):
            self._attempt(run, f"{run}-{number}", done)

    def _attempt(self, run: str, attempt: str, done: Activity) -> None:
        facts = {
            "prov:label": f"{done.stage}, attempt {done.attempt}: {done.outcome}",
            "be:outcome": done.outcome,
            "be:defects": ", ".join(defect.kind for defect in done.defects),
            "be:prompt": str(done.details.get("prompt") or ""),
            "be:inputs": done.key,
        }
        began = done.at - timedelta(milliseconds=done.ms)
        self._activity(attempt, began, done.at, {name: fact for name, fact in facts.items() if fact})
        self._document.wasStartedBy(attempt, starter=run)
        if done.details.get("vendor"):
            self._document.wasAssociatedWith(attempt, self._model(done))
        if done.by.startswith(RUN):
            self._document.wasInformedBy(attempt, _id("run", done.by.removeprefix(RUN)))
        elif done.by and done.by != CLOCK:
            self._document.wasAssociatedWith(attempt, self._person(done.by))
        if done.reused is not None:
            self._document.wasInformedBy(attempt, _id("run", done.reused.run_id))

    def generated(self, run: str, kind: str, key: str) -> None:
        """That a run wrote an entity that is exported."""
        if (entity := _id(kind, key)) in self._known:
            self._document.wasGeneratedBy(entity, _id("run", run))

    def _entity(self, name: str, facts: dict[str, str]) -> str:
        self._known.add(name)
        self._document.entity(name, {key: fact for key, fact in facts.items() if fact})
        return name

    def _activity(self, name: str, began: Any, ended: Any, facts: dict[str, str]) -> None:
        self._document.activity(name, began, ended, facts)

    def _person(self, name: str) -> str:
        return self._agent(_id("person", name), "Person", {"prov:label": name})

    def _model(self, done: Activity) -> str:
        facts = {f"be:{name}": str(done.details[name]) for name in SETTINGS if done.details.get(name) is not None}
        name = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:12]
        label = f"{done.details.get('vendor')} {done.details.get('model')}"
        return self._agent(_id("model", name), "SoftwareAgent", {"prov:label": label, **facts})

    def _agent(self, name: str, kind: str, facts: dict[str, str]) -> str:
        if name not in self._agents:
            self._agents.add(name)
            self._document.agent(name, {"prov:type": self._document.valid_qualified_name(f"prov:{kind}"), **facts})
        return name


def _id(kind: str, key: str) -> str:
    """A name that PROV takes, whatever stands in the key."""
    return f"be:{kind}-{quote(key, safe='')}"

"""`backedge.open`: a project in Python, asked with and without `await`; its evidence searched and read."""

from __future__ import annotations

import getpass
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from backedge.assemble import App, open_app
from backedge.assembling.below import retry_below
from backedge.assembling.cataloguing import record_named
from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.opening_evidence import open_evidence
from backedge.assembling.record_list import Wanted, records_data
from backedge.assembling.reviewing import reviews_of
from backedge.assembling.search_views import search_data
from backedge.config.config_file import CONFIG_FILE
from backedge.config.evidence_file import EVIDENCE_FILE
from backedge.evidence.record_view import record_data
from backedge.kernel.defect import Permanent
from backedge.python.answer import Answer
from backedge.python.background import Background
from backedge.python.errors import BackedgeError, told

Arm = Literal["fused", "lexical", "semantic"]
Standing = Literal["proposed", "accepted", "rejected", "in_review", "quarantined", "replaced"]
Data = dict[str, Any]


class Project:
    """One project. Every method has a form for `await`; both may be used at once, from any thread or notebook.

    Close it when done, or open it in a `with`.
    """

    def __init__(self, folder: Path, agent: str | None, by: str, attributes: Mapping[str, tuple[str, ...]]) -> None:
        self._folder = folder
        self._agent = agent
        self._by = by
        self._attributes = attributes
        self._opened: App | None = None
        self._evidence: EvidenceApp | None = None
        self._work = Background()

    def ask(self, text: str, *, after: Answer | str = "") -> Answer:
        """Ask a question of the data, and wait for what comes of it.

        `after` is an answer, or its run, that the question follows: what it leaves out is kept of that. A run that was
        stopped raises `BackedgeError` with its `run_id`; `retry` goes on with it.
        """
        return self._work.wait(self._ask(text, after))

    async def ask_async(self, text: str, *, after: Answer | str = "") -> Answer:
        """See `ask`."""
        return await self._work.later(self._ask(text, after))

    def reply(self, run_id: str, *values: str, asked: int | None = None) -> Answer:
        """Answer what a run asks, as somebody else may have begun it; see `Answer.reply`."""
        return self._work.wait(self._reply(run_id, values, asked))

    async def reply_async(self, run_id: str, *values: str, asked: int | None = None) -> Answer:
        """See `reply`."""
        return await self._work.later(self._reply(run_id, values, asked))

    def answer(self, run_id: str) -> Answer:
        """The answer of a run that was begun before; one that was interrupted goes on first."""
        return self._work.wait(self._driven(run_id))

    async def answer_async(self, run_id: str) -> Answer:
        """See `answer`."""
        return await self._work.later(self._driven(run_id))

    def retry(self, run_id: str) -> Answer:
        """Go on with a run that was stopped, with fresh budgets."""
        return self._work.wait(self._retry(run_id))

    async def retry_async(self, run_id: str) -> Answer:
        """See `retry`."""
        return await self._work.later(self._retry(run_id))

    def search(self, query: str, *, limit: int = 10, arm: Arm = "fused") -> Data:
        """Search the evidence: `hits` with passage, source and rank, and the `snapshot` that was searched."""
        return self._work.wait(self._search(query, limit, arm))

    async def search_async(self, query: str, *, limit: int = 10, arm: Arm = "fused") -> Data:
        """See `search`."""
        return await self._work.later(self._search(query, limit, arm))

    def records(
        self,
        *,
        source: str = "",
        kind: Literal["finding", "claim"] | None = None,
        standing: Standing | None = None,
        usable: bool = False,
        limit: int = 200,
    ) -> Data:
        """The `records` of evidence that are wanted, and whether there are `more` than the limit."""
        return self._work.wait(self._records(Wanted(source, kind, standing, usable, limit)))

    async def records_async(
        self,
        *,
        source: str = "",
        kind: Literal["finding", "claim"] | None = None,
        standing: Standing | None = None,
        usable: bool = False,
        limit: int = 200,
    ) -> Data:
        """See `records`."""
        return await self._work.later(self._records(Wanted(source, kind, standing, usable, limit)))

    def record(self, key: str) -> Data:
        """One record by its key, or the beginning of it: fields, quotations in their context, checks, history."""
        return self._work.wait(self._record(key))

    async def record_async(self, key: str) -> Data:
        """See `record`."""
        return await self._work.later(self._record(key))

    def close(self) -> None:
        """End the workers and release the files. What runs is kept, and goes on when it is asked for again."""
        self._work.close()

    def __enter__(self) -> Project:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Project {self._folder}>"

    async def open_data(self) -> App:
        """What questions are asked of; opened when first needed."""
        if self._opened is None:
            self._opened = open_app(self._folder, self._agent)
            self._work.at_last(self._opened.close)
        return self._opened

    async def open_library(self) -> EvidenceApp:
        """The evidence; opened when first needed."""
        if self._evidence is None:
            if not (self._folder / EVIDENCE_FILE).exists():
                mend = f"write {EVIDENCE_FILE} (docs/evidence-file.md), or open a project that has one"
                raise Permanent(f"{self._folder} has no {EVIDENCE_FILE}, so there is no evidence in it", mend=mend)
            self._evidence = open_evidence(self._folder)
            self._work.at_last(self._evidence.close)
        return self._evidence

    def begin(self) -> None:
        """See at once that the project can be opened."""
        try:
            has_data = (self._folder / CONFIG_FILE).exists() or not (self._folder / EVIDENCE_FILE).exists()
            if has_data:
                self._work.wait(self.open_data())
            else:
                self._work.wait(self.open_library())
        except BackedgeError:
            self.close()
            raise

    async def _ask(self, text: str, after: Answer | str) -> Answer:
        app = await self.open_data()
        labels = {"agent": app.project.agent.file} if app.project.agent else {}
        before = after.run_id if isinstance(after, Answer) else after
        run_id = await app.ask(text, by=self._by, labels=labels, attributes=self._attributes, after=before)
        return await self._driven(run_id)

    async def _reply(self, run_id: str, values: tuple[str, ...], asked: int | None) -> Answer:
        app = await self.open_data()
        with told(run_id):
            await app.say(run_id, values, by=self._by, asked=asked)
        return await self._driven(run_id)

    async def _retry(self, run_id: str) -> Answer:
        app = await self.open_data()
        run = await app.driver.load(run_id)
        if run.status == "waiting" and run.awaited:
            await retry_below(app.driver, run, self._by)
        else:
            await app.driver.retry(run.id, by=self._by)
        return await self._driven(run.id)

    async def _driven(self, run_id: str) -> Answer:
        app = await self.open_data()
        run = await app.driver.drive(run_id)
        form = await app.answer(run)
        if form["status"] not in ("answered", "needs_input", "cannot_answer"):
            held: Data = next((each for each in form["waits_for"] if each["reason"]), {})
            reason = form["answer"] or held.get("reason") or "it does not go on"
            mend = form.get("mend") or held.get("mend")
            step = "; then ".join(part for part in (mend, f"project.retry({run.id!r})") if part)
            resumable = form["resumable"] or bool(held)
            next_step = step if resumable else "ask again"
            raise BackedgeError(str(reason), kind=form["status"], next_step=next_step, run_id=run.id)
        return Answer(form, self)

    async def _search(self, query: str, limit: int, arm: Arm) -> Data:
        return await search_data(await self.open_library(), query, limit, arm)

    async def _records(self, wanted: Wanted) -> Data:
        return await records_data(await self.open_library(), wanted)

    async def _record(self, key: str) -> Data:
        app = await self.open_library()
        named = await record_named(app.library, key)
        return await record_data(app.library, app.contents, await reviews_of(app).reviewed(named.key))


def open_project(
    path: str | Path = ".",
    *,
    agent: str | None = None,
    by: str = "",
    attributes: Mapping[str, str | Iterable[str]] | None = None,
) -> Project:
    """Open the project of a folder. Raises `BackedgeError` with every problem of its files.

    `agent` is asked instead of the project's own choice; `by` is who asks (your user name), `attributes` are what row
    policies read of them, one value or several each.
    """
    named = {name: (value,) if isinstance(value, str) else tuple(value) for name, value in (attributes or {}).items()}
    project = Project(Path(path).expanduser().resolve(), agent, by or who(), named)
    project.begin()
    return project


def who() -> str:
    """The name under which a person asks and answers."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "user"

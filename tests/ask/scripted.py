"""An ask run whose outside is scripted: what each port replies, in order, and what the database gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pydantic import JsonValue

from backedge.ask.catalog import Catalog
from backedge.ask.intent import Ambiguous, Intent, Option, Token
from backedge.ask.ports import AskPorts
from backedge.ask.proposals import Compilation, Interpretation, Saying
from backedge.ask.states import Clarifying, Question
from backedge.ask.workflow import ASK
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Context
from backedge.kernel.run import Run
from backedge.kernel.stage import Lesson, Settled, Stage
from backedge.kernel.workflow import Workflow
from backedge.query.ports import Caps, Ran, Rejected
from backedge.query.table import Column, Table
from backedge.semantic.model import Model
from backedge.semantic.spec import Compiled, OutputColumn, Spec
from tests.kernel.memory import MemoryStore, StillClock
from tests.kernel.scenes import go

TODAY = date(2026, 11, 30)
TEXT = "total sales"
INTENT = Intent(TEXT, "total_sales", (Token(TEXT, "measure", "shop.total_sales"),), Spec(("shop.total_sales",)))
COLUMN = OutputColumn("total_sales", "shop.total_sales", "measure", "sum")
SQL = "SELECT SUM(amount) AS total_sales FROM shop"
COMPILED = Compilation(INTENT.draft or Spec(), Compiled(SQL, (), (COLUMN,), datasource="local"))
WHICH = Ambiguous("sales", "sales", "Which sales?", (Option("a", "net sales"), Option("b", "gross sales")))


def table(*rows: tuple[Any, ...], names: Sequence[str] = ("total_sales",), kind: Any = "integer") -> Table:
    """A result with columns of one kind."""
    columns = tuple(Column(name=name, type="BIGINT", kind=kind) for name in names)
    return Table(columns=columns, rows=rows)


GOOD = Ran(table((42,)), 1)
EMPTY = Ran(table(), 1)
WORDS = Interpretation("There were sales.")


@dataclass
class Script:
    """Replies of one port, given out in order, the last one for ever. An exception is raised, a function called."""

    replies: list[Any]
    lessons: list[Lesson] = field(default_factory=list)

    def next(self, state: object, lesson: Lesson) -> Any:
        """The next reply."""
        reply = self.replies[min(len(self.lessons), len(self.replies) - 1)]
        self.lessons.append(lesson)
        if isinstance(reply, BaseException):
            raise reply
        return reply(state, lesson) if callable(reply) else reply

    async def clarify(self, state: Any, lesson: Lesson) -> Any:
        """Clarifying's port."""
        return self.next(state, lesson)

    specify = solve = interpret = clarify


@dataclass
class ScriptedDatabase:
    """A database that gives its results in order."""

    results: list[Any]
    ran: list[str] = field(default_factory=list)
    name: str = "local"
    dialect: str = "duckdb"

    async def run(self, sql: str, params: Any = (), caps: Caps | None = None) -> Ran | Rejected:
        """The next result."""
        result = self.results[min(len(self.ran), len(self.results) - 1)]
        self.ran.append(sql)
        if isinstance(result, BaseException):
            raise result
        assert isinstance(result, Ran | Rejected)
        return result

    async def catalog(self) -> tuple[Any, ...]:
        """Nothing."""
        return ()

    async def explain(self, sql: str, params: Any = ()) -> str:
        """Nothing."""
        return ""

    async def fingerprint(self) -> str:
        """Never changes."""
        return ""

    async def close(self) -> None:
        """Nothing to end."""


@dataclass(frozen=True)
class Working:
    """The only state of a stand-in automation."""

    name: str


@dataclass(frozen=True)
class Worked:
    """Its end."""

    table: dict[str, JsonValue]


class AskScene:
    """One ask run. Each argument scripts one port; `automation` is what the stand-in automation gives or raises."""

    def __init__(
        self,
        clarify: Any = (INTENT,),
        specify: Any = (COMPILED,),
        solve: Any = (),
        run: Any = (GOOD,),
        interpret: Any = (WORDS,),
        automation: Any = None,
    ) -> None:
        self.clarifier, self.specifier = Script(list(clarify)), Script(list(specify))
        self.solver, self.interpreter = Script(list(solve)), Script(list(interpret))
        self.database = ScriptedDatabase(list(run))
        self.store, self.clock = MemoryStore(), StillClock()
        catalog = Catalog(Model(), hash="m")
        ports = AskPorts(
            catalog,
            {"local": self.database},
            "local",
            self.clarifier,
            self.specifier,
            self.solver,
            self.interpreter,
            Caps(),
        )
        workflows = {"ask": Bound(ASK, ports), "automation": Bound(_automation(automation), None)}
        self.driver = Driver(self.store, workflows, self.clock)

    def ask(self, text: str = TEXT) -> Run:
        """Start a run and drive it to its rest."""
        context = Context(TODAY, by="ann")
        self.run_id = go(self.driver.start("ask", Question(text, TODAY), context))
        return self.drive()

    def drive(self) -> Run:
        """Drive it on."""
        return go(self.driver.drive(self.run_id))

    def say(self, *values: str, asked: int | None = None) -> Run:
        """Answer it, and drive it on."""
        go(self.driver.offer(self.run_id, Saying(values), by="ann", asked=asked))
        return self.drive()


def _automation(outcome: Any) -> Workflow:
    def begin(given: dict[str, JsonValue], context: Context) -> Working:
        return Working(str(given["name"]))

    async def propose(state: Working, ports: object, lesson: Lesson) -> Worked:
        if isinstance(outcome, BaseException):
            raise outcome
        return Worked((outcome or table((1,))).model_dump(mode="json"))

    def settle(state: Working, worked: Worked) -> Settled[Worked]:
        return Settled(worked)

    def told(end: Worked) -> dict[str, JsonValue]:
        return {"status": "done", "table": end.table}

    stage = Stage(Working, Worked, settle, propose)
    return Workflow("automation", Working, {Working: (Worked,)}, (stage,), begin, told)


def start_of(run: Run) -> Clarifying:
    """The first state of a run."""
    first = run.values[0]
    assert isinstance(first, Clarifying)
    return first

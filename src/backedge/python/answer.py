"""An answer as a Python object: its rows exact, its figures and SQL, what it asks back, and how a notebook shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from backedge.adapters.exporting.arrow import ArrowTable, arrow
from backedge.ask.answer import Found, Status
from backedge.python.errors import BackedgeError
from backedge.python.showing import as_html, as_text
from backedge.query.table import Column, Table

VEGA_LITE = "application/vnd.vegalite.v5+json"


@dataclass(frozen=True)
class Option:
    """One answer that a question offers: `reply` takes its label, its value, or its number from 1."""

    value: str
    label: str


@dataclass(frozen=True)
class Question:
    """What is asked back. `answers` says what is taken: a `choice` of the options, a `number`, a `date` or `text`."""

    prompt: str
    slot: str
    answers: str
    options: tuple[Option, ...]
    default: str | None


class Asker(Protocol):
    """What an answer goes on with: the project that it is of."""

    def ask(self, text: str, *, after: Answer | str = "") -> Answer:
        """Ask."""
        ...

    async def ask_async(self, text: str, *, after: Answer | str = "") -> Answer:
        """Ask."""
        ...

    def reply(self, run_id: str, *values: str, asked: int | None = None) -> Answer:
        """Answer what a run asks."""
        ...

    async def reply_async(self, run_id: str, *values: str, asked: int | None = None) -> Answer:
        """Answer what a run asks."""
        ...


class Answer:
    """What came of a question: it is answered, or waits for a `reply`, or says why it cannot be answered.

    `form` is the whole of it as data (`backedge.answer/1`), the same that `backedge ask --json` prints.
    """

    def __init__(self, form: Found, asker: Asker) -> None:
        self.form = form
        self._asker = asker

    @property
    def run_id(self) -> str:
        """The run, by which every face of Backedge knows it."""
        return str(self.form["run_id"])

    @property
    def status(self) -> Status:
        """`answered`, `needs_input` or `cannot_answer`."""
        status: Status = self.form["status"]
        return status

    @property
    def needs_input(self) -> bool:
        """Whether it waits for a `reply` to its `questions`."""
        return self.status == "needs_input"

    @property
    def questions(self) -> tuple[Question, ...]:
        """What is asked back; nothing where nothing is."""
        return tuple(
            Question(
                asks["prompt"],
                asks["slot"],
                asks["answers"],
                tuple(Option(option["value"], option["label"]) for option in asks["options"]),
                asks["default"],
            )
            for asks in self.form["questions"]
        )

    @property
    def text(self) -> str:
        """The answer in words, or why there is none, or what is asked."""
        if self.needs_input:
            return " ".join(asks.prompt for asks in self.questions)
        return str(self.form["answer"] or "")

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns. Raises `BackedgeError` where there is no answer."""
        return tuple(column.name for column in self._table().columns)

    @property
    def rows(self) -> tuple[tuple[Any, ...], ...]:
        """All rows, exact: integers, `Decimal`, dates, text, None. Raises `BackedgeError` where there is no answer."""
        return self._table().rows

    @property
    def sql(self) -> str | None:
        """The SQL that ran, with placeholders for `params`; None where none did."""
        sql: str | None = self.form["sql"]
        return sql

    @property
    def params(self) -> tuple[Any, ...]:
        """The values of the placeholders in `sql`."""
        return tuple(self.form["params"])

    @property
    def figures(self) -> tuple[Mapping[str, Any], ...]:
        """Each number of `text`: where it stands (`start`, `end`), its `value`, and the `cells` that it comes from."""
        return tuple(self.form["figures"])

    @property
    def chart(self) -> Mapping[str, Any] | None:
        """A Vega-Lite spec with its data inline, valid in v5 and v6; None where a table says it better."""
        chart: Mapping[str, Any] | None = self.form["chart"]
        return chart

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What was taken for granted."""
        return tuple(self.form["assumptions"])

    @property
    def parts(self) -> tuple[Answer, ...]:
        """The answers to the parts of a question that was split; each has its own rows and SQL."""
        return tuple(Answer(form, self._asker) for form in self.form.get("parts") or ())

    def reply(self, *values: str) -> Answer:
        """Answer what is asked: one value for each of `questions`, in order, or `SLOT=VALUE`.

        An answer that is not taken raises `BackedgeError` with the `defects`, and the question stays open.
        """
        return self._asker.reply(self.run_id, *values, asked=self._asked())

    async def reply_async(self, *values: str) -> Answer:
        """See `reply`."""
        return await self._asker.reply_async(self.run_id, *values, asked=self._asked())

    def ask(self, text: str) -> Answer:
        """A follow-up: what it leaves out is kept of this answer."""
        return self._asker.ask(text, after=self)

    async def ask_async(self, text: str) -> Answer:
        """See `ask`."""
        return await self._asker.ask_async(text, after=self)

    def to_arrow(self) -> ArrowTable:
        """The rows for whatever reads Arrow's C stream: `polars.from_arrow`, `pyarrow.table`, DuckDB."""
        return arrow(self._table())

    def to_pandas(self) -> Any:
        """The rows as a `pandas.DataFrame`; decimals stay `Decimal`. Raises `BackedgeError` without pandas."""
        try:
            import pandas  # none of our dependencies: who wants it has it
        except ImportError as error:
            step = "pip install pandas, or use `rows` or `to_arrow()`"
            raise BackedgeError("pandas is not installed", kind="not_installed", next_step=step) from error
        table = self._table()
        return pandas.DataFrame.from_records(list(table.rows), columns=[column.name for column in table.columns])

    def _table(self) -> Table:
        if self.status != "answered":
            step = "answer.reply(…)" if self.needs_input else "; ".join(self.form["hints"]) or "ask otherwise"
            raise BackedgeError(self.text, kind=self.status, next_step=step, run_id=self.run_id)
        columns = tuple(Column(name=c["name"], type=c["type"], kind=c["kind"]) for c in self.form["columns"])
        rows = tuple(tuple(row) for row in self.form["rows"])
        return Table.model_construct(columns=columns, rows=rows, truncated=self.form["truncated"])

    def _asked(self) -> int | None:
        """The question that was seen, so that an answer to it is never taken for another's."""
        asks = self.form["questions"]
        return int(asks[0]["seq"]) if asks else None

    def __str__(self) -> str:
        return as_text(self.form)

    def __repr__(self) -> str:
        return f"<Answer {self.run_id} {self.status}: {self.text!r}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """What Jupyter and marimo show: the chart where there is one, else the table."""
        shown: dict[str, Any] = {"text/plain": as_text(self.form), "text/html": as_html(self.form)}
        if self.chart is not None:
            shown[VEGA_LITE] = dict(self.chart)
        return shown

"""What is said of an automation's result: its table in the template's words, or its text, quoted as its own."""

from __future__ import annotations

from dataclasses import replace

from backedge.ask.charts import chart
from backedge.ask.figures import Figure, Prose, figures_resolve
from backedge.ask.intent import Intent
from backedge.ask.numbers.read import read_figures
from backedge.ask.numbers.sheet_of import sheet_of
from backedge.ask.proposals import Interpretation
from backedge.ask.prose import write
from backedge.ask.states import Delegating, Interpreting, Query
from backedge.kernel.defect import Defect

UNKNOWN = Query("automation", "")


def of_automation(state: Interpreting) -> Interpretation:
    """The words of an automation's result. A text is the author's own template: it is quoted, and no figure of ours."""
    source = state.came_from
    assert isinstance(source, Delegating)
    if state.told or state.ran is None:
        apart = "\n\n" if "\n" in state.told else " "
        return Interpretation(f"As the automation {source.automation} gives it:{apart}{state.told}")
    prose = write(_intent(source), (), state.ran.table)
    return Interpretation(prose.text, prose.figures, chart((), state.ran.table, apart=False))


def figures_of_automation(state: Interpreting, said: Interpretation) -> tuple[Figure, ...] | Defect:
    """The figures that a template declares of an automation's table, or that a model's words are read to have.

    How its rows were made is not known: that they are all, or that they add up, is taken for granted by no word.
    """
    source = state.came_from
    if state.ran is None or state.told or not isinstance(source, Delegating):
        return said.figures
    if not said.figures:
        made = sheet_of(source.came_from.question.text, _intent(source), UNKNOWN, state.ran.table, state.remarks)
        return read_figures(said.text, replace(made, apart=False))
    prose = Prose(said.text, said.figures)
    return figures_resolve(prose, _intent(source), (), state.ran.table, ()) or said.figures


def given_text(source: Delegating) -> tuple[str, ...]:
    """The values that the automation was given, in words."""
    return tuple(f"{name} = {value}" for name, value in source.variables.items())


def _intent(source: Delegating) -> Intent:
    return Intent(source.came_from.question.text, f"automation {source.automation}", ())

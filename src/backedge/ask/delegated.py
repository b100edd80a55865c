"""What is said of an automation's result: its table in the template's words, or its text, quoted as its own."""

from __future__ import annotations

from backedge.ask.charts import chart
from backedge.ask.figures import Figure, Prose, figures_resolve
from backedge.ask.intent import Intent
from backedge.ask.proposals import Interpretation
from backedge.ask.prose import write
from backedge.ask.states import Delegating, Interpreting
from backedge.kernel.defect import Defect


def of_automation(state: Interpreting) -> Interpretation:
    """The words of an automation's result. A text is the author's own template: it is quoted, and no figure of ours."""
    source = state.came_from
    assert isinstance(source, Delegating)
    if state.told or state.ran is None:
        return Interpretation(f"As the automation {source.automation} gives it: {state.told}")
    prose = write(_intent(source), (), state.ran.table)
    return Interpretation(prose.text, prose.figures, chart((), state.ran.table, apart=False))


def figures_of_automation(state: Interpreting, said: Interpretation) -> tuple[Figure, ...] | Defect:
    """The figures that a template declares of an automation's table."""
    source = state.came_from
    if state.ran is None or not isinstance(source, Delegating) or not said.figures:
        return said.figures
    prose = Prose(said.text, said.figures)
    return figures_resolve(prose, _intent(source), (), state.ran.table, ()) or said.figures


def given_text(source: Delegating) -> tuple[str, ...]:
    """The values that the automation was given, in words."""
    return tuple(f"{name} = {value}" for name, value in source.variables.items())


def _intent(source: Delegating) -> Intent:
    return Intent(source.came_from.question.text, f"automation {source.automation}", ())

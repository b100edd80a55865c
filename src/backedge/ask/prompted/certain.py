"""What rules read for certain of a question and of the answers to it, with the values that its asker may see."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.ask.grounding.understood import Understood, understood
from backedge.ask.prompted.surroundings import Surroundings
from backedge.ask.states import Question, Specifying
from backedge.semantic.policies import without_policies


@dataclass(frozen=True)
class Certain:
    """What is certain of the question, and of what the person said since."""

    question: Understood
    answers: Understood


class CertainReader:
    """Reads by the words of the model; what these mean does not hang on who asks."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self.model = without_policies(around.catalog.model)

    async def of(self, state: Specifying) -> Certain:
        """What is certain on the way to a state."""
        question = state.came_from.question
        answers = "; ".join(given.value for given in (*state.came_from.given, *state.given))
        return Certain(await self._read(question, question.text), await self._read(question, answers))

    async def _read(self, question: Question, text: str) -> Understood:
        values = await self._around.rules.values_of(question, text)
        return understood(text, self.model, values, question.today)

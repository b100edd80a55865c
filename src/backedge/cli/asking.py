"""Questions to the person at a terminal: shown, answered one after the other, or answered before they are asked."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape

from backedge.ask.answer import Found
from backedge.ask.answers import read_answer
from backedge.ask.states import AwaitingAnswer
from backedge.cli.session import project_flag
from backedge.kernel.defect import Defect

TYPED = {"choice": "NUMBER", "text": "TEXT", "number": "VALUE", "date": "DATE"}
PROMPTS = {"choice": "Which one? ", "text": "Your answer? ", "number": "Which number? ", "date": "Which day or days? "}


class Beforehand:
    """Answers that were given with the question, by slot; each is used once."""

    def __init__(self, given: Iterable[str]) -> None:
        self._left: dict[str, str] = {}
        for text in given:
            slot, equals, value = text.partition("=")
            if not slot.strip() or not equals:
                raise click.BadParameter(f"{text!r} names no slot; write SLOT=VALUE", param_hint="--answer")
            if slot.strip() in self._left:
                raise click.BadParameter(f"{slot.strip()} is answered twice; keep one value", param_hint="--answer")
            self._left[slot.strip()] = value

    def take(self, found: Found) -> tuple[str, ...]:
        """The answers to everything that is asked now; none where one is missing."""
        slots = [question["slot"] for question in found["questions"]]
        if not slots or not self._left.keys() >= set(slots):
            return ()
        return answers([(slot, self._left.pop(slot)) for slot in slots])

    @property
    def unused(self) -> str:
        """The slots that nothing asked about."""
        return ", ".join(self._left)


def answers(pairs: list[tuple[str, str]]) -> tuple[str, ...]:
    """The answers as `App.say` takes them; the only one as it is, for its slot's name may hold anything."""
    return (pairs[0][1],) if len(pairs) == 1 else tuple(f"{slot}={value}" for slot, value in pairs)


def show_questions(found: Found, console: Console) -> None:
    """Every open question with its options, and until when it waits."""
    several = len(found["questions"]) > 1
    for question in found["questions"]:
        show_question(question, console, named=several)
    told = [q for q in found["questions"] if q["default_at"]]
    if told:
        taken = ", ".join(f"{q['slot']}={q['default']}" if several else str(q["default"]) for q in told)
        at = datetime.fromisoformat(told[0]["default_at"]).astimezone().strftime("%Y-%m-%d %H:%M")
        console.print(f"Answered with {escape(taken)} on {at} if nobody answers.", highlight=False, soft_wrap=True)


def show_question(question: Found, console: Console, *, named: bool) -> None:
    """One question; only the options of a choice are chosen by number."""
    slot = f" [dim]({escape(question['slot'])})[/]" if named else ""
    console.print(f"[bold]{escape(question['prompt'])}[/]{slot}", highlight=False, soft_wrap=True)
    for number, option in enumerate(question["options"], 1):
        mark = f"{number})" if question["answers"] == "choice" else "-"
        console.print(f"  {mark} {escape(option['label'])}", highlight=False, soft_wrap=True)


async def typed_answers(state: AwaitingAnswer, found: Found, console: Console) -> tuple[str, ...]:
    """What the person types, one question after the other; none where one is put off."""
    pairs: list[tuple[str, str]] = []
    several = len(found["questions"]) > 1
    if several:
        console.print(f"{len(found['questions'])} things must be known; Enter alone puts them off.", highlight=False)
    for asks, question in zip(state.questions, found["questions"], strict=True):
        show_question(question, console, named=several)
        read: str | Defect | None = None
        while not isinstance(read, str):
            print(PROMPTS[asks.answers], end="", file=sys.stderr, flush=True)
            said = await _line()
            if not said:
                print(file=sys.stderr)
                return ()
            read = read_answer(asks, said, datetime.now().date())
            if isinstance(read, Defect):
                console.print(escape(f"{read.message}; {read.hint}"), highlight=False, soft_wrap=True)
        pairs.append((asks.slot, said))
    return answers(pairs)


async def _line() -> str:
    """A line from the terminal. No thread reads it: such a thread would keep the process waiting after Ctrl-C."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sys.stdin, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(sys.stdin)
    return sys.stdin.readline().strip()


def how_to_answer(found: Found, folder: Path) -> str:
    """What to type to answer the open questions."""
    asked = found["questions"]
    if len(asked) == 1:
        said = TYPED[asked[0]["answers"]]
    else:
        said = " ".join(shlex.quote(f"{question['slot']}={TYPED[question['answers']]}") for question in asked)
    return f"backedge answer {asked[0]['run_id']} {said}{project_flag(folder)}"

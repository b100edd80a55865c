"""A workflow that has nothing to do with data: a letter is drafted, approved by a person, and copied by child runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pydantic import JsonValue

from backedge.kernel.budget import Budget
from backedge.kernel.defect import Defect
from backedge.kernel.journal import Context
from backedge.kernel.stage import Child, ChildEnd, Lesson, Record, Refusal, Reply, Settled, Stage, Unreadable
from backedge.kernel.workflow import Workflow


@dataclass(frozen=True)
class Wish:
    """What somebody wants written."""

    to: str
    about: str


@dataclass(frozen=True)
class Draft:
    """A drafted letter."""

    text: str


@dataclass(frozen=True)
class Verdict:
    """What the person says of a draft."""

    approved: bool
    note: str = ""


@dataclass(frozen=True)
class Drafting:
    """The letter is not written yet."""

    wish: Wish


@dataclass(frozen=True)
class Approving:
    """A person must say yes."""

    came_from: Drafting
    draft: Draft


@dataclass(frozen=True)
class Copying:
    """Two copies are being made."""

    came_from: Approving
    copies: tuple[str, ...] = ()


@dataclass(frozen=True)
class Binding:
    """The copies are put together."""

    came_from: Copying
    copies: tuple[str, ...]


@dataclass(frozen=True)
class Mending:
    """Something was given up."""

    came_from: Drafting | Binding
    refusal: Refusal


@dataclass(frozen=True)
class Posted:
    """The end: the letter is on its way."""

    text: str


@dataclass(frozen=True)
class Dropped:
    """The end: it was not to be."""

    reason: str


@dataclass
class Desk:
    """The ports: who drafts and who binds, each given the lesson; their replies are scripted by the test."""

    draft: Callable[[Drafting, Lesson], Draft | Reply[Draft] | Unreadable]
    bind: Callable[[Binding, Lesson], Draft]
    copy: Callable[[str], Draft] = lambda text: Draft(text)


async def _draft(state: Drafting, desk: Desk, lesson: Lesson) -> Draft | Reply[Draft] | Unreadable:
    return desk.draft(state, lesson)


def polite(state: Drafting, draft: Draft) -> Defect | None:
    """The letter greets its reader."""
    if state.wish.to in draft.text:
        return None
    return Defect("impolite", f"it does not greet {state.wish.to}", hint="begin with the name")


def not_rude(state: Drafting, draft: Draft) -> Defect | None:
    """The letter does not swear."""
    return Defect("rude", "it swears", retryable=False) if "damn" in draft.text else None


def _drafted(state: Drafting, draft: Draft) -> Settled[Approving]:
    return Settled(Approving(state, draft))


def reasoned(state: Approving, verdict: Verdict) -> Defect | None:
    """A refusal says why."""
    return None if verdict.approved or verdict.note else Defect("no_reason", "say why it is not approved")


def _approved(state: Approving, verdict: Verdict) -> Settled[Copying | Drafting]:
    if not verdict.approved:
        return Settled(state.came_from, because=(Defect("disliked", verdict.note),))
    copies = tuple(Child("copy", Wish(str(n), state.draft.text)) for n in (1, 2))
    return Settled(Copying(state), children=copies, records=(Record("letter", state.draft.text, {"ok": True}),))


def _copied(state: Copying, end: ChildEnd) -> Settled[Copying | Binding]:
    said = f"{end.index}:{end.outcome['text'] if end.outcome else end.reason}"
    copies = tuple(sorted((*state.copies, said)))
    return Settled(Binding(state, copies) if len(copies) == end.of else replace(state, copies=copies))


async def _bind(state: Binding, desk: Desk, lesson: Lesson) -> Draft:
    return desk.bind(state, lesson)


def whole(state: Binding, bound: Draft) -> Defect | None:
    """Every copy is in it."""
    return None if all(copy in bound.text for copy in state.copies) else Defect("torn", "a copy is missing")


def _bound(state: Binding, bound: Draft) -> Settled[Posted]:
    return Settled(Posted(bound.text))


async def _mend(state: Mending, desk: Desk, lesson: Lesson) -> Draft:
    return Draft("")


def _mended(state: Mending, way: Draft) -> Settled[Drafting | Dropped]:
    if state.refusal.repeated or isinstance(state.came_from, Drafting):
        return Settled(Dropped("; ".join(d.message for d in state.refusal.defects)))
    return Settled(state.came_from.came_from.came_from.came_from, because=state.refusal.defects)


def _begin(wish: Wish, context: Context) -> Drafting:
    return Drafting(wish)


LETTERS = Workflow(
    name="letters",
    start=Drafting,
    edges={
        Drafting: (Approving, Mending),
        Approving: (Copying, Drafting),
        Copying: (Copying, Binding),
        Binding: (Posted, Mending),
        Mending: (Drafting, Dropped),
    },
    stages=(
        Stage(Drafting, Draft, _drafted, _draft, (polite, not_rude), Mending, reuse=True, model="writer"),
        Stage(Approving, Verdict, _approved, gates=(reasoned,)),
        Stage(Copying, ChildEnd, _copied),
        Stage(Binding, Draft, _bound, _bind, (whole,), Mending, Budget(max_retries=0)),
        Stage(Mending, Draft, _mended, _mend, outside=False),
    ),
    begin=_begin,
)


@dataclass(frozen=True)
class Tracing:
    """One copy is being made."""

    wish: Wish


@dataclass(frozen=True)
class Traced:
    """The end: one copy."""

    text: str


async def _trace(state: Tracing, desk: Desk, lesson: Lesson) -> Draft:
    return desk.copy(state.wish.about)


def _traced(state: Tracing, draft: Draft) -> Settled[Traced]:
    return Settled(Traced(draft.text))


def _begin_copy(wish: Wish, context: Context) -> Tracing:
    return Tracing(wish)


def _outcome(end: Traced) -> dict[str, JsonValue]:
    return {"text": end.text}


COPY = Workflow(
    name="copy",
    start=Tracing,
    edges={Tracing: (Traced,)},
    stages=(Stage(Tracing, Draft, _traced, _trace),),
    begin=_begin_copy,
    outcome=_outcome,
)

"""What Clarifying makes of a question: a grounded intent, a question back to the person, or what was not understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backedge.kernel.defect import Defect
from backedge.semantic.spec import Spec

Role = Literal[
    "measure", "dimension", "grain", "value", "time", "order", "limit", "segment", "verified", "filler", "part",
]  # fmt: skip

# Why a question is refused; docs/ask.md says of each what it looks like and what to do.
RefusalKind = Literal[
    "nothing_asked", "unknown_word", "no_measure", "not_measured", "not_groupable", "no_date", "no_data", "unclear",
    "not_yet", "not_together", "too_many", "why", "not_kept",
    "empty", "not_permitted", "not_proven", "beyond_the_model", "rejected", "bad_result", "given_up",
]  # fmt: skip
# What a person is asked about.
AskKind = Literal[
    "measure", "ranking", "grouping", "date", "value", "verified", "name", "count", "kept", "automation", "meaning",
]  # fmt: skip

# What an answer must be: one of the options, any text, an exact number, or days.
AnswerKind = Literal["choice", "text", "number", "date"]


@dataclass(frozen=True)
class Token:
    """Words of the question and what they were read as. `means` is a member path, a value, a period or a rule.

    A `kept` one is no word of this question: it is taken over from the question before.
    """

    text: str
    role: Role
    means: str
    kept: bool = False


@dataclass(frozen=True)
class Given:
    """The answer to one open slot: `slot` as the question named it, `value` the chosen option's, or what was written.

    `by_default` where nobody answered in time; `by` says who asked: a model's question is not known to the rules.
    """

    slot: str
    value: str
    by_default: bool = False
    by: Literal["words", "model"] = "words"


@dataclass(frozen=True)
class Before:
    """The answered question that another one follows, with all that may be kept of it.

    `spec` is None where a verified query answered it; `thread` is the run that the thread began with.
    """

    run_id: str
    thread: str
    question: str
    reading: str
    spec: Spec | None
    dates: tuple[str, ...] = ()


@dataclass(frozen=True)
class Intent:
    """A question of which every word is understood.

    `draft` is the spec that its words name (None for a verified query), `reading` its short form ("total_sales by
    store; top 5"), `assumptions` what was decided for the reader and must be said in the answer, `dates` the members
    that a period goes by and that the answer names, for there are other dates that it could go by. Where a model read
    it (`by`), `members` are what it needs, instead of tokens word by word; `defects` are what it named wrong.
    `parts` are complete questions that are asked apart, instead of a draft.
    """

    question: str
    reading: str
    tokens: tuple[Token, ...]
    draft: Spec | None = None
    verified: str = ""
    assumptions: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    by: Literal["words", "model"] = "words"
    defects: tuple[Defect, ...] = ()
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Option:
    """One way to read an open slot: `value` is what an answer must say, `label` what a person reads."""

    value: str
    label: str


@dataclass(frozen=True)
class Ambiguous:
    """One slot has several readings that give different values: which one is for a person to say.

    Only `answers` of a choice must be one of the options; else they are suggestions. `default` is the value of the one
    that is taken if nobody answers in time, where the agent sets a time; "" is none.
    """

    slot: str
    words: str
    prompt: str
    options: tuple[Option, ...]
    kind: AskKind = "meaning"
    answers: AnswerKind = "choice"
    default: str = ""


@dataclass(frozen=True)
class Questions:
    """Several open slots that are asked about at once; all of them are answered at once."""

    asks: tuple[Ambiguous, ...]


@dataclass(frozen=True)
class Inquiry:
    """A question about the catalog, not about the data: `text` answers it from the catalog, without SQL.

    Where a model wrote it, `facts` are those of the text's names and numbers that stand in what the model was shown.
    """

    text: str
    facts: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Unknown:
    """A word that nothing in the model means, with the nearest names that do exist."""

    word: str
    near: tuple[str, ...] = ()


@dataclass(frozen=True)
class NotUnderstood:
    """The question cannot be read in full. `reason` is one sentence; `instead` are questions that can be answered.

    Where a model wrote the reason, `facts` are as an inquiry has them.
    """

    reason: str
    unknown: tuple[Unknown, ...] = ()
    instead: tuple[str, ...] = ()
    kind: RefusalKind = "unclear"
    facts: tuple[str, ...] | None = None


Clarified = Intent | Ambiguous | Questions | Inquiry | NotUnderstood

"""What no row can prove: causes, the future, targets, what is left out, and names that are not in the result."""

from __future__ import annotations

import re

from backedge.ask.numbers.lines import pattern
from backedge.ask.numbers.reader import Reader
from backedge.ask.numbers.sheet import stem

_CAUSE = re.compile(
    r"\b(?:because|due to|owing to|thanks to|led to|leads to|leading to|drove|drives|driven by|driving|caused?|causes|causing|as a result"
    r"|results? (?:of|from|in)|resulted|reasons?|explain(?:s|ed)?|attribut\w+|stems? from|on account of|fuel?led by|boosted by"
    r"|spurred|triggered|consequently|therefore|thus|hence|reflect(?:s|ed|ing)?|thereby)\b",
    re.IGNORECASE,
)
_WHY = re.compile(r"\b(?:why|causes?|caused|reasons?|explain|drivers?|drives?|because)\b", re.IGNORECASE)
_BEYOND = re.compile(
    r"\b(?:will|would|won['’]t|expect\w*|forecast\w*|project(?:ed|ion|ions|s)|predict\w*|likely|going to|outlook"
    r"|records?|all-time|unprecedented|targets?|budget\w*|goals?|plan(?:ned)?|benchmarks?|industry|significan\w+|unusual\w*|abnormal\w*"
    r"|normal(?:ly)?|healthy|correlat\w+|trend(?:s|ed|ing)?|seasonal\w*|historic\w*|ever)\b",
    re.IGNORECASE,
)
_APART = re.compile(r"\b(?:without|except(?:ing)?|excluding|excluded|other than|apart from|aside from|the rest|remaining|others?|elsewhere)\b", re.I)
_VAGUE = re.compile(r"\b(?:dozens|hundreds|thousands|millions|billions|countless|numerous)\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|never|neither|nor|didn['’]t|isn['’]t|wasn['’]t|aren['’]t|weren['’]t|doesn['’]t|hasn['’]t|cannot|can['’]t)\b", re.I)
_METRICS = frozenset(
    map(
        stem,
        _words(
        "profit profits revenue revenues sales cost costs margin margins income earnings spend spending "
        "expenses customers users clients buyers visitors orders purchases transactions invoices shipments "
        "units items products refunds returns price prices discount tax salary headcount employees staff "
        "sessions clicks leads subscribers churn balance debt stock inventory patients visits appointments "
        "doctors students courses tickets"
    ),
    )
)
_OPENERS = frozenset(
    _words(
        "a about across after all also altogether among an and as at average before below between both but by "
        "compared conversely delivery during each every few for from here here's how however in it its just "
        "last median more most nearly next no none nothing of on only or our out over overall roughly second "
        "since so some sum that the their then there these they third this those together total two under up "
        "versus we what when where which while with within you your approximately around almost result "
        "results rows values value first highest lowest meanwhile similarly finally"
    )
)
_CAPITAL = re.compile(r"(?<![\w'’])[A-ZÀ-ÖØ-Þ][\w'’-]*")
_CODES = frozenset({"I", "EUR", "USD", "GBP", "CHF", "JPY", "Q", "AM", "PM"})
_MASK = pattern(r"<L>|<Q>|<C>|<G>|<N>|<D>")


def judge_claims(reader: Reader) -> None:
    """Refuse what the rows of a result cannot bear out, unless the question asked for it."""
    text, asked = reader.line.text, reader.sheet.question
    forbidden = [
        (_BEYOND, "claim_beyond", "goes beyond the rows", "say what the rows hold"),
        (_APART, "claim_unproven", "leaves rows out", "name the rows instead"),
        (_VAGUE, "claim_unproven", "is no number", "write the number"),
        (_NEGATED, "claim_unproven", "denies something, which is not checked", "say what is the case"),
    ]
    if not _WHY.search(asked):
        forbidden.insert(0, (_CAUSE, "cause_claimed", "claims a cause that nobody asked for", "say what happened, not why"))
    for form, kind, message, hint in forbidden:
        for match in form.finditer(text):
            if reader.open(match.start(), match.end()) and stem(match[0]) not in reader.sheet.known:
                raise reader.refuse(kind, match.start(), message, hint, match.end())
    _strangers(reader)


def _strangers(reader: Reader) -> None:
    """Names and quantities that are neither in the result nor in the question."""
    text, known = reader.line.text, reader.sheet.known
    opening = re.search(r"\w", text)
    for match in _CAPITAL.finditer(text):
        word = re.sub(r"['’]s?$", "", match[0])
        first = opening is not None and match.start() == opening.start()
        if word in _CODES or stem(word) in known or (first and word.lower() in _OPENERS):
            continue
        if first and not _MASK.search(text):
            continue
        raise reader.refuse("name_unknown", match.start(), f"{word!r} is neither in the result nor in the question", "leave it out", match.end())
    for match in re.finditer(r"[^\W\d_]+", text):
        if stem(match[0]) in _METRICS and stem(match[0]) not in known and reader.open(match.start(), match.end()):
            raise reader.refuse("measure_unclear", match.start(), f"{match[0]!r} is not in the result", "name its measures", match.end())

"""Questions about the catalog itself: what can be asked, what there is, what a name means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backedge.ask.catalog import Catalog
from backedge.ask.grounding.lexicon import Lexicon
from backedge.ask.grounding.words import Word, in_words, phrase
from backedge.ask.intent import Inquiry
from backedge.semantic.model import Model, View

_GREETINGS = frozenset(phrase("hi hello hey thanks thank you good morning afternoon evening there"))
_HELP = frozenset(
    phrase(text)
    for text in (
        "help", "help me", "what can i ask", "what can you do", "what can i ask you", "what can you answer",
        "what questions can i ask", "what do you know", "who are you", "what is this", "how does this work",
    )
)  # fmt: skip
_KINDS = {
    "measure": "measures", "metric": "measures", "kpi": "measures", "dimension": "dimensions",
    "attribute": "dimensions", "table": "views", "view": "views", "dataset": "views", "topic": "topics",
}  # fmt: skip
_LISTING = frozenset(
    phrase("what which list show me all the are there is do you have can i use ask available exist a of in")
)
_ABOUT = tuple(
    phrase(text)
    for text in (
        "describe", "define", "what does", "what do", "meaning of", "the meaning of", "definition of",
        "how is", "how are", "what is the meaning of", "what is the definition of", "explain the meaning of",
    )
)  # fmt: skip
_ENDINGS = tuple(phrase(text) for text in ("mean", "stand for", "calculated", "computed", "defined"))
_NEED_ENDING = frozenset(phrase(text) for text in ("what does", "what do", "how is", "how are"))
MOST = 30


def inquire(words: Sequence[Word], catalog: Catalog, lexicon: Lexicon) -> Inquiry | None:
    """The answer to a question about the catalog, or None where the question is about the data."""
    stems = tuple(word.stem for word in words if word.kind != "mark")
    if _HELP.intersection({stems}) or (stems and _GREETINGS.issuperset(stems)):
        return Inquiry(_overview(catalog))
    kind = _listed(stems, lexicon)
    if kind:
        return Inquiry(_listing(kind, catalog.model))
    subject = _subject(stems)
    return _described(subject, catalog.model, lexicon) if subject else None


def _listed(stems: tuple[str, ...], lexicon: Lexicon) -> str:
    """ "What measures are there": one word for a kind of member, and only words that ask for a list around it."""
    kinds = [stem for stem in stems if stem in _KINDS and (stem,) not in lexicon.entries]
    others = [stem for stem in stems if stem not in kinds]
    return _KINDS[kinds[0]] if len(kinds) == 1 and _LISTING.issuperset(others) else ""


def _subject(stems: tuple[str, ...]) -> tuple[str, ...]:
    for opening in sorted(_ABOUT, key=len, reverse=True):
        if stems[: len(opening)] != opening:
            continue
        rest = stems[len(opening) :]
        ending = next((e for e in _ENDINGS if rest[-len(e) :] == e), ())
        if not ending and opening in _NEED_ENDING:
            continue
        rest = rest[: len(rest) - len(ending)]
        return rest[1:] if rest[:1] in (("the",), ("a",)) else rest
    return ()


def _described(subject: tuple[str, ...], model: Model, lexicon: Lexicon) -> Inquiry | None:
    views = [
        view for view in model.views if subject in (phrase(view.name), phrase(view.label), phrase(f"{view.name} view"))
    ]
    if views:
        return Inquiry("\n\n".join(map(_view_text, views)))
    entries = lexicon.entries.get(subject, ())
    best = min((entry.rank for entry in entries), default=0)
    lines = dict.fromkeys(_member_text(lexicon, e.kind, e.path) for e in entries if e.rank == best and e.kind != "noun")
    return Inquiry("\n".join(lines)) if lines else None


def _member_text(lexicon: Lexicon, kind: str, path: str) -> str:
    view, _, name = path.partition(".")
    if kind == "segment":
        return f"{in_words(name)} is a segment of {view}."
    member = lexicon.measure(path) if kind == "measure" else lexicon.dimension(path)
    text = f"{in_words(name)} is a {kind} of {view} ({member.type})"
    text += f": {member.description}" if member.description else ""
    text += f" [{member.expr.strip()}]" if member.expr else ""
    text += f" Also called {', '.join(member.synonyms)}." if member.synonyms else ""
    return text


def _view_text(view: View) -> str:
    about = f": {view.description}" if view.description else ""
    return (
        f"{view.name}{about}\n  measures: {_names(m.name for m in view.measures)}"
        f"\n  dimensions: {_names(d.name for d in view.dimensions)}"
    )


def _names(names: Iterable[str]) -> str:
    known = [in_words(name) for name in names]
    more = f" and {len(known) - MOST} more" if len(known) > MOST else ""
    return (", ".join(known[:MOST]) or "none") + more


def _listing(kind: str, model: Model) -> str:
    if kind == "topics":
        return (
            "\n".join(f"{t.name}: {t.description or _names(t.views)}" for t in model.topics)
            or "No topics are declared."
        )
    if kind == "views":
        return "\n".join(f"{v.name}: {v.description}" if v.description else v.name for v in model.views[:MOST])
    members = [(v.name, [m.name for m in (v.measures if kind == "measures" else v.dimensions)]) for v in model.views]
    return (
        "\n".join(f"{view}: {_names(names)}" for view, names in members[:MOST] if names) or f"No {kind} are declared."
    )


def _overview(catalog: Catalog) -> str:
    views = "\n\n".join(_view_text(view) for view in catalog.model.views[:MOST])
    asked = [question for query in catalog.verified for question in query.embed[:1]][:5]
    verified = f"\n\nQuestions with a verified answer: {'; '.join(asked)}." if asked else ""
    return f"You can ask for these measures by these dimensions:\n\n{views}{verified}"

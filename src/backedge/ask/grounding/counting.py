"""Counts that count something other than the words say: "weeks", where a row is a store in a week."""

from __future__ import annotations

from collections.abc import Iterator

from backedge.ask.grounding.vocabulary import GRAINS
from backedge.ask.grounding.words import Phrase, in_words, phrase, stem
from backedge.semantic.model import Entity, Measure, Model, View
from backedge.semantic.spec import Filter, Spec

_COUNTED, _ENDS = (("number", "of"), ("count", "of")), ("in", "of", "for", "with", "that", "per", "by", "each")
_SAYS_COUNT, _ENDINGS = ("total", "count", "num", "number", "different", "distinct", "unique"), ("id", "key", "code")


def miscounted(model: Model, path: str, words: str) -> str:
    """What the count at `path` counts, in words, where that is not what `words` (or its name) say; else nothing."""
    view_name, _, name = path.partition(".")
    view = model.view(view_name)
    measure = view.measure(name) if view else None
    if view is None or measure is None:
        return ""
    nouns = _nouns(words) or _nouns(in_words(name))
    if measure.type == "count" and not measure.expr:
        return _rows(view, measure) if _is_no_row(model, view, nouns) else ""
    if measure.type.startswith("count_distinct") and nouns and _is_not_distinct(model, view, measure, nouns[-1]):
        return f"{in_words(name)} counts different values of {in_words(measure.expr)}"
    return ""


def counts_in_groups(model: Model, path: str, words: str, spec: Spec) -> bool:
    """Whether what is grouped by, or held to one value, leaves of a row just the thing that is counted."""
    view = model.view(path.partition(".")[0])
    keys = _keys(view)
    held = {by.member for by in spec.by if by.grain is None}
    held |= {f.member for f in spec.where if isinstance(f, Filter) and f.op == "equals"}
    left = [key for key in keys if f"{view.name}.{key}" not in held] if view else []
    return len(keys) > 1 and len(left) == 1 and view is not None and _named(view, left[0], _nouns(words)[-1:])


def _rows(view: View, measure: Measure) -> str:
    keys = " and ".join(in_words(key) for key in _keys(view))
    return f"{in_words(measure.name)} counts rows of {in_words(view.name)}" + (f", one for each {keys}" if keys else "")


def _keys(view: View | None) -> tuple[str, ...]:
    return view.primary.keys if view and view.primary else ()


def _nouns(words: str) -> Phrase:
    """What is counted: "week" of "total holiday weeks in the data", "car" and "sold" of "cars sold"."""
    said = words.split()
    stems = [stem(word) for word in said]
    start = 2 if tuple(stems[:2]) in _COUNTED else 0
    end = next((at for at, word in enumerate(stems) if at > start and word in _ENDS), len(stems))
    plain = [at for at in range(start, end) if stems[at] not in _SAYS_COUNT]
    return tuple(stems[at] for at in plain if at == plain[-1] or stems[at] != said[at])


def _is_no_row(model: Model, view: View, nouns: Phrase) -> bool:
    """Whether a noun names one of several keys of a row, or another thing than the row that the model knows."""
    keys = _keys(view)
    if len(keys) > 1 and any(_named(view, key, nouns[-1:]) and not _numbers_rows(view, key) for key in keys):
        return not _is_the_row(view, nouns[-1])
    others = {*GRAINS, *_entities(model, view), *_attributes(view)}
    return not _own(view).intersection(nouns) and not others.isdisjoint(nouns)


def _is_the_row(view: View, noun: str) -> bool:
    """Whether a row is called just so, and no key of it is: a session of a user and a start, not a store of a week."""
    named = (noun,) in (phrase(view.name), phrase(view.primary.name if view.primary else ""))
    return named and all(_without_id(phrase(key)) != (noun,) for key in _keys(view))


def _numbers_rows(view: View, key: str) -> bool:
    """Whether a key only tells apart the rows of one owner, as the number of a line in its order does."""
    owners = {k for entity in view.entities if entity.type == "foreign" for k in entity.keys}
    dimension = view.dimension(key)
    timed = dimension is not None and dimension.type in ("date", "datetime")
    return key not in owners and not timed and owners.issuperset(k for k in _keys(view) if k != key)


def _named(view: View, key: str, nouns: Phrase) -> bool:
    dimension = view.dimension(key)
    timed = dimension is not None and dimension.type in ("date", "datetime") and not GRAINS.keys().isdisjoint(nouns)
    synonyms = dimension.synonyms if dimension else ()
    return timed or not {word for text in (key, *synonyms) for word in phrase(text)}.isdisjoint(nouns)


def _own(view: View) -> set[str]:
    names = [view.name, view.label, view.primary.name if view.primary else ""]
    names += list(_keys(view))[:1] if len(_keys(view)) == 1 else []
    return set(filter(None, map(_last, names)))


def _last(name: str) -> str:
    stems = _without_id(phrase(name))
    return stems[-1] if stems else ""


def _without_id(stems: Phrase) -> Phrase:
    return stems[:-1] if len(stems) > 1 and stems[-1] in _ENDINGS else stems


def _entities(model: Model, view: View) -> Iterator[str]:
    """What else has a key of its own: the views around, and what this view points to."""
    for other in model.views:
        entities: tuple[Entity, ...] = other.entities
        yield from (_last(e.name) for e in entities if other is view or e.type == "primary")


def _attributes(view: View) -> Iterator[str]:
    yield from (_last(d.name) for d in view.dimensions if d.type != "boolean" and not d.primary_key)


def _is_not_distinct(model: Model, view: View, measure: Measure, noun: str) -> bool:
    """Whether a noun is known, and is not what the column that is counted holds."""
    columns = {d.name for d in view.dimensions if measure.expr in (d.expr.strip(), d.name)} or {measure.expr}
    said = {word for name in columns for word in phrase(name)}
    said |= {word for name in columns if (d := view.dimension(name)) for s in d.synonyms for word in phrase(s)}
    said |= {word for e in view.entities if set(e.keys) & columns for word in phrase(e.name)}
    return noun not in said and noun in {*GRAINS, *_own(view), *_entities(model, view), *_attributes(view)}

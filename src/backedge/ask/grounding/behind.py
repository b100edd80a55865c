"""A noun behind a value in a follow-up: "for enterprise customers" may say what is counted, or only restrict."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from backedge.ask.grounding.choices import said
from backedge.ask.grounding.chunks import Chunk
from backedge.ask.grounding.draft import Draft
from backedge.ask.grounding.kept import filters_in
from backedge.ask.grounding.replacing import GONE
from backedge.ask.grounding.restrictions import name_of
from backedge.ask.grounding.slots import EITHER, KEPT, Choice, Mark, Slot
from backedge.ask.grounding.vocabulary import COUNTS
from backedge.ask.grounding.words import in_words
from backedge.semantic.operators import NEGATIVE


def restricting_noun(draft: Draft) -> bool:
    """Whether there is such a noun. Of rows left out it counts nothing; else a person says which is meant."""
    kept = [slot.choices[0] for slot in draft.slots if slot.name.startswith(KEPT) and slot.role == "measure"]
    measures = tuple(path for choice in kept for path in choice.measures if not choice.where)
    pair = _pair(draft) if measures else None
    if pair is None:
        return False
    mark, value = pair
    assert mark.slot is not None
    draft.waiting = [waiting for waiting in draft.waiting if waiting.slot != mark.slot]
    asked_already = draft.slots[mark.slot].name.startswith(KEPT)
    if asked_already or all(f.op in NEGATIVE for choice in value.choices for f in filters_in(choice.where)):
        if not asked_already:
            draft.slots[mark.slot] = GONE
        _mark(draft, mark, Mark(mark.chunk, "filler", None, "whose value it is"))
        return True
    names = " and ".join(in_words(name_of(path)) for path in measures)
    same = Choice("same", f"{names} of them", 0, kept[0].view, measures, says=names, note=f"still {names}")
    counts = draft.slots[mark.slot].choices or draft.chooser.measures(mark.chunk)
    others = (replace(c, rank=0, note=f"no longer {names}") for c in counts)
    words = f"{value.words} {mark.chunk.text}"
    draft.slots[mark.slot] = Slot(f"{EITHER}{said(mark.chunk)}", words, "measure", (same, *others))
    _mark(draft, mark, replace(mark, role="measure"))
    return True


def _pair(draft: Draft) -> tuple[Mark, Slot] | None:
    """The mark of a counted noun that stands right behind a value of its own view, and the slot of that value."""
    marks = sorted(draft.marks, key=lambda mark: mark.chunk.start)
    for before, mark in pairwise(marks):
        if before.role == "value" and before.slot is not None and mark.slot is not None and mark.slot != before.slot:
            value = draft.slots[before.slot]
            if _counted(draft, mark.chunk) & {choice.view for choice in value.choices}:
                return mark, value
    return None


def _counted(draft: Draft, chunk: Chunk) -> set[str]:
    """The views whose rows a noun counts."""
    counts = [e for e in chunk.entries if e.kind in ("noun", "measure")]
    return {e.view for e in counts if draft.chooser.lexicon.measure(e.path).type in COUNTS}


def _mark(draft: Draft, old: Mark, new: Mark) -> None:
    draft.marks = [new if mark is old else mark for mark in draft.marks]

"""Follow-up questions: what is kept of the question before, what the new words replace, and what they give up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from backedge.ask.grounding.behind import restricting_noun
from backedge.ask.grounding.choices import Chooser
from backedge.ask.grounding.chunks import Chunk
from backedge.ask.grounding.draft import Draft, Waiting
from backedge.ask.grounding.finish import finish
from backedge.ask.grounding.grammar import walk
from backedge.ask.grounding.kept import SHARE, filters_in, kept_over, kept_slots, members_of, over_text
from backedge.ask.grounding.referring import Drop, Held, Referring
from backedge.ask.grounding.replacing import GONE, GROUPS, conditioned, lifted, still, with_new_filters
from backedge.ask.grounding.restrictions import dimensions, name_of
from backedge.ask.grounding.slots import EITHER, KEPT, Choice, Mark, Over, Parse, Ranking, Slot, Unread
from backedge.ask.grounding.words import in_words
from backedge.ask.intent import Before, Token
from backedge.semantic.model import Model
from backedge.semantic.spec import Spec


def held_by(before: Before) -> Held:
    """What of the question before can be given up by its name."""
    if before.spec is None:
        return Held(frozenset(), frozenset())
    listed = frozenset(by.member for by in before.spec.by) if before.spec.limit is not None else frozenset()
    return Held(frozenset(members_of(before.spec.where)), listed)


class FollowUp:
    """One follow-up while it is being read: the kept slots stand first in its draft.

    Raises `Unread` where its own words cannot be read, or the question before has no parts that can be kept.
    """

    def __init__(self, chunks: Sequence[Chunk], chooser: Chooser, before: Before, referring: Referring) -> None:
        self._before = before
        self._referring = referring
        self._kept = kept_slots(before)
        self._draft = Draft(chunks, chooser, slots=list(self._kept))
        self._notes: list[str] = []
        walk(self._draft)
        self.restricts = restricting_noun(self._draft)
        if referring.extreme and referring.extreme.keyword:
            self._draft.limit = 1
            self._draft.rank = self._draft.direction = referring.extreme.keyword.detail

    @property
    def names_measure(self) -> bool:
        """Whether its own words say what to measure: then, without a word that refers back, it is a question alone."""
        waiting = any(w.superlative or _counts(w.chunk) for w in self._draft.waiting)
        return not self.restricts and (waiting or bool(self._named()))

    def parse(self) -> Parse:
        """The whole question. Raises `Unread` where the new words and the kept parts do not fit together."""
        if self._referring.blank and not (self._referring.drops or self._referring.extreme):
            raise Unread(
                "it does not say what of the question before is to change; name a grouping, a value or a time",
                kind="not_kept",
            )
        self._give_up()
        self._measures()
        self._groupings()
        self._order()
        parsed = self._finished()
        slots, in_place = with_new_filters(parsed.slots, self._draft.chooser)
        self._notes += in_place
        parsed = replace(parsed, slots=slots)
        parsed = replace(parsed, over=self._over(parsed))
        marks = (*parsed.marks, *self._own_marks())
        return _without_gaps(replace(parsed, marks=marks, notes=(*self._said(parsed), *parsed.notes)))

    def _finished(self) -> Parse:
        words = {slot.words for slot in self._kept}
        try:
            return finish(self._draft)
        except Unread as unread:
            own = tuple(u for u in unread.unknown if u.word not in words)
            raise Unread(unread.reason, own, unread.kind) from unread

    # What is asked for

    def _is_kept(self, index: int) -> bool:
        return self._draft.slots[index].name.startswith(KEPT)

    def _of(self, *roles: str, kept: bool) -> list[int]:
        slots = self._draft.slots
        return [i for i, slot in enumerate(slots) if slot.role in roles and self._is_kept(i) == kept]

    def _named(self) -> list[int]:
        """The measures that the new words ask for, those left out that only order the rows or hold groups to them."""
        touched = {mark.slot for mark in self._draft.marks}
        asked = [i for i in self._draft.with_role("measure") if not self._is_kept(i) or i in touched]
        return [i for i in asked if i != self._draft.ranked_by and not self._draft.slots[i].choices[0].where]

    def _remove(self, index: int) -> None:
        self._draft.slots[index] = GONE

    def _give_up(self) -> None:
        spec = self._before.spec or Spec()
        for drop in self._referring.drops:
            given_up = self._dropped(drop)
            limited = drop.what == "limit" and spec.limit is not None
            if not given_up and not limited and drop.what != "grouping":
                raise Unread(
                    f"{drop.chunk.text!r} gives nothing up: the question before has no such part", kind="not_kept"
                )
            if drop.what == "grouping" and spec.limit is not None:
                raise Unread(
                    f"{drop.chunk.text!r} may be of the {_cut_of(spec)} or of all rows: ask in full for that of all; "
                    f"that of a top or bottom N cannot be asked for yet",
                    kind="not_yet",
                )
            for index in given_up:
                self._replaced(index)
            if limited:
                self._notes.append(f"no longer only the {_cut_of(spec)}")

    def _dropped(self, drop: Drop) -> list[int]:
        slots = self._draft.slots
        if drop.what == "grouping":
            return self._of(*GROUPS, kept=True)
        if drop.what == "limit":
            return []
        roles = ("time",) if drop.what == "time" else ("value", "time", "segment", "measure")
        found = [i for i in self._of(*roles, kept=True) if slots[i].choices[0].where or slots[i].choices[0].segments]
        wanted = drop.members
        return [i for i in found if not wanted or wanted.intersection(conditioned(slots[i]))]

    def _measures(self) -> None:
        """A measure that is named goes in place of those before, or beside them where the words say "also"."""
        for waiting in [w for w in self._draft.waiting if not w.superlative and _counts(w.chunk)]:
            if not self._named():
                self._measure_or_grouping(waiting)
        named = self._named()
        if (not named and not any(w.superlative for w in self._draft.waiting)) or self._referring.adds:
            return
        for index in self._of("measure", kept=True):
            if index not in named and not self._draft.slots[index].choices[0].where:
                if self.restricts:
                    self._remove(index)
                else:
                    self._replaced(index)

    def _measure_or_grouping(self, waiting: Waiting) -> None:
        """ "And customers?" may ask for their number, or for a row for each of them."""
        draft, chooser = self._draft, self._draft.chooser
        counts = [c for c in chooser.measures(waiting.chunk) if c.measures]
        if not (dimensions(waiting.chunk) or waiting.chunk.grain) or self._of(*GROUPS, kept=True):
            draft.settle(waiting, "measure", "measure", counts)
        else:
            kept = [self._draft.slots[i].choices[0] for i in self._of("measure", kept=True)]
            measures = tuple(path for choice in kept for path in choice.measures if not choice.where)
            names = " and ".join(in_words(name_of(path)) for path in measures)
            groups, views = chooser.groupings(waiting.chunk), {choice.view for choice in kept}
            near = [c for c in groups if c.view in views] or groups
            rows = [replace(c, measures=measures, label=f"{names} {c.label}", rank=0) for c in near]
            draft.settle(waiting, EITHER, "measure", [*(replace(c, rank=0) for c in counts), *rows])
        draft.waiting.remove(waiting)

    def _groupings(self) -> None:
        """A grouping goes in place of those before, with the top N that belonged to them."""
        own = self._of(*GROUPS, kept=False)
        bare = [w for w in self._draft.waiting if not w.superlative and (dimensions(w.chunk) or w.chunk.grain)]
        if not own and not bare:
            return
        for index in own:
            self._by_what_is_one_value(index)
        spec = self._before.spec or Spec()
        if not self._referring.adds:
            self._regroup(own)
        elif spec.limit is not None:
            raise Unread(
                f"a further grouping of the {_cut_of(spec)} may mean that of these rows, or the {_cut_of(spec)} "
                f"within each of them; ask in full, or leave 'also' out for all rows of the new grouping"
            )

    def _regroup(self, own: Sequence[int]) -> None:
        """Words that may be a filter as well leave the groupings as they were, where they turn out to be one."""
        slots, kept = self._draft.slots, self._of(*GROUPS, kept=True)
        before = tuple(by for index in kept for by in slots[index].choices[0].by)
        open_slots = [i for i in own if any(choice.where for choice in slots[i].choices)]
        for index in open_slots:
            choices = tuple(c if c.by else replace(c, by=before) for c in slots[index].choices)
            slots[index] = replace(slots[index], choices=choices)
        for index in kept:
            if open_slots:
                self._remove(index)
            else:
                self._replaced(index)

    def _by_what_is_one_value(self, index: int) -> None:
        """ "By country", after a question about Germany alone: whether it still is about Germany is to be asked."""
        draft = self._draft
        groups = {by.member for choice in draft.slots[index].choices for by in choice.by}
        for kept in self._of("value", kept=True):
            choice = draft.slots[kept].choices[0]
            only = [f for f in filters_in(choice.where) if f.op == "equals" and f.member in groups]
            if only:
                draft.slots[kept] = Slot(
                    f"{EITHER}{choice.value}", choice.says, "value", (still(choice), lifted(choice))
                )

    def _replaced(self, index: int) -> None:
        slot = self._draft.slots[index]
        choice = slot.choices[0]
        by = "by " if slot.role in GROUPS else "only where " if choice.where else ""
        self._notes.append(f"no longer {by}{choice.says}")
        self._remove(index)

    # The order

    def _order(self) -> None:
        """The order and the number of rows before hold on, unless the words order anew or the rows are others."""
        draft, spec = self._draft, self._before.spec
        if spec is None or (not spec.order and spec.limit is None):
            return
        ordered = draft.ranked_by is not None or bool(draft.direction) or any(w.superlative for w in draft.waiting)
        given_up = any(drop.what == "limit" for drop in self._referring.drops)
        anew = any(mark.means == "ranked by" for mark in draft.marks)
        if draft.limit is None and ordered and spec.limit is not None and not (given_up or anew):
            raise Unread(
                f"it is not clear whether the {_cut_of(spec)} before are to be ordered, or chosen, anew; "
                f"say 'top {spec.limit} by' or 'bottom {spec.limit} by' and a measure"
            )
        if not self._same_rows() and (spec.limit is not None or not spec.order):
            if draft.limit is None and not given_up:
                self._notes.append(f"no longer only the {_cut_of(spec)}")
            return
        if draft.limit is None and not given_up:
            draft.limit = spec.limit
        if draft.ranked_by is None:
            name = spec.order[0].by if spec.order else ""
            anew = draft.limit is not None and name not in spec.measures and draft.limit != spec.limit
            draft.ranked_by = None if anew else self._ranked_slot(name)
            desc = spec.order[0].desc if spec.order else True
            draft.direction = draft.direction or draft.rank or ("desc" if desc else "asc")

    def _same_rows(self) -> bool:
        """Whether the rows are groups of the same things as before."""
        return bool(self._of(*GROUPS, kept=True)) and (not self._of(*GROUPS, kept=False) or self._referring.adds)

    def _ranked_slot(self, name: str) -> int | None:
        """The slot of what the rows were ordered by; where that was replaced, of what replaced it."""
        for index in self._of("measure", *GROUPS, kept=True):
            choice = self._draft.slots[index].choices[0]
            if name in (*choice.measures, *(by.name for by in choice.by)):
                return index
        measured, spec = self._draft.with_role("measure"), self._before.spec or Spec()
        grouped = self._of(*GROUPS, kept=True) or self._of(*GROUPS, kept=False)
        return measured[0] if measured and grouped and name in spec.measures else None

    def _over(self, parsed: Parse) -> Over:
        """Shares, windows and comparisons hold on where what they are reckoned over is still there."""
        kept = kept_over(self._before)
        if kept == Over():
            return parsed.over
        others = [slot for slot in parsed.slots if not slot.name.startswith(KEPT)]
        timed = any(slot.role == "time" for slot in others) or any(
            drop.what == "time" for drop in self._referring.drops
        )
        if (
            parsed.over != Over()
            or (kept.compare and timed)
            or (kept.motif not in ("", SHARE) and not self._same_rows())
        ):
            raise Unread(
                f"the question before is {over_text(kept)}, which does not go together with these words; ask in full",
                kind="not_kept",
            )
        if kept.compare or any(slot.role in GROUPS for slot in parsed.slots):
            return kept
        self._notes.append(f"no longer {over_text(kept)}")
        return Over()

    # What is said of it

    def _own_marks(self) -> tuple[Mark, ...]:
        fillers = tuple(
            Mark(chunk, "filler", None, "refers to the question before") for chunk in self._referring.fillers
        )
        drops = tuple(Mark(drop.chunk, "filler", None, f"gives up the {drop.what}") for drop in self._referring.drops)
        extreme = self._referring.extreme
        ranked = (Mark(extreme, "limit", None, "1 row"),) if extreme else ()
        return (*fillers, *drops, *ranked)

    def _said(self, parsed: Parse) -> list[str]:
        names = {slot.name for slot in parsed.slots if slot.name.startswith(KEPT)}
        kept = [slot for slot in self._kept if slot.name in names]
        said = [f"by {s.choices[0].says}" if s.role in GROUPS else s.choices[0].says for s in kept]
        spec = self._before.spec or Spec()
        if spec.limit is not None and self._draft.limit == spec.limit:
            said.append(f"{_cut_of(spec)}, chosen anew")
        if parsed.over != Over() and parsed.over == kept_over(self._before):
            said.append(over_text(parsed.over))
        notes = [f"kept from the question before: {'; '.join(said)}"] if said else []
        return [*notes, *self._notes]


def kept_tokens(parse: Parse, choices: Sequence[Choice]) -> tuple[Token, ...]:
    """What was kept, as tokens that are no words of the question."""
    pairs = zip(parse.slots, choices, strict=True)
    return tuple(Token(choice.says, slot.role, choice.value, True) for slot, choice in pairs if slot.name[:5] == KEPT)


def groupings_after(before: Before, model: Model) -> Iterator[str]:
    """Follow-ups that may work after a question: its measures by what their own view has, then by what others have."""
    own = {path.partition(".")[0] for path in (before.spec or Spec()).measures}
    for view in sorted(model.views, key=lambda view: view.name not in own)[:4]:
        for dimension in [d for d in view.dimensions if d.type in ("string", "boolean") and not d.unsupported][:2]:
            yield f"by {in_words(dimension.name)}"


def followed_dates(own: Sequence[str], before: Before, spec: Spec, parse: Parse) -> tuple[str, ...]:
    """The dates that the answer names: those that it named before and still goes by, and those of the new words."""
    kept = {member for slot in parse.slots if slot.name.startswith(KEPT) for member in conditioned(slot)}
    held = members_of(spec.where)
    return tuple(dict.fromkeys([*(d for d in before.dates if d in held), *(d for d in own if d not in kept)]))


def _counts(chunk: Chunk) -> bool:
    return bool(chunk.heads) or any(e.kind in ("noun", "measure") for e in chunk.entries)


def _cut_of(spec: Spec) -> str:
    """ "top 5", or empty where all rows were shown."""
    if spec.limit is None:
        return ""
    return f"{'top' if not spec.order or spec.order[0].desc else 'bottom'} {spec.limit:,}"


def _without_gaps(parse: Parse) -> Parse:
    """The parse without the places of what was given up."""
    places = [index for index, slot in enumerate(parse.slots) if slot is not GONE]
    moved = {old: new for new, old in enumerate(places)}
    marks = tuple(mark if mark.slot is None else replace(mark, slot=moved.get(mark.slot)) for mark in parse.marks)
    ranking = Ranking(moved[parse.ranking.slot], parse.ranking.desc) if parse.ranking else None
    part = parse.over.part if parse.over.part is None else moved[parse.over.part]
    over = replace(parse.over, part=part, per=tuple(moved[index] for index in parse.over.per))
    return replace(parse, slots=tuple(parse.slots[i] for i in places), marks=marks, ranking=ranking, over=over)

"""Finding a quotation in an article of 40,000 characters: the ladder, rapidfuzz and LangExtract's aligner in turn."""

from __future__ import annotations

import importlib
import importlib.util
import statistics
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz import fuzz

from backedge.evidence.places import LocatedText
from backedge.evidence.reading import Reading, Section
from backedge.evidence.records import Quotation
from backedge.evidence.spans import located
from backedge.kernel.defect import Defect
from tests.real.evidence_inference import DATA, REASON, articles, changed, picked

SIZE = 40_000  # characters of an article
GOAL = 0.1  # ms per quotation, the median
ROUNDS = 2
TURN = 3.0  # ms that a way may go on with one quotation before the next way takes its turn
FUZZY = 95.0
Finder = Callable[[LocatedText, str], bool]


@dataclass
class Measured:
    """One way to find quotations: its best time for each, and how many it accepts of those that are there or not."""

    find: Finder
    ms: dict[tuple[str, str], float] = field(default_factory=dict)
    accepted: Counter[str] = field(default_factory=Counter)


def ours(text: LocatedText, quote: str) -> bool:
    """The ladder, with the key of the text already made."""
    return not isinstance(located(text, Quotation("s1", quote), version="v", text_hash="t"), Defect)


def fuzzy(text: LocatedText, quote: str) -> bool:
    """rapidfuzz' best alignment, at a score of 95."""
    found = fuzz.partial_ratio_alignment(quote, text.reading.text, score_cutoff=FUZZY)
    return found is not None


def langextract() -> Finder | None:
    """LangExtract's aligner with its defaults: anything with a position counts as found. None where it is absent."""
    if importlib.util.find_spec("langextract") is None:
        return None
    resolver: Any = importlib.import_module("langextract.resolver")
    data: Any = importlib.import_module("langextract.core.data")
    aligner = resolver.WordAligner()

    def find(text: LocatedText, quote: str) -> bool:
        wanted = data.Extraction(extraction_class="quotation", extraction_text=quote)
        return aligner.align_extractions([[wanted]], text.reading.text)[0][0].char_interval is not None

    return find


def cases() -> dict[str, tuple[LocatedText, list[str], list[str]]]:
    """Articles cut or repeated to the size, with quotations that they hold and changed ones that they do not."""
    found = {}
    for article, text in articles().items():
        raw = (text.reading.text + "\n") * (SIZE // len(text.reading.text) + 1)
        one = LocatedText(Reading(raw[:SIZE], (Section("s1", "other", "", 0, SIZE),), "test/1"))
        one.key, one.bare  # noqa: B018 - made once for an article, and timed by itself
        quotes = [each.text for each in picked() if each.article == article]
        true = [quote for quote in dict.fromkeys(quotes) if ours(one, quote)][:3]
        wrong = [next(iter(dict(changed(quote)).values()), "") for quote in true]
        if true:
            found[article] = one, true, [quote for quote in wrong if quote]
    return found


def turn(find: Finder, text: LocatedText, quote: str) -> tuple[bool, float]:
    """Whether it is accepted, and the fastest of some calls in ms: the first one finds another way's data cached."""
    fastest, spent = float("inf"), 0.0
    while True:
        began = time.thread_time_ns()
        accepted = find(text, quote)
        took = (time.thread_time_ns() - began) / 1e6
        fastest, spent = min(fastest, took), spent + took
        if spent > TURN:
            return accepted, fastest


def measure(ways: dict[str, Measured], places: dict[str, tuple[LocatedText, list[str], list[str]]]) -> None:
    """Let the ways take turns at each quotation; of the rounds the fastest counts."""
    for article, (text, true, wrong) in places.items():
        for what, quote in [*(("true", quote) for quote in true), *(("changed", quote) for quote in wrong)]:
            for number in range(ROUNDS):
                for way in ways.values():
                    accepted, took = turn(way.find, text, quote)
                    key = (what, article + quote)
                    way.ms[key] = min(way.ms.get(key, took), took)
                    way.accepted[what] += accepted and number == 0


def main() -> None:
    """Print the medians, the ratios to ours and what each accepts."""
    if not DATA.is_dir():
        raise SystemExit(REASON)
    ways = {"ladder": Measured(ours), f"rapidfuzz at {FUZZY:.0f}": Measured(fuzzy)}
    if aligner := langextract():
        ways["langextract"] = Measured(aligner)
    else:
        print("langextract: not measured, run this with `uv run --with langextract==1.7.1`")
    places = cases()
    began = time.thread_time_ns()
    for text, _, _ in places.values():
        LocatedText(text.reading).key  # noqa: B018 - what is timed
    print(f"{len(places)} articles; the key of one takes {(time.thread_time_ns() - began) / 1e6 / len(places):.1f} ms")
    measure(ways, places)
    print("way            quotations   median ms   worst ms   of ours   accepted")
    for what in ("true", "changed"):
        base = None
        for name, way in ways.items():
            ms = [took for (kind, _), took in way.ms.items() if kind == what]
            median = statistics.median(ms)
            base = base or median
            said = f"{way.accepted[what]} of {len(ms)}"
            print(f"{name:15}{what:10} {median:11.3f} {max(ms):10.1f} {median / base:9.1f}   {said}")
    true = [took for (kind, _), took in ways["ladder"].ms.items() if kind == "true"]
    raise SystemExit(statistics.median(true) > GOAL)


if __name__ == "__main__":
    main()

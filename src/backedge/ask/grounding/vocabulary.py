"""The closed word lists of the question grammar: which words steer, which are filler, and nothing else is either."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backedge.ask.grounding.shape_words import ShapeSymbol, shape_rows
from backedge.semantic.spec import Grain

Symbol = ShapeSymbol | Literal[
    "by", "sort", "direction", "rank", "aggregate", "count", "distinct", "compare", "between", "not", "only", "all",
    "filter", "is", "true", "false", "and", "or", "comma", "adverb", "pick", "stop",
]  # fmt: skip


@dataclass(frozen=True)
class Keyword:
    """What a fixed sequence of words does in a question. `detail` is the operator, aggregate, order or grain."""

    symbol: Symbol
    detail: str = ""


def _rows(symbol: Symbol, detail: str, *texts: str) -> dict[tuple[str, ...], Keyword]:
    return {tuple(text.split()): Keyword(symbol, detail) for line in texts for text in line.split("|")}


KEYWORDS: dict[tuple[str, ...], Keyword] = {
    **{tuple(text.split()): Keyword(symbol, detail) for symbol, detail, text in shape_rows()},
    **_rows(
        "by",
        "",
        "by|per|each|every|by each|for each|for every|in each|in every|of each|grouped by|group by",
    ),
    **_rows("by", "", "broken down by|split by|grouped per|for each of"),
    **_rows("sort", "", "sorted by|sort by|ordered by|order by|ranked by|rank by"),
    **_rows(
        "direction",
        "asc",
        "ascending|asc|in ascending order|lowest first|smallest first|low to high|from lowest to highest",
    ),
    **_rows(
        "direction",
        "desc",
        "descending|desc|in descending order|highest first|largest first|high to low|from highest to lowest",
    ),
    **_rows("rank", "desc", "top|highest|largest|biggest|most|best|greatest"),
    **_rows("rank", "asc", "bottom|lowest|smallest|worst|least|fewest"),
    **_rows("aggregate", "total", "total|sum|sum of|total of|overall|altogether"),
    **_rows("aggregate", "average", "average|avg|mean|average of|mean of"),
    **_rows("aggregate", "median", "median|median of"),
    **_rows("aggregate", "maximum", "maximum|max|maximum of|max of"),
    **_rows("aggregate", "minimum", "minimum|min|minimum of|min of"),
    **_rows(
        "count",
        "",
        "how many|number of|count of|count|total number of|total count of|the number of",
    ),
    **_rows("distinct", "", "distinct|unique|different"),
    **_rows(
        "compare",
        "gt",
        "over|above|more than|greater than|higher than|bigger than|larger than|exceeding|>",
    ),
    **_rows(
        "compare",
        "gte",
        "at least|no less than|not less than|not under|not below|>=|greater than or equal to",
    ),
    **_rows("compare", "lt", "under|below|less than|fewer than|lower than|smaller than|<"),
    **_rows(
        "compare",
        "lte",
        "at most|no more than|not more than|not over|not above|<=|less than or equal to",
    ),
    **_rows("compare", "not_equals", "!="),
    **_rows("between", "", "between"),
    **_rows(
        "not",
        "",
        "not|except|excluding|exclude|except for|other than|but not|apart from|and not|without|outside|outside of",
    ),
    **_rows("only", "", "only|just"),
    **_rows("all", "", "all"),
    **_rows("all", "over", "for all|of all|over all|across all|in all"),
    **_rows(
        "filter",
        "",
        "for|in|where|with|at|on|during|within|whose|that|who|having|among|when",
    ),
    **_rows("filter", "of", "of"),
    **_rows("filter", "from", "from|come from|comes from|came from|coming from"),
    **_rows("filter", "", "live in|lives in|living in|located in|based in"),
    **_rows("is", "", "is|are|was|were|be|equals|equal to|="),
    **_rows("true", "", "true|yes"),
    **_rows("false", "", "false|no"),
    **_rows("and", "", "and|as well as|together with|plus"),
    **_rows("or", "", "or"),
    **_rows("comma", "", ","),
    **_rows("adverb", "hour", "hourly"),
    **_rows("adverb", "day", "daily"),
    **_rows("adverb", "week", "weekly"),
    **_rows("adverb", "month", "monthly"),
    **_rows("adverb", "quarter", "quarterly"),
    **_rows("adverb", "year", "yearly|annual|annually"),
    **_rows("pick", "", "which|what|which is|what is|which are|what are"),
    **_rows(
        "stop",
        "",
        "the|a|an|show|me|please|give|list|tell|get|find|display|see|let|our|my|your|i|we|you|us|also",
    ),
    **_rows(
        "stop",
        "",
        "do|does|did|can|could|would|have|has|had|there|their|its|how much|calculate|compute|hi|hello",
    ),
    **_rows(
        "stop",
        "",
        "i want to know|i want to see|i would like to know|i would like to see|i want|want to see",
    ),
    **_rows(
        "stop",
        "",
        "want to know|need|i need|thanks|thank you|hey|breakdown of|a breakdown of|the breakdown of",
    ),
}
LONGEST_KEYWORD = max(map(len, KEYWORDS))
GRAINS: dict[str, Grain] = {
    "hour": "hour", "day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year",
}  # fmt: skip
FISCAL_GRAINS: dict[tuple[str, ...], Grain] = {
    ("fiscal", "year"): "fiscal_year",
    ("financial", "year"): "fiscal_year",
    ("fiscal", "quarter"): "fiscal_quarter",
    ("financial", "quarter"): "fiscal_quarter",
}
ADVERBS = {keyword.detail: words[0] for words, keyword in reversed(KEYWORDS.items()) if keyword.symbol == "adverb"}
# An aggregate word agrees with these types of measure; no other type may stand for it.
AGREES: dict[str, frozenset[str]] = {
    "total": frozenset({"sum", "count", "count_distinct"}),
    "average": frozenset({"average"}),
    "median": frozenset({"median"}),
    "maximum": frozenset({"max"}),
    "minimum": frozenset({"min"}),
}
AGGREGATE_STEMS = frozenset({"total", "sum", "average", "median", "maximum", "minimum", "count", "number"})
NEUTRAL = frozenset({"total", "sum", "overall"})
COUNTS = frozenset({"count", "count_distinct", "count_distinct_approx"})
SMALL = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
}  # fmt: skip
TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
SCALES = {
    "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9,
    "k": 1_000, "m": 10**6, "mn": 10**6, "b": 10**9, "bn": 10**9,
}  # fmt: skip

"""The columns that a question adds to its measures, an earlier value or a share, and what they are called."""

from __future__ import annotations

from collections.abc import Mapping

ADDED: Mapping[str, str] = {
    "previous": "earlier {}",
    "change": "change of {}",
    "change_percent": "percentage change of {}",
    "part": "part of {}",
    "percent": "share of {} in percent",
    "percent_of_total": "share of {} in percent of the total",
    "cumulative_value": "running total of {}",
    "moving_avg": "moving average of {}",
}


def added_words(words: str, added: str) -> str:
    """What an added column is called in words, by those of its measure."""
    return ADDED[added].format(words)

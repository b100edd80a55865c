"""Phrases of time that are refused, each with its reason: what they mean is not said by any calendar."""

from __future__ import annotations

from backedge.ask.grounding.date_patterns import Pattern, Said
from backedge.ask.grounding.dates_absolute import Read
from backedge.ask.grounding.periods import Reckoning


def _because(reason: str) -> Pattern:
    """`PHRASE => reason`, where `{}` in the reason stands for what was said."""
    phrase, _, why = reason.partition(" => ")

    def rule(said: Said, _by: Reckoning) -> Read:
        return why.format(repr(said.text))

    return Pattern(phrase, rule)


REFUSED = tuple(
    map(
        _because,
        (
            "last|this|next|previous|past? spring|summer|autumn|winter|fall => "
            "{} has no fixed days; give its months, such as 'June to August 2024'",
            "last|this|next|past? christmas|xmas|easter|thanksgiving|halloween|ramadan|diwali|hanukkah => "
            "no holidays are known here, so {} is no date; give the day",
            "last|this|next|new? year's|years|year eve => no holidays are known here, so {} is no date; give the day",
            "new year|years day? => no holidays are known here, so {} is no date; give the day",
            "boxing|independence|memorial|labor|labour|valentines|valentine|mothers|fathers day => "
            "no holidays are known here, so {} is no date; give the day",
            "black|good friday => no holidays are known here, so {} is no date; give the day",
            "cyber monday => no holidays are known here, so {} is no date; give the day",
            "bank|public? holiday|holidays => no holidays are known here, so {} is no date; give the days",
            "last|this|next|past? weekend|weekends => "
            "{} needs a dimension that says which days are weekends; or give the days",
            "{weekday} => {} may be any; say 'last' before it, or give the day",
            "mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekdays|workdays => "
            "{} needs a dimension that says the day of the week",
            "last|past|next|previous? {n}? business|working|trading|bank day|days|week|weeks => "
            "no working days are known here, so {} cannot be counted; count days or give the dates",
            "last|past|previous|next|trailing {n}? hour|hours|minute|minutes|second|seconds => "
            "the time of day at which you ask is not looked at, so {} cannot be told; give the times",
            "{n} hour|hours|minute|minutes|second|seconds ago => "
            "the time of day at which you ask is not looked at, so {} cannot be told; give the times",
            "last|this|yesterday|tomorrow? morning|afternoon|evening|night|tonight|noon|midnight => "
            "{} has no fixed hours; give the times",
            "early|mid|late {year} => {} has no fixed days; give its months",
            "early|mid|late {month} {year}? => {} has no fixed days; give them",
            "beginning|start|middle|end of {year} => {} has no fixed days; give its months",
            "beginning|start|middle|end of {month} {year}? => {} has no fixed days; give them",
            "beginning|start|middle|end of the? this|last|next? {unit} => {} has no fixed days; give them",
            "first|second|third|fourth|last week of the? {month} {year}? => "
            "it is not clear which days {} are; give them",
            "first|second|third|fourth|last week of {year} => it is not clear which days {} are; give them",
            "last|past|previous few|couple|several of? {units} => {} does not say how many; give a number",
            "few|couple|several of? {units} ago => {} does not say how many; give a number",
            "recent {units} => {} does not say how many; give a number",
            "recently|lately => {} does not say since when; give a day",
            "most? latest|recent {unit} => {} may be the last one with data, or the last whole one; give its name",
            "same period last|previous|prior year|month|quarter|week => "
            "it is not clear which period {} is; give its days",
            "{month} {dd} => the year of {} is not clear; write it in four digits, or the day as '5th'",
            "{part} {dd} => the year of {} is not clear; write it in four digits",
            "fiscal|financial {part} => the year of {} is not clear; add it, as in 'fiscal Q2 2024'",
            "{shortdecade} => {} does not say which century; write it as '1990s'",
            "{nth} century => {} is no period here; give its years",
            "century|centuries|millennium => {} is no period here; give the years",
        ),
    )
)

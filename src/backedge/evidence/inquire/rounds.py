"""The rounds of an inquiry: the plan's queries first, then its expansions for a gap, in two rounds at most."""

from __future__ import annotations

from backedge.evidence.inquiry import SearchPlan, SearchQuery

ROUNDS = 2  # supplemental rounds that a coverage gap may have


def queries_of(plan: SearchPlan, number: int) -> tuple[SearchQuery, ...]:
    """What a round searches for: round 0 the queries, round 1 the first half of the expansions, round 2 the others."""
    half = (len(plan.expansions) + 1) // 2
    return (plan.queries, plan.expansions[:half], plan.expansions[half:])[number] if number <= ROUNDS else ()


def why_no_round(plan: SearchPlan, number: int) -> str:
    """Why round `number` is not run; empty where it may be."""
    if number > ROUNDS:
        return f"{ROUNDS} supplemental rounds were run, and no more are"
    if not plan.expansions:
        return "the plan has no expansions"
    if not queries_of(plan, number):
        return f"the plan's expansions were all run by round {number - 1}"
    return ""

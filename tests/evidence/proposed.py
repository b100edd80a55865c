"""Candidates that fit all rules, for tests that break one."""

from __future__ import annotations

from backedge.evidence.designs import CRITERIA, Approach, Assumption, Candidates, Rated

RECORDS = ("v1.aaa", "v1.bbb", "v2.ccc")


def approach(key: str) -> Approach:
    """An approach without a fault."""
    ratings = tuple(Rated(row.name, "adequate", f"what {row.name} rests on", RECORDS[:1]) for row in CRITERIA)
    assumed = (Assumption("isoflurane keeps rats asleep for two hours", "record v1.aaa"),)
    return Approach(key, f"Approach {key}", "Rats are given the drug or vehicle.", assumed, ratings, RECORDS[:2])


def candidates() -> Candidates:
    """Two approaches without a fault."""
    return Candidates((approach("a"), approach("b")), "They differ in cost.")

"""The literals of a statement: what it compares with, whatever it compares."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError


@dataclass(frozen=True)
class Literals:
    """The texts and the numbers that a statement writes out."""

    texts: frozenset[str] = frozenset()
    numbers: frozenset[Decimal] = frozenset()


def literals(sql: str, dialect: str) -> Literals:
    """The literals of a statement; none of one that cannot be parsed."""
    try:
        tree = sqlglot.parse_one(sql, dialect=dialect)
    except SqlglotError:
        return Literals()
    found = list(tree.find_all(exp.Literal))
    texts = frozenset(literal.this for literal in found if literal.is_string)
    numbers = frozenset(
        Decimal(literal.this) * (-1 if isinstance(literal.parent, exp.Neg) else 1)
        for literal in found
        if not literal.is_string
    )
    return Literals(texts, numbers)

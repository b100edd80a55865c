"""Variables of expressions, `{{variables.name}}`: values that are bound, never text of the query."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from backedge.semantic.refusal import did_you_mean, nearest, refused
from backedge.semantic.spec import Value


def _unbound(value: Value) -> exp.Expr:
    raise AssertionError(f"nothing binds {value!r}")


@dataclass
class Variables:
    """The values that a question gives, each bound once, when an expression first needs it."""

    given: Mapping[str, Value] = field(default_factory=dict)
    bind: Callable[[Value], exp.Expr] = _unbound
    known: dict[str, exp.Expr] = field(default_factory=dict)

    def value(self, name: str, where: str) -> exp.Expr:
        """The place of a variable's value. Refuses one that the question does not give."""
        if name not in self.given:
            near = nearest(name, self.given)
            hint = did_you_mean(near) or f'give it: "variables": {{"{name}": ...}}, or --param {name}=...'
            message = f"{where} needs a value for the variable {name}"
            raise refused("missing_parameter", message, where=f"variables.{name}", hint=hint, near=near)
        if name not in self.known:
            self.known[name] = self.bind(self.given[name])
        return self.known[name].copy()

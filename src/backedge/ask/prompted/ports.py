"""The ports of ask with a model in those stages that have one; the others stay with their rules and templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from backedge.ask.grounded import CompilingSpecifier, GroundingClarifier, TemplateInterpreter
from backedge.ask.ports import AskPorts
from backedge.ask.prompted.clarify import PromptedClarifier
from backedge.ask.prompted.interpret import PromptedInterpreter
from backedge.ask.prompted.mind import Mind
from backedge.ask.prompted.solve import PromptedSolver
from backedge.ask.prompted.specify import PromptedSpecifier
from backedge.ask.prompted.surroundings import Surroundings


def minded(ports: AskPorts, minds: Mapping[str, Mind], around: Surroundings) -> AskPorts:
    """`ports` of rules and templates, with models before them."""
    rules, compiling, templates = ports.clarifier, ports.specifier, ports.interpreter
    assert isinstance(rules, GroundingClarifier)
    assert isinstance(compiling, CompilingSpecifier)
    assert isinstance(templates, TemplateInterpreter)
    if mind := minds.get("clarifying"):
        ports = replace(ports, clarifier=PromptedClarifier(mind, rules, around))
    if mind := minds.get("specifying"):
        ports = replace(ports, specifier=PromptedSpecifier(mind, compiling, around))
    if mind := minds.get("solving"):
        ports = replace(ports, solver=PromptedSolver(mind, around, ports.default))
    if mind := minds.get("interpreting"):
        ports = replace(ports, interpreter=PromptedInterpreter(mind, templates, around, ports.default))
    return ports

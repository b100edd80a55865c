"""The ports of ask with a model in those stages that have one; the others stay with their rules and templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from backedge.ask.grounded import CompilingSpecifier, GroundingClarifier, TemplateInterpreter
from backedge.ask.ports import AskPorts
from backedge.ask.prompted.agreeing import AgreeingClarifier, AgreeingSolver, AgreeingSpecifier
from backedge.ask.prompted.clarify import PromptedClarifier
from backedge.ask.prompted.interpret import PromptedInterpreter
from backedge.ask.prompted.mind import Mind
from backedge.ask.prompted.solve import PromptedSolver
from backedge.ask.prompted.specify import PromptedSpecifier
from backedge.ask.prompted.surroundings import Surroundings


def minded(
    ports: AskPorts, minds: Mapping[str, Mind], around: Surroundings, samples: Mapping[str, int] | None = None
) -> AskPorts:
    """`ports` of rules and templates, with models before them. `samples` are how many replies must agree, by stage."""
    most = samples or {}
    rules, compiling, templates = ports.clarifier, ports.specifier, ports.interpreter
    assert isinstance(rules, GroundingClarifier)
    assert isinstance(compiling, CompilingSpecifier)
    assert isinstance(templates, TemplateInterpreter)
    if mind := minds.get("clarifying"):
        clarifier = PromptedClarifier(mind, rules, around)
        count = most.get("clarifying", 1)
        ports = replace(ports, clarifier=AgreeingClarifier(clarifier, count) if count > 1 else clarifier)
    if mind := minds.get("specifying"):
        specifier = PromptedSpecifier(mind, compiling, around, ports.default)
        count, model = most.get("specifying", 1), ports.catalog.model
        ports = replace(ports, specifier=AgreeingSpecifier(specifier, count, model) if count > 1 else specifier)
    if mind := minds.get("solving"):
        solver = PromptedSolver(mind, around, ports.default)
        count, dialects = most.get("solving", 1), {name: c.dialect for name, c in ports.connectors.items()}
        ports = replace(ports, solver=AgreeingSolver(solver, count, dialects) if count > 1 else solver)
    if mind := minds.get("interpreting"):
        ports = replace(ports, interpreter=PromptedInterpreter(mind, templates, around, ports.default))
    return ports

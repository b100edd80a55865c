"""`backedge automation`: lists, shows and runs the automations of a project."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from backedge.cli.session import agent_option, as_option, go, json_option, project_option


@click.group()
def automation() -> None:
    """List, show and run the automations of a project."""


@automation.command("list")
@project_option
@json_option
def list_(folder: Path, as_json: bool) -> None:
    """List the automations, with what each is for."""
    from backedge.cli.automation_page import list_automations

    go(lambda: list_automations(folder, as_json))


@automation.command()
@click.argument("name")
@project_option
@json_option
def show(name: str, folder: Path, as_json: bool) -> None:
    """Show an automation (by name or file): its variables and its tasks."""
    from backedge.cli.automation_page import show_automation

    go(lambda: show_automation(folder, name, as_json))


@automation.command()
@click.argument("name")
@click.option("--param", "given", multiple=True, metavar="NAME=VALUE", help="A variable's value; repeatable.")
@project_option
@agent_option
@as_option
@json_option
@click.option("--quiet", "-q", is_flag=True, help="No trace on stderr.")
def run(
    name: str,
    given: tuple[str, ...],
    folder: Path,
    agent: str | None,
    attributes: Mapping[str, tuple[str, ...]],
    as_json: bool,
    quiet: bool,
) -> None:
    """Run an automation (by name or file) and print what its last task gives.

    \b
    backedge automation run monthly_report --param month=2025-03
    """
    from backedge.cli.automating import Automating

    automating = Automating(folder, agent, as_json, quiet)
    work = automating.run(name, given, attributes)
    raise SystemExit(go(lambda: work, how_to_resume=automating.how_to_resume))

"""`backedge agent show`: what each stage of an agent runs with, resolved."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.exits import told
from backedge.cli.session import json_option, project_option


@click.group()
def agent() -> None:
    """Show the agents of a project."""


@agent.command()
@click.argument("name", required=False)
@project_option
@json_option
@click.option("--extended-thinking", "extended", is_flag=True, help="With the agent's `extended_thinking` preset.")
def show(name: str | None, folder: Path, as_json: bool, extended: bool) -> None:
    """Print model, thinking, retries and instructions of each stage of an agent, and where each was set."""
    import json

    from backedge.cli.agent_page import as_data, page
    from backedge.config.project import load_project

    with told():
        project = load_project(folder, name)
    click.echo(json.dumps(as_data(project, extended), indent=2) if as_json else page(project, extended))

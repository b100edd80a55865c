"""`backedge query`: the steps of a saved query, run one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from backedge.cli.session import agent_option, as_option, go, json_option, param_option, project_option


@click.command()
@click.argument("name")
@project_option
@agent_option
@as_option
@param_option
@json_option
def query(
    name: str,
    folder: Path,
    agent: str | None,
    attributes: Mapping[str, tuple[str, ...]],
    given: Mapping[str, str],
    as_json: bool,
) -> None:
    """Run the saved query NAME of a project (a .query.yml file), step by step.

    \b
    backedge query platform_comparison
    backedge query revenue_investigation --param metric=total_revenue --json
    """
    from backedge.cli.query_page import run_query

    raise SystemExit(go(lambda: run_query(folder, agent, name, dict(given), attributes, as_json)))

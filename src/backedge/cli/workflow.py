"""`backedge workflow show`: the table of a workflow's stages and its diagram, made from the code."""

from __future__ import annotations

import click

from backedge.cli.exits import USAGE, fail


@click.group()
def workflow() -> None:
    """Show a workflow's stages, checks and edges."""


@workflow.command()
@click.argument("name")
@click.option("--mermaid", is_flag=True, help="Only the diagram.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def show(name: str, mermaid: bool, as_json: bool) -> None:
    """Print "stage · reads · model · produces · check · on failure" and the Mermaid diagram of a workflow."""
    import json

    from backedge.assemble import WORKFLOWS, workflow_named
    from backedge.cli.workflow_page import diagram, edges_of, rows_of, table

    shown = workflow_named(name) if name in WORKFLOWS else None
    if shown is None:
        fail(f"there is no workflow {name!r}; there is: {', '.join(WORKFLOWS)}", USAGE)
    if as_json:
        click.echo(json.dumps({"workflow": name, "stages": rows_of(shown), "edges": edges_of(shown)}, indent=2))
    elif mermaid:
        click.echo(diagram(shown))
    else:
        click.echo(f"{table(shown)}\n\n```mermaid\n{diagram(shown)}\n```")

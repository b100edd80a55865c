"""`backedge compile` and `backedge validate`: what the files of a project mean, without asking anything."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from backedge.cli.exits import CONFIGURATION, USAGE, fail, told
from backedge.cli.session import agent_option, as_option, json_option, param_option, project_option


@click.command("compile")
@click.argument("spec")
@project_option
@agent_option
@as_option
@param_option
@json_option
@click.option("--explain", "explained", is_flag=True, help="Print the spec, the plan and the SQL.")
@click.option("--dialect", default="", show_default="that of the database", help="The SQL dialect to print.")
def compile_(
    spec: str,
    folder: Path,
    agent: str | None,
    attributes: Mapping[str, tuple[str, ...]],
    given: Mapping[str, str],
    as_json: bool,
    explained: bool,
    dialect: str,
) -> None:
    """Compile SPEC, a JSON file or - for stdin, to SQL.

    \b
    echo '{"measures": ["orders.total"], "dimensions": ["orders.status"]}' | backedge compile -
    """
    from backedge.cli.compile_page import PageManner, compile_page, read_spec

    if as_json and explained:
        raise click.UsageError("--explain is for reading; leave out --json")
    with told():
        data = read_spec(spec)
        if isinstance(data, str):
            fail(data, USAGE)
        manner = PageManner(as_json, explained, dialect, attributes, given)
        text, code = compile_page(folder, agent, data, manner)
    click.echo(text, err=code != 0 and not as_json)
    raise SystemExit(code)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@agent_option
@json_option
def validate(folder: Path, agent: str | None, as_json: bool) -> None:
    """Check every file of a project, and say what is wrong, what is not supported yet, and what was checked."""
    from dataclasses import asdict

    from backedge.config.validate import check_project
    from backedge.query.exact_json import dumps

    with told():
        report = check_project(folder, agent)
    counts = ("views", "topics", "measures", "dimensions", "verified", "agents", "automations", "databases")
    checked = {name: getattr(report, name) for name in counts}
    if as_json:
        problems = [asdict(problem) for problem in report.problems]
        click.echo(dumps({"ok": report.ok, "checked": checked, "problems": problems}, 2))
    else:
        for problem in report.problems:
            click.echo(f"{problem.severity}: {problem}")
        said = ", ".join(
            f"{count} {'verified queries' if name == 'verified' else name}" for name, count in checked.items()
        )
        click.echo(f"{'ok' if report.ok else 'not ok'}: {said} checked")
    raise SystemExit(0 if report.ok else CONFIGURATION)

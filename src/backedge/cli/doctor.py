"""`backedge doctor`: what works on this machine and in this project, and what to mend."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.exits import CONFIGURATION
from backedge.cli.session import agent_option, go, json_option, project_option


@click.command()
@project_option
@agent_option
@json_option
def doctor(folder: Path, agent: str | None, as_json: bool) -> None:
    """Check this machine and a project, and say what to mend."""
    import json

    from backedge.cli.evidence_checks import every_check

    checks = go(lambda: every_check(folder, agent))
    if as_json:
        click.echo(
            json.dumps([{"check": c.name, "ok": c.ok, "said": c.said, "mend": c.mend} for c in checks], indent=2)
        )
    else:
        for check in checks:
            click.echo(f"{'ok  ' if check.ok else 'MEND'} {check.name}: {check.said}")
            if check.mend and not check.ok:
                click.echo(f"     {check.mend}")
    raise SystemExit(0 if all(check.ok for check in checks) else CONFIGURATION)

"""Runs evidence commands in tests, for their text or their JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from backedge.cli.app import main


def run(*words: str, project: Path) -> Result:
    """A command of the command line on a project."""
    return CliRunner().invoke(main, [*words, "--project", str(project)])


def told(*words: str, project: Path) -> Any:
    """What a command that succeeds prints as JSON."""
    done = run(*words, "--json", project=project)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)

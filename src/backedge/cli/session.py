"""What the commands that drive runs share: options, opening a project, and the way out when interrupted."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import click

from backedge.cli.exits import INTERRUPTED, fail, told

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def project_option(command: F) -> F:
    """`--project FOLDER`."""
    option = click.option(
        "--project",
        "folder",
        type=click.Path(path_type=Path),
        default=Path(),
        show_default="the present folder",
        help="The project's folder.",
    )
    return option(command)


def agent_option(command: F) -> F:
    """`--agent NAME`."""
    return click.option("--agent", help="The agent to ask, by name or file.")(command)


def json_option(command: F) -> F:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(command)


def who() -> str:
    """The name under which a person answers."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "user"


def go(work: Callable[[], Coroutine[Any, Any, T]], *, how_to_resume: Callable[[], str] = lambda: "") -> T:
    """Run it, with every expected error told and Ctrl-C answered with how to go on."""
    with told():
        try:
            return asyncio.run(work())
        except KeyboardInterrupt:
            fail(f"interrupted{how_to_resume()}", INTERRUPTED)
    raise AssertionError("unreachable")

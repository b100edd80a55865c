"""What the commands that drive runs share: options, opening a project, and the way out when interrupted."""

from __future__ import annotations

import asyncio
import getpass
import shlex
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


def project_flag(folder: Path) -> str:
    """The option again, for a command that is printed: as a shell reads it, and none for the present folder."""
    return "" if folder == Path() else f" --project {shlex.quote(str(folder))}"


def agent_option(command: F) -> F:
    """`--agent NAME`."""
    return click.option("--agent", help="The agent to ask, by name or file.")(command)


def as_option(command: F) -> F:
    """`--as NAME=VALUE`, any number of times."""
    option = click.option(
        "--as",
        "attributes",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_attributes,
        help="An attribute of who asks, for row policies; repeatable, and VALUE may be several: region=EU,US.",
    )
    return option(command)


def _attributes(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    from backedge.query.attributes import values_in

    found: dict[str, tuple[str, ...]] = {}
    for text in given:
        name, equals, value = text.partition("=")
        try:
            values = values_in(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error
        if not name.strip() or not equals or not values:
            raise click.BadParameter(f"{text!r} gives no value; write NAME=VALUE, as in region=EU")
        found[name.strip()] = (*found.get(name.strip(), ()), *values)
    return found


def param_option(command: F) -> F:
    """`--param NAME=VALUE`, any number of times."""
    option = click.option(
        "--param",
        "given",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_params,
        help="A parameter's value; repeatable.",
    )
    return option(command)


def _params(_ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not name.strip() or not equals:
            raise click.BadParameter(f"{text!r} gives no value; write NAME=VALUE, as in region=EU")
        if found.setdefault(name.strip(), value) != value:
            raise click.BadParameter(f"{name.strip()} is given twice; keep one value")
    return found


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

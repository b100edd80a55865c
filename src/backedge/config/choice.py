"""Which agent of a project is meant: the one asked for, the project's default, the only one, or none."""

from __future__ import annotations

import os
from pathlib import Path

from backedge.config.agent_file import agent_name
from backedge.config.config_file import CONFIG_FILE, ProjectConfig
from backedge.config.folder import Folder, kind_of
from backedge.config.problem import ConfigError, Problem, nearest

_ASKED = "--agent"


def agent_files(folder: Folder) -> tuple[str, ...]:
    """Every `.agentic.yml` of the folder."""
    return tuple(path for path in folder.files if kind_of(path) == "agent")


def choose_agent(folder: Folder, config: ProjectConfig | None, asked: str | None) -> str | None:
    """The file of the agent that is meant, or None where the folder has none. Raises ConfigError with what to do."""
    files = agent_files(folder)
    if asked is not None:
        return _asked(folder, files, asked)
    default = config.default_agent if config else ""
    if default and kind_of(default) in ("agent", "other"):
        return _default(files, default, config.default_agent_line if config else 0)
    if len(files) > 1:
        message = f"the project has several agents: {', '.join(files)}: choose one with `--agent NAME`"
        raise ConfigError((Problem(_ASKED, 0, message),))
    return files[0] if files else None


def _asked(folder: Folder, files: tuple[str, ...], asked: str) -> str:
    found = _matches(files, asked) or _matches(files, _inside(folder.root, asked))
    if len(found) == 1:
        return found[0]
    if found:
        message = f"several agents are called `{asked}`: {', '.join(found)}: write the path of one"
        raise ConfigError((Problem(_ASKED, 0, message),))
    if kind_of(asked) == "later":
        message = f"`{asked}` is of a kind that is not supported yet: name an `.agentic.yml` file"
    else:
        has = f"it has {', '.join(files)}" if files else "it has no `.agentic.yml` file: ask without `--agent`"
        message = f"the project has no agent `{asked}`: {has}"
    raise ConfigError((Problem(_ASKED, 0, message, near=_near(files, asked)),))


def _default(files: tuple[str, ...], default: str, line: int) -> str:
    found = _matches(files, default)
    if len(found) == 1:
        return found[0]
    message = f"`defaults.agent` names `{default}`, and no such `.agentic.yml` file exists"
    raise ConfigError((Problem(CONFIG_FILE, line, message, near=_near(files, default)),))


def _matches(files: tuple[str, ...], wanted: str) -> tuple[str, ...]:
    path = os.path.normpath(wanted)
    if path in files:
        return (path,)
    return tuple(file for file in files if wanted in (agent_name(file), file.rsplit("/", 1)[-1]))


def _inside(root: Path, asked: str) -> str:
    path = Path(asked).resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else asked


def _near(files: tuple[str, ...], wanted: str) -> tuple[str, ...]:
    return nearest(agent_name(wanted), [agent_name(file) for file in files])

"""Opens the agent of a connection; what a vendor needs is imported only when one of its models is opened."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from backedge.adapters.models.connection import Connection, unusable
from backedge.agent.ports import Agent
from backedge.agent.vendors import vendor_of

RECORD = "BACKEDGE_RECORD"  # the variable that lets recorded models ask the model behind them, and keep its replies


def open_agent(connection: Connection, environment: Mapping[str, str] = os.environ) -> Agent:
    """The agent. Raises `Permanent` for a model that cannot be used as it is configured; nothing is sent yet."""
    connection.profile()
    match connection.settings.vendor:
        case "scripted":
            from backedge.adapters.models.scripted import ScriptedAgent, read_script

            return ScriptedAgent(connection.settings, read_script(_file(connection, "its replies")))
        case "recorded":
            from backedge.adapters.models.recorded import RecordedAgent

            behind = open_agent(_behind(connection), environment) if environment.get(RECORD) else None
            return RecordedAgent(connection.settings, _file(connection, "the replies that are kept"), behind)
        case "local":
            from backedge.adapters.models.local import LocalAgent

            return LocalAgent(connection, _file(connection, "its weights (GGUF)"))
        case _:
            try:
                from backedge.adapters.models.asking import VendorAgent
            except ImportError as missing:
                said = f"models of {connection.settings.vendor} need an extra ({missing.name} is not installed)"
                raise unusable(said, "pip install 'backedge[models]'") from missing
            return VendorAgent(connection, environment)


def _file(connection: Connection, what: str) -> Path:
    if connection.file is None:
        raise unusable(f"model `{connection.settings.model}` names no file with {what}", "write `model_file`")
    return connection.file


def _behind(connection: Connection) -> Connection:
    """The model that a recorded one stands for: `model` names it as `vendor:id`, or by an id that tells its vendor."""
    told = vendor_of(connection.settings.model)
    if told is None or told[0] == "recorded":
        said = f"nothing can be recorded of `{connection.settings.model}`, whose vendor is not known"
        raise unusable(said, "write `model_ref: vendor:id`")
    vendor, model = told
    return replace(connection, settings=replace(connection.settings, vendor=vendor, model=model), file=None)

"""One server for all tests of the network."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import httpx2
import pytest

from tests.adapters.sources.asking import usual
from tests.adapters.sources.server import Server


@pytest.fixture(scope="session")
def _server() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.fixture(scope="session", autouse=True)
def _certificates() -> Iterator[None]:
    """The world's certificates are read once, not by each client."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpx2, "create_ssl_context", functools.cache(httpx2.create_ssl_context))
        yield


@pytest.fixture
def server(_server: Server) -> Server:
    """The server; all services answer as usual."""
    _server.play(usual(_server))
    return _server

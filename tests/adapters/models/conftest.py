"""The tests of the models speak plain HTTP on loopback: the certificates of the world are read once, not per client."""

from __future__ import annotations

import ssl
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def _one_ssl_context() -> Iterator[None]:
    context = ssl.create_default_context()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", lambda *_, **__: context)
        yield

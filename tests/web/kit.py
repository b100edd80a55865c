"""A served project for tests: by a client in this process, or for a browser over a real port."""

from __future__ import annotations

import re
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from backedge.serving import Served, serve_project
from backedge.web.app import create_app
from backedge.web.identity.local import LocalIdentity

HOSTS = ("127.0.0.1", "localhost", "testserver")
RESTED = 20.0  # seconds after which a run that does not rest fails a test


def application(folder: Path) -> tuple[FastAPI, Served]:
    """The server of a project's folder, as `backedge serve` makes it."""
    served = serve_project(folder)
    identity = LocalIdentity("ann", served.reviewers)
    return create_app(served.services, identity, hosts=HOSTS, lifespan=served.lifespan), served


@contextmanager
def client(folder: Path) -> Iterator[TestClient]:
    """A client of the server of a project's folder. Redirects are not followed."""
    app, _ = application(folder)
    with TestClient(app, follow_redirects=False) as made:
        yield made


@contextmanager
def listening(folder: Path) -> Iterator[str]:
    """The address of a real server of a project's folder."""
    app, _ = application(folder)
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


def rested(made: TestClient, run_id: str) -> dict[str, object]:
    """A run as JSON, once it is not running any more."""
    until = time.monotonic() + RESTED
    while time.monotonic() < until:
        found: dict[str, object] = made.get(f"/runs/{run_id}.json").json()
        if found["status"] != "running":
            return found
        time.sleep(0.02)
    raise AssertionError(f"run {run_id} does not rest")


def copied(folder: Path, to: Path) -> Path:
    """A project of its own without any runs, so that a test may write."""
    shutil.copytree(folder, to, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".backedge"))
    return to


def hosts_in(text: str) -> set[str]:
    """The hosts that a page names in addresses that a browser loads or goes to."""
    return set(re.findall(r"""(?:src|href|action)\s*=\s*["'](?:https?:)?//([^/"']+)""", text))

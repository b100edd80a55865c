"""Starts the server of `backedge serve` and says where it is."""

from __future__ import annotations

import socket
from pathlib import Path

import click
import uvicorn

from backedge.cli.exits import CONFIGURATION, fail
from backedge.serving import serve_project
from backedge.web.app import create_app
from backedge.web.identity.local import LocalIdentity

LOOPBACK = ("127.0.0.1", "::1", "localhost")


def serve_pages(folder: Path, host: str, port: int, opens: bool) -> None:
    """Serve until interrupted."""
    _refuse_open_host(host)
    served = serve_project(folder)
    app = create_app(
        served.services, LocalIdentity(served.user, served.reviewers), hosts=LOOPBACK, lifespan=served.lifespan
    )
    listening = _listening(host, port)
    address = f"http://{'localhost' if host == '::1' else host}:{listening.getsockname()[1]}"
    click.echo(f"Backedge serves {folder.resolve().name} at {address} (Ctrl-C ends it)")
    if opens:
        import webbrowser

        webbrowser.open(address)
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
    uvicorn.Server(config).run(sockets=[listening])


def _refuse_open_host(host: str) -> None:
    """Without an auth mode nobody but this machine is let in."""
    if host not in LOOPBACK:
        said = f"{host} can be reached by others, and nobody would have to log in"
        fail(f"{said}\n  set `serve: {{auth: …}}` in config.yml first, or listen on {LOOPBACK[0]}", CONFIGURATION)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        fail(
            f"port {port} of {host} cannot be listened on: {error.strerror or error}\n  choose another --port",
            CONFIGURATION,
        )
    listening.listen()
    return listening

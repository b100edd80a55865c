"""`backedge serve`: the pages and the API of a project."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.exits import told
from backedge.cli.session import project_option

HOST, PORT = "127.0.0.1", 8765


@click.command()
@click.option("--host", default=HOST, show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0: any that is free.")
@click.option("--open", "opens", is_flag=True, help="Open the pages in a browser.")
@project_option
def serve(host: str, port: int, opens: bool, folder: Path) -> None:
    """Serve the pages and the API of a project, on this machine alone unless an auth mode is set."""
    from backedge.cli.serve_page import serve_pages

    with told():
        serve_pages(folder, host, port, opens)

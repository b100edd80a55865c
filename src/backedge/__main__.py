"""Starts the command line: `python -m backedge`."""

from __future__ import annotations

from backedge.cli.app import run

if __name__ == "__main__":
    run()

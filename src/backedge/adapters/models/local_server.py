"""The child process that serves one GGUF file on loopback: reads orders from stdin, says its URL, ends with stdin."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Load and serve. Whatever goes wrong is one line of JSON with `error` and its `kind`."""
    orders = json.loads(sys.stdin.readline())
    path = Path(orders["file"])
    if wrong := unfit(path, orders["sha256"]):
        said(error=wrong, kind="file")
        return
    try:
        import xllamacpp
    except ImportError as missing:
        said(error=str(missing.name), kind="extra")
        return
    try:
        server = xllamacpp.Server(parameters(xllamacpp, path, orders))
    except RuntimeError as error:
        said(error=f"{path} cannot be served: {error}", kind="file")
        return
    said(url=f"{server.listening_address}/v1")
    sys.stdin.read()


def unfit(path: Path, sha256: str) -> str:
    """Why a file is not to be loaded, or ""."""
    if not path.is_file():
        return f"there is no file {path}"
    if not sha256:
        return ""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    return "" if found == sha256.lower() else f"{path} has sha256 {found}, not {sha256}"


def parameters(xllamacpp: Any, path: Path, orders: dict[str, Any]) -> Any:
    """One request at a time, on loopback, for whoever has the key."""
    made = xllamacpp.CommonParams()
    made.model.path = str(path)
    made.hostnames = ["127.0.0.1"]
    made.port = 0
    made.api_keys = [orders["key"]]
    made.n_ctx = orders["context"]
    made.n_parallel = 1
    made.cpuparams.n_threads = orders["threads"]
    made.cpuparams_batch.n_threads = orders["threads"]
    made.use_jinja = True
    made.warmup = False
    made.ui = False
    made.endpoint_slots = False
    return made


def said(**facts: str) -> None:
    """One line to the parent."""
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Opens the store of a project's runs, and tells where they are kept."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from backedge.adapters.stores.sqlite import PRIVATE_FOLDER, open_sqlite
from backedge.adapters.stores.watched import WatchedStore
from backedge.config.store_setting import store_variable
from backedge.kernel.defect import Permanent
from backedge.kernel.ports import Store, Watch

RUNS_FILE = "runs.db"


def open_store(root: Path, *, watch: Watch | None = None) -> Store:
    """The store of a project's runs. Raises `Permanent` where there is no such folder, or its runs cannot be kept."""
    if not root.is_dir():
        raise Permanent(f"there is no folder {root}", mend="name the project's folder with --project")
    variable = store_variable(root)
    store: Store = _open_postgres(variable) if variable else open_sqlite(runs_folder(root) / RUNS_FILE)
    return WatchedStore(store, watch) if watch else store


def _open_postgres(variable: str) -> Store:
    from backedge.adapters.stores.postgres import open_postgres  # an extra, and slow to import

    url = os.environ.get(variable)
    if not url:
        mend = f"export {variable}=postgresql://user@host/name, or leave `store` out of config.yml"
        raise Permanent(f"the variable {variable}, which `store` of config.yml names, is not set", mend=mend)
    return open_postgres(url)


def runs_folder(root: Path) -> Path:
    """Where a project's runs and caches are kept: its `.backedge`, or the user's state folder where it is read-only."""
    own = root / PRIVATE_FOLDER
    if _writable(own if own.exists() else root):
        return own
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "backedge" / hashlib.sha256(str(root.resolve()).encode()).hexdigest()[:16]


def _writable(folder: Path) -> bool:
    """Whether a file can be made there: root ignores the mode bits, so only trying tells."""
    probe = folder / f".backedge-probe-{os.getpid()}"
    try:
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True

"""Whether the keys that a query counts on tell rows apart: looked up once for each state of the data, and kept."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from backedge.ask.withheld import without_hidden_values
from backedge.kernel.defect import Defect
from backedge.query.ports import Caps, Connector, Ran
from backedge.semantic.compile import compile_spec
from backedge.semantic.keys import key_check, not_unique
from backedge.semantic.model import Model
from backedge.semantic.policies import NOBODY
from backedge.semantic.spec import Compiled, Key, Value

CHECK = Caps(rows=1, seconds=120)
Found = list[str | None] | None
"""The key that most rows share, as text, and how many they are; None where no two rows share one."""


class KeyChecks:
    """Asks databases for keys that rows share. `file` keeps what was found from one process to the next."""

    def __init__(self, model: Model, connectors: Mapping[str, Connector], default: str, file: Path) -> None:
        self._model = model
        self._connectors = connectors
        self._default = default
        self._file = file

    async def defects(self, query: Compiled, variables: tuple[tuple[str, Value], ...] = ()) -> tuple[Defect, ...]:
        """Why the values of a query may be wrong, although it compiles; nothing where its keys hold."""
        name = query.datasource or self._default
        connector = self._connectors.get(name)
        if connector is None or not query.keys:
            return ()
        known = self._read(name, stamp := await connector.fingerprint())
        before = dict(known)
        found = [await self._check(key, connector, variables, known) for key in query.keys]
        if known != before:
            self._write(name, stamp, known)
        return tuple(defect for defect in found if defect is not None)

    async def _check(
        self, key: Key, connector: Connector, variables: tuple[tuple[str, Value], ...], known: dict[str, Found]
    ) -> Defect | None:
        model, spec = key_check(self._model, key, variables)
        check = compile_spec(model, spec, connector.dialect)
        if not isinstance(check, Compiled):
            return check[0]
        name = hashlib.sha256(f"{check.sql}{check.params!r}".encode()).hexdigest()
        if name not in known:
            raw = await connector.run(check.sql, check.params, CHECK)
            result = without_hidden_values(raw, self._model, NOBODY)  # whoever asks, the check looks at every row
            if not isinstance(result, Ran):
                return _unknown(key, result.message)
            cells = result.table.rows[0] if result.table.rows else None
            known[name] = None if cells is None else [None if cell is None else str(cell) for cell in cells]
        shared = known[name]
        return None if shared is None else not_unique(self._model, key, tuple(shared[:-1]), shared[-1])

    def _read(self, database: str, stamp: str) -> dict[str, Found]:
        kept = self._kept().get(database)
        if isinstance(kept, dict) and kept.get("fingerprint") == stamp and isinstance(kept.get("found"), dict):
            return dict(kept["found"])
        return {}

    def _write(self, database: str, stamp: str, known: dict[str, Found]) -> None:
        text = json.dumps({**self._kept(), database: {"fingerprint": stamp, "found": known}})
        part = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        with suppress(OSError):  # what cannot be kept is looked up again
            self._file.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(text, encoding="utf-8")
            part.replace(self._file)

    def _kept(self) -> dict[str, object]:
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}


def _unknown(key: Key, reason: str) -> Defect:
    columns = ", ".join(key.columns)
    return Defect(
        "key_not_unique",
        f"the answer depends on {columns} telling the rows of {key.view} apart, which could not be checked: {reason}",
        where=key.view,
        hint=f"mend what keeps {key.view} from being read",
        retryable=False,
    )

"""Projects written into a temporary folder for the tests of the configuration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from tests.config.projects import Write


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files (path → text) into one project folder, which has `data/orders.csv` already."""

    def writing(files: Mapping[str, str]) -> Path:
        for name, text in {"data/orders.csv": "id,status,amount\n1,open,2.50\n", **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8")
        return tmp_path

    return writing

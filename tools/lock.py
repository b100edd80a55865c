"""Renews the exact versions in pyproject.toml: resolves afresh and writes names and versions, nothing else."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"
BLOCK = re.compile(r'^constraint-dependencies = \[(?:\n    "[^\n]*",)*\n?\]$', re.MULTILINE)
EXPORT = "uv export --quiet --all-extras --all-groups --no-hashes --no-annotate --no-header --no-emit-project"


def written(text: str, constraints: list[str]) -> str:
    """The text of pyproject.toml with these constraints instead of those it has."""
    lines = "".join(f'    "{line}",\n' for line in constraints)
    block = f"constraint-dependencies = [\n{lines}]" if constraints else "constraint-dependencies = []"
    changed, count = BLOCK.subn(lambda _: block, text)
    if count != 1:
        raise SystemExit(f"{PYPROJECT.name} has {count} `constraint-dependencies`; it must have one.")
    return changed


def resolved() -> list[str]:
    """`name==version` of every package that any extra or group needs, with its marker where it has one."""
    subprocess.run(["uv", "lock", "--quiet", "--upgrade"], check=True)
    export = subprocess.run(EXPORT.split(), check=True, capture_output=True, text=True)
    return sorted(line.replace('"', "'") for line in export.stdout.splitlines() if "==" in line)


def main() -> None:
    """Renew, or put pyproject.toml back as it was where nothing could be resolved."""
    before = PYPROJECT.read_text(encoding="utf-8")
    PYPROJECT.write_text(written(before, []), encoding="utf-8")
    try:
        constraints = resolved()
    except subprocess.CalledProcessError as error:
        PYPROJECT.write_text(before, encoding="utf-8")
        raise SystemExit(f"nothing was renewed: {error}\n{error.stderr or ''}") from error
    PYPROJECT.write_text(written(before, constraints), encoding="utf-8")
    print(f"{len(constraints)} versions written to {PYPROJECT.name}")


if __name__ == "__main__":
    main()

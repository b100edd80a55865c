"""The same six-stage workflow on our kernel, on LangGraph's SQLite saver and on DBOS steps: ratios of one run."""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PEERS = Path(__file__).parent / "peers"
ROUNDS = 15
LEAST_RUNS = 4  # in a round: short rounds, so that a disk that changes its mind does so to everybody


@dataclass
class Engine:
    """One engine in its own process, and what its rounds took in ms per transition."""

    name: str
    process: subprocess.Popen[str]
    ms: list[float] = field(default_factory=list)

    def round(self, runs: int) -> float:
        """ms per transition over that many runs."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{runs}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} ended with {self.process.wait()}")
        return float(json.loads(line)["ms"])


def environment(folder: Path, name: str, packages: tuple[str, ...]) -> str | None:
    """The Python of a new environment with the packages, or None where they cannot be installed."""
    place = folder / f"venv-{name}"
    python = str(place / "bin" / "python")
    for command in (["uv", "venv", "-q", str(place)], ["uv", "pip", "install", "-q", "--python", python, *packages]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{name}: not measured, `{' '.join(command)}` failed:\n{done.stderr.strip()}")
            return None
    return python


def pythons(folder: Path) -> dict[str, str]:
    """Each engine that can be measured here, with the Python that has it."""
    found = {
        "backedge": sys.executable,
        "langgraph": environment(folder, "langgraph", ("langgraph", "langgraph-checkpoint-sqlite", "aiosqlite")),
        "dbos": environment(folder, "dbos", ("dbos==3.4.0",)),
    }
    return {name: python for name, python in found.items() if python}


def start(name: str, python: str, folder: Path, in_flight: int) -> Engine:
    """Start an engine on an empty database."""
    place = folder / f"{name}-{in_flight}"
    place.mkdir()
    command = [python, str(PEERS / f"{name}_run.py"), str(place), str(in_flight)]
    return Engine(name, subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))


def measure(found: dict[str, str], folder: Path, in_flight: int) -> None:
    """Let the engines take turns, and print the medians and their ratios to ours."""
    engines = [start(name, python, folder, in_flight) for name, python in found.items()]
    for engine in engines:
        engine.round(LEAST_RUNS)
    for _ in range(ROUNDS):
        for engine in engines:
            engine.ms.append(engine.round(max(LEAST_RUNS, in_flight)))
    for engine in engines:
        ratio = statistics.median(theirs / ours for theirs, ours in zip(engine.ms, engines[0].ms, strict=True))
        ms = statistics.median(engine.ms)
        print(f"{in_flight:2} in flight  {engine.name:10} {ms:8.2f} ms per transition  {ratio:6.2f} of ours")
        engine.process.communicate()


def main() -> None:
    """Measure one run after the other, then 20 at once."""
    if shutil.which("uv") is None:
        raise SystemExit("install uv first: the other engines get an environment of their own")
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as name:
        folder = Path(name)
        found = pythons(folder)
        for in_flight in (1, 20):
            measure(found, folder, in_flight)


if __name__ == "__main__":
    main()

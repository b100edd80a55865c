"""Asks a copy of Oxygen's demo project by the command line and compares the answers with sums made here by hand."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

Sums = dict[str, Decimal]


def ask(project: Path, question: str, exit_code: int) -> dict[str, list[list[object]]]:
    """The JSON answer; ends the check where the exit code is not the expected one."""
    command = ["backedge", "ask", question, "--json", "--no-input", "--project", str(project)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != exit_code:
        raise SystemExit(f"{question!r} ended with {done.returncode}, not {exit_code}:\n{done.stdout}\n{done.stderr}")
    answer: dict[str, list[list[object]]] = json.loads(done.stdout)
    return answer


def sums(project: Path) -> tuple[Sums, Sums]:
    """Weekly sales summed by store and by year; the file writes its dates day-month-year."""
    by_store: Sums = defaultdict(Decimal)
    by_year: Sums = defaultdict(Decimal)
    with (project / ".db" / "oxymart.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            by_store[row["Store"]] += Decimal(row["Weekly_Sales"])
            by_year[row["Date"][-4:]] += Decimal(row["Weekly_Sales"])
    return by_store, by_year


def found(answer: dict[str, list[list[object]]]) -> list[tuple[str, Decimal]]:
    """The rows of an answer of two columns: a group and its number."""
    return [(str(group), Decimal(str(number))) for group, number in answer["rows"]]


def expect(what: str, got: object, wanted: object) -> None:
    """End the check with both values where they differ."""
    if got != wanted:
        raise SystemExit(f"{what}: got {got}, wanted {wanted}")
    print(f"{what}: right")


def main() -> None:
    """Three questions: a ranking, a total by year, and a word that the model does not know."""
    project = Path(sys.argv[1])
    by_store, by_year = sums(project)
    top = sorted(by_store.items(), key=lambda item: item[1], reverse=True)[:5]
    expect("top five stores", found(ask(project, "total sales by store, top 5", 0)), top)
    years = [(group[:4], number) for group, number in found(ask(project, "yearly total sales", 0))]
    expect("totals by year", sorted(years), sorted(by_year.items()))
    refused = ask(project, "total sales by planet", 4)
    expect("an unknown word", refused.get("status"), "cannot_answer")


if __name__ == "__main__":
    main()

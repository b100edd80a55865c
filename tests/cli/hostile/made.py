"""Writes three small projects whose models are as inconsistent as real ones, with data made by arithmetic alone."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

HERE = Path(__file__).parent
PROJECTS = ("hospital", "saas", "freight")
Row = tuple[object, ...]


def make(name: str, folder: Path) -> Path:
    """Write the project of that name with its data, and give its folder."""
    shutil.copytree(HERE / name, folder, copy_function=shutil.copyfile)
    (folder / "data").mkdir()
    for table, rows in _TABLES[name].items():
        with (folder / "data" / f"{table}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows())
    return folder


def _pick(values: Sequence[str], number: int) -> str:
    return values[number * 7 % 11 % len(values)]


def _day(year: int, number: int) -> date:
    return date(year, 1, 1) + timedelta(days=number)


def _truth(number: int, of: int) -> str:
    return "true" if number % of == 0 else "false"


def _patients() -> Iterator[Row]:
    yield ("patient_id", "name", "city", "plan", "smoker", "born")
    names = ("Ann Gold", "Bob Day", "Patient 5", "Ida May", "John Top", "Max Ward", "Ann Silver", "Mia Paris")
    for n in range(1, 25):
        plan, city = _pick(("Gold", "Basic", "None"), n), _pick(("Paris", "Oslo", "York", "New York"), n + 2)
        yield (n, f"{names[n % 8]} {n}" if n > 8 else names[n % 8], city, plan, _truth(n, 3), _day(1960 + n, n * 9))


def _stays() -> Iterator[Row]:
    yield (
        "stay_id", "patient_id", "ward", "room_class", "outcome", "urgent", "rating", "admitted", "discharged",
        "cost", "paid", "readmitted",
    )  # fmt: skip
    wards = ("Surgery", "Intensive and Acute", "Not assigned", "Top Floor", "12", "Paris")
    outcomes = ("recovered", "not recovered", "readmissions", "urgent")
    for n in range(1, 91):
        start = _day(2023, n * 7)
        end = "" if n % 13 == 0 else start + timedelta(days=n % 40)
        yield (
            n, n * 5 % 23 + 1, _pick(wards, n), _pick(("Gold", "Standard"), n + 3), _pick(outcomes, n + 1),
            _truth(n, 4), n % 5 + 1, start, end, f"{100 + n * 3}.50", f"{60 + n * 2}.25", _truth(n, 6),
        )  # fmt: skip


def _rota() -> Iterator[Row]:
    yield ("nurse", "week", "night", "hours")
    for n in range(60):
        yield (("April", "Grace", "Dot")[n % 3], date(2024, 1, 1) + timedelta(weeks=n // 3), _truth(n, 5), 30 + n % 9)


def _accounts() -> Iterator[Row]:
    yield ("account_id", "tier", "colour", "region", "trial", "seats", "created_at", "churned_at")
    for n in range(1, 41):
        gone = _day(2024, n * 8) if n % 4 == 0 else ""
        tier, colour = _pick(("Gold", "Silver", "Free"), n), _pick(("Gold", "Blue", "Red"), n + 4)
        region = _pick(("North", "South", "North and South", "Other"), n + 1)
        yield (n, tier, colour, region, _truth(n, 5), n % 7 * 10 + 5, _day(2022, n * 20), gone)


def _subscriptions() -> Iterator[Row]:
    yield ("subscription_id", "account_id", "plan", "status", "started", "ended", "mrr", "booked")
    plans, states = ("Team", "Pro", "Free", "Enterprise"), ("active", "cancelled", "not active", "trial")
    for n in range(1, 81):
        started = _day(2023, n * 8)
        ended = started + timedelta(days=200) if n % 3 == 0 else ""
        yield (n, n * 3 % 37 + 1, _pick(plans, n), _pick(states, n + 5), started, ended, 20 + n * 3, 250 + n * 31)


def _users() -> Iterator[Row]:
    yield ("user_id", "account_id", "role", "last_seen")
    for n in range(1, 101):
        yield (n, n * 7 % 39 + 1, _pick(("admin", "member", "trial", "clicks"), n), _day(2024, n * 3))


def _events() -> Iterator[Row]:
    yield ("event_id", "user_id", "kind", "happened_at")
    for n in range(1, 201):
        kind = _pick(("login", "export", "top up", "2024"), n)
        yield (n, n * 11 % 61 + 1, kind, f"{_day(2024, n)} {n % 24:02}:15:00")


def _shipments() -> Iterator[Row]:
    yield (
        "shipment_id", "carrier_id", "zone", "state", "route", "late", "fragile", "weight", "shipped_on",
        "delivered_on", "cost", "fuel",
    )  # fmt: skip
    states, zones = ("delivered", "not delivered", "lost", "late"), ("North", "South", "North and South", "East")
    routes = ("Top", "Red", "2024", "Berlin")
    for n in range(1, 121):
        start = _day(2023, n * 6)
        end = "" if n % 9 == 0 else start + timedelta(days=n % 50)
        yield (
            n, n * 5 % 9 + 1, _pick(zones, n), _pick(states, n + 2), _pick(routes, n + 6), _truth(n, 3),
            _truth(n, 4), n % 17 + 2, start, end, 90 + n * 4, 10 + n % 13,
        )  # fmt: skip


def _carriers() -> Iterator[Row]:
    yield ("carrier_id", "carrier_name", "home_zone", "us_state", "founded", "trucks")
    names = ("Red", "Blue Line", "3", "Smith and Sons", "Lost Cargo", "North", "Zed", "Total", "Berlin Freight", "Idle")
    for n, name in enumerate(names, 1):
        yield (n, name, _pick(("North", "West", "East"), n), _pick(("Ohio", "Iowa"), n), 1990 + n * 3, n * 6)


def _parcels() -> Iterator[Row]:
    yield ("parcel_id", "shipment_id", "size", "content", "declared")
    for n in range(1, 301):
        content = _pick(("books", "glass", "food", "trucks"), n + n // 11)
        yield (n, n * 7 % 113 + 1, _pick(("S", "M", "L"), n), content, n * 2 + 1)


def _stock() -> Iterator[Row]:
    yield ("depot", "day", "pallets")
    for n in range(60):
        yield (("Ost", "West")[n % 2], date(2024, 5, 1) + timedelta(days=n // 2), 5 + n % 11)


_TABLES = {
    "hospital": {"patients": _patients, "stays": _stays, "rota": _rota},
    "saas": {"accounts": _accounts, "subscriptions": _subscriptions, "users": _users, "events": _events},
    "freight": {"shipments": _shipments, "carriers": _carriers, "parcels": _parcels, "stock": _stock},
}

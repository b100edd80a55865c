"""The rows of the demo shop: customers, orders and order items, the same from every run because the seed is fixed."""

from __future__ import annotations

import csv
import io
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from random import Random
from typing import TypeVar

SEED = 20260101
FIRST_SIGNUP = date(2022, 1, 1)
FIRST_DAY = date(2023, 1, 1)
LAST_DAY = date(2025, 12, 31)
CUSTOMERS = 3_000
ORDERS = 30_000

COUNTRIES = {
    "Germany": 24,
    "France": 17,
    "United Kingdom": 15,
    "Netherlands": 10,
    "Spain": 8,
    "Italy": 8,
    "Poland": 6,
    "Sweden": 4,
    "Austria": 3,
    "Denmark": 2,
    "Portugal": 2,
    "Ireland": 1,
}
SEGMENTS = {"consumer": 62, "small business": 22, "enterprise": 10, "": 6}  # "": the segment is not known
CHANNELS = {"web": 46, "app": 27, "store": 18, "marketplace": 9}
STATUSES = {"completed": 88, "returned": 8, "cancelled": 4}
ITEMS_PER_ORDER = {1: 14, 2: 20, 3: 20, 4: 17, 5: 12, 6: 9, 7: 8}
MONTH_WEIGHT = (8, 7, 8, 8, 9, 8, 7, 7, 9, 10, 14, 16)
YEAR_WEIGHT = {2023: 10, 2024: 12, 2025: 15}
PRICE_PERCENT = {2023: 100, 2024: 103, 2025: 108}
FREE_SHIPPING_CENTS = 12_000

T = TypeVar("T")


@dataclass(frozen=True)
class Product:
    """One thing on sale: its price is in cents, its weight how often it is bought."""

    name: str
    category: str
    cents: int
    weight: int


PRODUCTS = tuple(
    Product(name, category, cents, weight)
    for category, rows in {
        "Kitchen": (("Chef knife", 4990, 5), ("Cast iron pan", 3950, 6), ("Tea kettle", 2999, 7), ("Scale", 1895, 4)),
        "Garden": (("Hand trowel", 1299, 5), ("Watering can", 1850, 6), ("Seed box", 895, 9), ("Pruner", 2490, 4)),
        "Office": (("Desk lamp", 3490, 6), ("Notebook", 450, 16), ("Fountain pen", 2750, 5), ("Stapler", 990, 5)),
        "Outdoor": (("Tent", 18900, 2), ("Headlamp", 2990, 6), ("Water bottle", 1690, 11), ("Daypack", 6900, 4)),
        "Toys": (("Wooden train", 2295, 6), ("Puzzle", 1490, 10), ("Kite", 1795, 4), ("Building blocks", 3290, 6)),
        "Audio": (("Headphones", 8990, 4), ("Speaker", 5990, 4), ("Record player", 15900, 1), ("Cable", 790, 12)),
        "Books": (("Cookbook", 2600, 7), ("Atlas", 3900, 3), ("Novel", 1250, 15), ("Field guide", 1990, 5)),
        "Textiles": (("Wool blanket", 7490, 3), ("Bath towel", 1690, 9), ("Cushion", 1990, 7), ("Apron", 2190, 4)),
    }.items()
    for name, cents, weight in rows
)


@dataclass(frozen=True)
class Order:
    """One order before its items are known."""

    number: int
    customer: int
    day: date
    channel: str
    status: str


def shop_tables() -> dict[str, str]:
    """The three CSV files by name: customers.csv, orders.csv and order_items.csv, lines ended by a newline."""
    rng = Random(SEED)
    signups = sorted(_draw_days(rng, FIRST_SIGNUP, date(2025, 10, 31), CUSTOMERS))
    orders = _orders(rng, signups)
    items, totals = _items(rng, orders)
    return {
        "customers.csv": _csv(("customer_id", "country", "segment", "signup_date"), _customers(rng, signups)),
        "orders.csv": _csv(
            ("order_id", "customer_id", "order_date", "channel", "status", "shipping_fee", "order_total"), totals
        ),
        "order_items.csv": _csv(
            ("item_id", "order_id", "sale_date", "category", "product", "quantity", "unit_price", "refund"), items
        ),
    }


def _customers(rng: Random, signups: Sequence[date]) -> list[tuple[object, ...]]:
    countries = _draw(rng, COUNTRIES, len(signups))
    segments = _draw(rng, SEGMENTS, len(signups))
    return [
        (number, country, segment, day.isoformat())
        for number, (country, segment, day) in enumerate(zip(countries, segments, signups, strict=True), 1)
    ]


def _orders(rng: Random, signups: Sequence[date]) -> list[Order]:
    """Orders in the order of their days; nobody orders before signing up, and one customer in twelve never does."""
    buyers = [number for number in range(1, len(signups) + 1) if rng.random() >= 1 / 12]
    joined = [signups[number - 1] for number in buyers]
    days = sorted(_draw_days(rng, FIRST_DAY, LAST_DAY, ORDERS))
    channels = _draw(rng, CHANNELS, ORDERS)
    statuses = _draw(rng, STATUSES, ORDERS)
    return [
        Order(number, buyers[int(bisect_right(joined, day) * rng.random() ** 1.4)], day, channel, status)
        for number, (day, channel, status) in enumerate(zip(days, channels, statuses, strict=True), 1)
    ]


def _items(rng: Random, orders: Sequence[Order]) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """The rows of order_items.csv, and those of orders.csv, whose totals are the sums of their items plus shipping."""
    counts = _draw(rng, ITEMS_PER_ORDER, len(orders))
    products = iter(_draw(rng, {product: product.weight for product in PRODUCTS}, sum(counts)))
    quantities = iter(_draw(rng, {1: 74, 2: 16, 3: 6, 4: 4}, sum(counts)))
    items: list[tuple[object, ...]] = []
    totals: list[tuple[object, ...]] = []
    for order, count in zip(orders, counts, strict=True):
        day, goods = order.day.isoformat(), 0
        for _ in range(count):
            product, quantity = next(products), next(quantities)
            price = product.cents * PRICE_PERCENT[order.day.year] // 100
            refund = price * quantity if _refunded(rng, order.status) else 0
            goods += price * quantity
            line = (len(items) + 1, order.number, day, product.category, product.name, quantity)
            items.append((*line, _money(price), _money(refund)))
        fee = _shipping(rng, goods)
        head = (order.number, order.customer, day, order.channel, order.status)
        totals.append((*head, _money(fee), _money(goods + fee)))
    return items, totals


def _refunded(rng: Random, status: str) -> bool:
    return status == "cancelled" or (status == "returned" and rng.random() < 0.7)


def _shipping(rng: Random, goods: int) -> int:
    if goods >= FREE_SHIPPING_CENTS:
        return 0
    return 1290 if rng.random() < 0.15 else 490


def _draw_days(rng: Random, first: date, last: date, count: int) -> list[date]:
    """Days of the period, more of them in later years and before Christmas."""
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    return _draw(rng, {day: YEAR_WEIGHT.get(day.year, 8) * MONTH_WEIGHT[day.month - 1] for day in days}, count)


def _draw(rng: Random, weights: dict[T, int], count: int) -> list[T]:
    return rng.choices(list(weights), cum_weights=list(accumulate(weights.values())), k=count)


def _money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()

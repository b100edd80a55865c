"""What `backedge demo` asks of the demo shop: one question for each thing that it wants to show."""

from __future__ import annotations

QUESTIONS: tuple[tuple[str, str], ...] = (
    ("How many orders are there?", ""),
    ("Top 5 products by units sold", ""),
    ("Monthly net revenue in 2025", ""),
    ("Total shipping fees by category", ""),
    ("Which segments order again within 90 days?", ""),
    ("Revenue by country", "order_items.net_revenue"),
    ("Net revenue by warehouse", ""),
)
"""Each question with the answer to the clarifying question it meets, or "" where it meets none."""
